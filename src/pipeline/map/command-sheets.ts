import { normaliseHeader } from '../../schema/header.ts';
import type { Resource } from '../../schema/resource.ts';
import { isNamed } from './header-names.ts';
import { isListed } from './listed-columns.ts';
import type { SheetMapping } from './sheet-mapping.ts';

/** The kinds of sheets that a command is for; without one, those of an import. */
export function resourcesOf(
  { resources }: { readonly resources: readonly Resource[] },
  command: string | null | undefined,
): Resource[] {
  return resources.filter((resource) => resource.command === (command ?? undefined));
}

/** So many of its columns make a sheet one of a resource; whoever gives a file to a command of its own means it so. */
export function leastColumns({ command, fields }: Resource): number {
  if (command === undefined) return 3;
  return Object.values(fields).filter(({ create }) => create === 'required').length;
}

/** The command of its own that a sheet serves, by its name; undefined for any other sheet. */
export function servedBy(resources: readonly Resource[], sheet: string): string | undefined {
  return resources.find((resource) => resource.command !== undefined && isNamed(resource, sheet))?.command;
}

/** The columns of an export that a command has no use for are nothing unknown: whoever gives it one has not misspelt them. */
export function withoutOthers(mapping: SheetMapping, known: readonly Resource[]): SheetMapping {
  if (mapping.resource.command === undefined) return mapping;
  const names = new Set(known.flatMap(({ fields }) => Object.keys(fields)).map(normaliseHeader));
  const isOurs = (header: string): boolean =>
    names.has(normaliseHeader(header)) || known.some((resource) => isListed(resource, header));
  return {
    ...mapping,
    unknown: mapping.unknown.filter((header) => !isOurs(header)),
    unknownColumns: mapping.unknownColumns.filter(({ header }) => !isOurs(header)),
  };
}
