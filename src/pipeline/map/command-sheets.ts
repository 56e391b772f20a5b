import type { Resource } from '../../schema/resource.ts';
import { isNamed } from './header-names.ts';

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
