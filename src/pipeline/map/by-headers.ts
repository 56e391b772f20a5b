import type { Row } from '../../schema/cell.ts';
import type { Resource } from '../../schema/resource.ts';
import { leastColumns } from './command-sheets.ts';
import { findHeader, type HeaderRow, type HeaderWishes } from './header-row.ts';
import { ownFirst } from './listed-columns.ts';

/** The resource that a sheet's columns are of, and how many of them tell it. */
export interface FoundByHeaders {
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
