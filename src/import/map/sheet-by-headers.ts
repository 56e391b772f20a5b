import type { Row } from '../../core/cell.ts';
import { normaliseHeader } from '../../core/header.ts';
import type { Context } from '../../run/context.ts';
import type { Resource } from '../../schema/resource.ts';
import { isNamed } from './header-names.ts';
import { findHeader, type HeaderWishes } from './header-row.ts';
import { isListed, ownFirst } from './listed-columns.ts';
import type { SheetMapping } from './sheet-mapping.ts';

type Known = Pick<Context, 'resources'>;

/** The resources that a sheet may be of. */
export interface SheetWishes extends HeaderWishes {
  readonly resources: readonly Resource[];
  /** All resources, to know the sheets of other commands. */
  readonly known?: readonly Resource[];
}

/** The resource that a sheet of another name has most columns of, a key among them, and how many. */
export function byHeaders(top: readonly Row[], wishes: SheetWishes) {
  const fits = wishes.resources
    .flatMap((resource) => {
      const header = findHeader(top, resource, wishes);
      if (header === undefined || header.most < leastColumns(resource)) return [];
      const { headers, most } = header;
      const keyed = headers.some(({ field }) => field !== undefined && resource.keys.includes(field));
      return keyed ? [{ resource, header, weight: ownFirst(resource, headers) ?? most }] : [];
    })
    .sort((a, b) => b.weight - a.weight);
  const [first, second] = fits;
  return first !== undefined && first.weight > (second?.weight ?? 0) ? first : undefined;
}

/** A single column, such as PartijID, does not tell what a sheet is for. */
const TELLING = 2;

/** The command that a sheet serves by its columns, if they weigh more than `weight`; undefined for none. */
export function servedByHeaders(
  top: readonly Row[],
  wishes: SheetWishes,
  weight: number,
): string | undefined {
  const { resources, known = [] } = wishes;
  const others = known.filter((one) => one.command !== undefined && !resources.includes(one));
  const found = byHeaders(top, { ...wishes, resources: others });
  const tells = found !== undefined && found.weight >= TELLING && found.weight > weight;
  return tells ? found.resource.command : undefined;
}

/** The resources of a command's sheets; without a command, those of an import. */
export function resourcesOf({ resources }: Known, command: string | null | undefined): Resource[] {
  return resources.filter((resource) => resource.command === (command ?? undefined));
}

/** The resource of this name. Throws TypeError where a plan names one that is not there. */
export function resourceNamed({ resources }: Known, name: string): Resource {
  const found = resources.find((resource) => resource.name === name);
  if (found === undefined) throw new TypeError(`there is no resource ${name}`);
  return found;
}

/** Columns that make a sheet one of a resource; for a command of its own the required ones are enough. */
function leastColumns({ command, fields }: Resource): number {
  if (command === undefined) return 3;
  return Object.values(fields).filter(({ create }) => create === 'required').length;
}

/** The command that a sheet serves by its name; undefined for any other sheet. */
export function servedBy(resources: readonly Resource[], sheet: string): string | undefined {
  return resources.find((resource) => resource.command !== undefined && isNamed(resource, sheet))?.command;
}

/** For a command of its own, the columns of an export that it does not use are not unknown. */
export function withoutOthers(mapping: SheetMapping, known: readonly Resource[]): SheetMapping {
  if (mapping.resource.command === undefined) return mapping;
  const names = new Set(known.flatMap(({ fields }) => Object.keys(fields)).map(normaliseHeader));
  const isOurs = (header: string): boolean =>
    names.has(normaliseHeader(header)) || known.some((resource) => isListed(resource, header));
  return { ...mapping, unknown: mapping.unknown.filter((header) => !isOurs(header)) };
}
