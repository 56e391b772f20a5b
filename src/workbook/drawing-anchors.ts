import { type ColumnWidths, columnAt } from './column-edges.ts';
import type { ColumnRange } from './column-ranges.ts';
import { LAST_COLUMN } from './limits.ts';
import { type Package, scanPart } from './package.ts';
import { CLOSE, nameCode, OPEN, TEXT, type XmlScanner } from './xml-scanner.ts';
import { attributeValue, tokenText } from './xml-text.ts';
import type { ZipEntry } from './zip-directory.ts';

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
export async function drawnColumns(
  source: Package,
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
