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
import { findPart, keptChunks, readRelationships, scanPart, type WorkbookPackage } from './package.ts';

const REF = nameCode('ref');
/** The element with the range of a table or pivot table. */
const PLACED: Readonly<Record<string, number>> = {
  table: nameCode('table'),
  pivotTable: nameCode('location'),
};

/** Adds the columns of tables, pivot tables, drawings and controls to a layout; skips damaged parts. */
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

/** Starts the data of a shape in a VML drawing. */
const SHAPE = /<(?:\w+:)?ClientData\b/;
const NOTE = /^[^>]*ObjectType\s*=\s*["']Note["']/;
/** Left column and offset, top row and offset, right column and offset, … */
const ANCHOR = /<(?:\w+:)?Anchor>\s*(\d{1,5})\s*,[^,<]*,[^,<]*,[^,<]*,\s*(\d{1,5})\s*,\s*(\d{1,6})/;

/** Columns under buttons, lists and check boxes, not notes. VML need not be well-formed. */
async function controlColumns(source: WorkbookPackage, entry: ZipEntry): Promise<ColumnRange[]> {
  const chunks: Buffer[] = [];
  for await (const chunk of keptChunks(source, entry)) chunks.push(chunk);
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

/** A side of a drawing: its column from 0, and the offset in it in EMU. */
interface Side {
  column: number;
  offset: number;
}

/** The anchor of a drawing, as far as it was read. */
interface Anchor {
  readonly depth: number;
  readonly from: Side;
  readonly to: Side;
  ends: boolean;
  width: number;
}

/** The columns under each chart, picture and shape of a drawing part. Throws DamagedPart. */
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

/** Reads size and position of an anchor with one cell or none. */
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
  // A side at the start of a column is not in it.
  const last = ends ? to.column + (to.offset > 0 ? 1 : 0) : columnAt(widths, first, from.offset + width);
  return [first, Math.max(first, Math.min(last, LAST_COLUMN))];
}
