import { moveRange, moveRanges } from './move-ranges.ts';
import type { RowMap } from './row-map.ts';
import type { XmlElement } from './xml-tree.ts';

/** Leaves out the elements of a list that don't hold, and sets the count that it says; answers whether any is left. */
export function counted(list: XmlElement, holds: (element: XmlElement) => boolean): boolean {
  const left = list.keep(holds);
  if (list.attribute('count') !== undefined) list.set('count', String(left));
  return left > 0;
}

/** Brings the attribute `ref` up to date; answers whether anything is left of it. */
export function trimRef(element: XmlElement, rows: RowMap): boolean {
  return trimAttribute(element, 'ref', moveRange(element.attribute('ref') ?? '', rows));
}

/** Brings the attribute `sqref`, which may hold several ranges, up to date; answers whether anything is left of it. */
export function trimSqref(element: XmlElement, rows: RowMap): boolean {
  return trimAttribute(element, 'sqref', moveRanges(element.attribute('sqref') ?? '', rows));
}

function trimAttribute(element: XmlElement, name: string, left: string | undefined): boolean {
  if (left !== undefined && left !== element.attribute(name)) element.set(name, left);
  return left !== undefined;
}

/** The corners of what floats over cells: its begin goes along with the row on which it stands, and it stays as tall as it was. */
export function moveAnchors(holder: XmlElement, rows: RowMap): void {
  for (const anchor of holder.all()) {
    const [from, to] = ['from', 'to'].map((corner) => anchor.elements(corner)[0]?.elements('row')[0]);
    if (from === undefined) continue;
    const row = Number(from.text);
    const moved = rows.place(row + 1) - 1;
    if (to !== undefined) to.text = String(Number(to.text) - row + moved);
    from.text = String(moved);
  }
}
