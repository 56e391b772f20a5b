import type { Row } from '../../core/cell.ts';
import { normaliseHeader } from '../../core/header.ts';
import type { Resource } from '../../schema/resource.ts';
import type { HeaderName } from './header-names.ts';
import { type HeaderRow, type HeaderWishes, searchHeader } from './header-row.ts';
import { isListed, ownFirst } from './listed-columns.ts';

/**
 * The header row of a sheet as one of a resource; undefined where none of its rows names a field. A proposal
 * that was taken once gives way to the field's own header, and to an export's columns.
 */
export function findHeader(
  top: readonly Row[],
  resource: Resource,
  wishes: HeaderWishes = {},
): HeaderRow | undefined {
  const header = searchHeader(top, resource, wishes);
  const { names = [] } = wishes;
  const idle = names.filter(
    (name) => name.taken === true && header !== undefined && isIdle(name, header, resource),
  );
  if (idle.length === 0) return header;
  return searchHeader(top, resource, { ...wishes, names: names.filter((name) => !idle.includes(name)) });
}

function isIdle({ header: own, field }: HeaderName, { headers }: HeaderRow, resource: Resource): boolean {
  const others = headers.filter(
    ({ header, told }) => told !== true && normaliseHeader(header) !== normaliseHeader(own),
  );
  if (others.some((cell) => cell.field === field)) return true;
  return isListed(resource, own) && ownFirst(resource, headers) !== null;
}
