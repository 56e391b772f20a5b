import type { Row } from '../../core/cell.ts';
import { normaliseHeader } from '../../core/header.ts';
import type { Resource } from '../../schema/resource.ts';
import { isNamed } from './header-names.ts';
import { findHeader, type HeaderRow, type HeaderWishes } from './header-row.ts';
import { isListed, ownFirst } from './listed-columns.ts';
import type { SheetMapping } from './sheet-mapping.ts';

/** The resource that a sheet's columns are of, and how many of them tell it. */
interface FoundByHeaders {
  readonly resource: Resource;
  readonly header: HeaderRow;
  readonly weight: number;
}

interface Wishes extends HeaderWishes {
  readonly resources: readonly Resource[];
}

/** A sheet under another name is taken for the resource whose columns it has most of, when it names a key of it. */
export function byHeaders(
  top: readonly Row[],
  { resources, headerRow, names }: Wishes,
): FoundByHeaders | undefined {
  const fits = resources
    .flatMap((resource) => {
      const header = findHeader(top, resource, { headerRow, names });
      if (header === undefined || header.most < leastColumns(resource)) return [];
      const keyed = header.cells.some(({ field }) => field !== undefined && resource.keys.includes(field));
      return keyed ? [{ resource, header, weight: ownFirst(resource, header.cells) ?? header.most }] : [];
    })
    .sort((a, b) => b.weight - a.weight);
  const [first, second] = fits;
  return first !== undefined && first.weight > (second?.weight ?? 0) ? first : undefined;
}

/** One column, such as PartijID or id, tells nothing of what a sheet is for. */
const TELLING = 2;

/** The command of its own that a sheet serves, by more columns than make it one to import; undefined where it serves none. */
export function servedByHeaders(
  top: readonly Row[],
  wishes: Wishes & { readonly known?: readonly Resource[]; readonly as?: Resource | undefined },
  weight: number,
): string | undefined {
  if (wishes.as !== undefined) return undefined;
  const others = (wishes.known ?? []).filter(
    (one) => one.command !== undefined && !wishes.resources.includes(one),
  );
  const found = byHeaders(top, { ...wishes, resources: others });
  return found !== undefined && found.weight >= TELLING && found.weight > weight
    ? found.resource.command
    : undefined;
}

/** The kinds of sheets that a command is for; without one, those of an import. */
export function resourcesOf(
  { resources }: { readonly resources: readonly Resource[] },
  command: string | null | undefined,
): Resource[] {
  return resources.filter((resource) => resource.command === (command ?? undefined));
}

/** So many of its columns make a sheet one of a resource; whoever gives a file to a command of its own means it so. */
function leastColumns({ command, fields }: Resource): number {
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
