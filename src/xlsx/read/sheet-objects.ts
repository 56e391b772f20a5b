import { LAST_COLUMN } from '../../files/limits.ts';
import {
  addRange,
  type ColumnRange,
  type ColumnWidths,
  columnAt,
  rangeColumns,
  type SheetLayout,
} from '../../files/sheet.ts';
import { DamagedPart } from '../damage.ts';
import { CLOSE, nameCode, OPEN, TEXT, type XmlScanner } from '../xml/xml-scanner.ts';
import { attributeValue, tokenText } from '../xml/xml-text.ts';
import type { ZipEntry } from '../zip/read-zip.ts';
import { findPart, partChunks, readRelationships, scanPart, type WorkbookPackage } from './package.ts';

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
export async function noteObjects(source: WorkbookPackage, part: string, layout: SheetLayout): Promise<void> {
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
  source: WorkbookPackage,
  entry: ZipEntry,
  type: string,
  { widths }: SheetLayout,
): Promise<readonly ColumnRange[]> {
  const element = PLACED[type];
  if (element !== undefined) return await placedColumns(source, entry, element);
  if (type === 'drawing') return await drawnColumns(source, entry, widths);
  return type === 'vmlDrawing' ? await controlColumns(source, entry) : [];
}

async function placedColumns(
  source: WorkbookPackage,
  entry: ZipEntry,
  element: number,
): Promise<ColumnRange[]> {
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
async function controlColumns(source: WorkbookPackage, entry: ZipEntry): Promise<ColumnRange[]> {
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

const ANCHORS: ReadonlySet<number> = new Set(
  ['twoCellAnchor', 'oneCellAnchor', 'absoluteAnchor'].map(nameCode),
);
const ENDS = new Map([
  [nameCode('from'), 'from'],
  [nameCode('to'), 'to'],
] as const);
const PLACES = new Map([
  [nameCode('col'), 'column'],
  [nameCode('colOff'), 'offset'],
] as const);
const EXTENT = nameCode('ext');
const POSITION = nameCode('pos');
const CX = nameCode('cx');
const X = nameCode('x');

/** A side of a drawing: its column from 0, and how far in it, in English metric units. */
interface Side {
  column: number;
  offset: number;
}

/** Where a drawing stands, as far as it has been read. */
interface Anchor {
  readonly depth: number;
  readonly from: Side;
  readonly to: Side;
  ends: boolean;
  width: number;
}

/** The columns that each of a drawing part's charts, pictures and shapes stands over. Throws DamagedPart. */
async function drawnColumns(
  source: WorkbookPackage,
  entry: ZipEntry,
  widths: ColumnWidths,
): Promise<ColumnRange[]> {
  const found: ColumnRange[] = [];
  let anchor: Anchor | undefined;
  await scanPart(source, entry, (scanner, token) => {
    if (token === OPEN && ANCHORS.has(scanner.code) && !scanner.selfClosing) anchor = begin(scanner.depth);
    else if (anchor === undefined) return;
    else if (token === OPEN) noteSize(anchor, scanner);
    else if (token === TEXT) noteSide(anchor, scanner);
    else if (token === CLOSE && scanner.depth < anchor.depth) {
      found.push(columnsOf(anchor, widths));
      anchor = undefined;
    }
  });
  return found;
}

function begin(depth: number): Anchor {
  return { depth, from: { column: 0, offset: 0 }, to: { column: 0, offset: 0 }, ends: false, width: 0 };
}

/** Of an anchor that names one cell, or none, its size and its place on the sheet. */
function noteSize(anchor: Anchor, scanner: XmlScanner): void {
  const { code, depth, selfClosing } = scanner;
  if (depth + (selfClosing ? 1 : 0) !== anchor.depth + 1) return;
  if (code === EXTENT) anchor.width = units(attributeValue(scanner, CX));
  if (code === POSITION) anchor.from.offset = units(attributeValue(scanner, X));
}

function noteSide(anchor: Anchor, scanner: XmlScanner): void {
  const side = ENDS.get(scanner.inside(1));
  const place = PLACES.get(scanner.inside());
  if (side === undefined || place === undefined || scanner.depth !== anchor.depth + 2) return;
  anchor[side][place] = units(tokenText(scanner, false));
  if (side === 'to') anchor.ends = true;
}

const units = (text: string | undefined): number => Math.max(0, Number(text ?? 0) || 0);

function columnsOf({ from, to, ends, width }: Anchor, widths: ColumnWidths): ColumnRange {
  const first = Math.min(from.column + 1, LAST_COLUMN);
  // A side at the very start of a column does not stand in it.
  const last = ends ? to.column + (to.offset > 0 ? 1 : 0) : columnAt(widths, first, from.offset + width);
  return [first, Math.max(first, Math.min(last, LAST_COLUMN))];
}
