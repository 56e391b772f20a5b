import { addRange, type ColumnRange, rangeColumns } from './column-ranges.ts';
import { DamagedPart } from './damaged-part.ts';
import { drawnColumns } from './drawing-anchors.ts';
import { LAST_COLUMN } from './limits.ts';
import { findPart, type Package, partChunks, readRelationships, scanPart } from './package.ts';
import type { SheetLayout } from './sheet.ts';
import { nameCode, OPEN } from './xml-scanner.ts';
import { attributeValue } from './xml-text.ts';
import type { ZipEntry } from './zip-directory.ts';

const REF = nameCode('ref');
/** The element that names the place of a table, and of a pivot table. */
const PLACED: Readonly<Record<string, number>> = {
  table: nameCode('table'),
  pivotTable: nameCode('location'),
};

/**
 * Adds to a sheet's layout the columns of what hangs on it in parts of its own: tables, pivot tables, drawings and form controls. A part that
 * can't be read says nothing, as no value is in it.
 */
export async function noteObjects(source: Package, part: string, layout: SheetLayout): Promise<void> {
  const drawn: ColumnRange[] = [];
  await unlessDamaged(async () => {
    const related = await readRelationships(source, part);
    for (const [target, type] of new Map(related.map((one) => [one.target, one.type]))) {
      const entry = findPart(source, target);
      if (entry === undefined) continue;
      await unlessDamaged(async () => {
        for (const range of await columnsIn(source, entry, type, layout))
          addRange(type in PLACED ? layout.taken : drawn, ...range);
      });
    }
  });
  layout.drawn = drawn;
}

async function unlessDamaged(look: () => Promise<void>): Promise<void> {
  try {
    await look();
  } catch (cause) {
    if (!(cause instanceof DamagedPart)) throw cause;
  }
}

async function columnsIn(
  source: Package,
  entry: ZipEntry,
  type: string,
  { widths }: SheetLayout,
): Promise<readonly ColumnRange[]> {
  const element = PLACED[type];
  if (element !== undefined) return await placedColumns(source, entry, element);
  if (type === 'drawing') return await drawnColumns(source, entry, widths);
  return type === 'vmlDrawing' ? await controlColumns(source, entry) : [];
}

async function placedColumns(source: Package, entry: ZipEntry, element: number): Promise<ColumnRange[]> {
  const found: ColumnRange[] = [];
  await scanPart(source, entry, (scanner, token) => {
    if (token !== OPEN || scanner.code !== element) return;
    const columns = rangeColumns(attributeValue(scanner, REF) ?? '');
    if (columns !== undefined) found.push(columns);
  });
  return found;
}

/** Begins what a drawing in the older kind says of one of its shapes. */
const SHAPE = /<(?:\w+:)?ClientData\b/;
const NOTE = /^[^>]*ObjectType\s*=\s*["']Note["']/;
/** Left column and offset, top row and offset, right column and offset, … */
const ANCHOR = /<(?:\w+:)?Anchor>\s*(\d{1,5})\s*,[^,<]*,[^,<]*,[^,<]*,\s*(\d{1,5})\s*,\s*(\d{1,6})/;

/** Buttons, lists and ticks on a sheet; the notes of cells come and go. The part need not be well-formed: Excel's own is not always. */
async function controlColumns(source: Package, entry: ZipEntry): Promise<ColumnRange[]> {
  const { keptBytes } = source.limits;
  const limits = { ...source.limits, partBytes: keptBytes };
  const chunks: Buffer[] = [];
  for await (const chunk of partChunks({ ...source, limits }, entry)) chunks.push(chunk);
  const [, ...shapes] = Buffer.concat(chunks).toString('latin1').split(SHAPE);
  return shapes.flatMap((shape): ColumnRange[] => {
    const [, left, right, offset] = NOTE.test(shape) ? [] : (ANCHOR.exec(shape) ?? []);
    if (left === undefined) return [];
    const first = Math.min(Number(left) + 1, LAST_COLUMN);
    const last = Number(right) + (Number(offset) > 0 ? 1 : 0);
    return [[first, Math.max(first, Math.min(last, LAST_COLUMN))]];
  });
}
