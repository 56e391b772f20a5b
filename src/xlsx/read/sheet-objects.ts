import { LAST_COLUMN, MOST } from '../../files/limits.ts';
import { cellRange, type SheetLayout } from '../../files/sheet.ts';
import { counter, DamagedPart } from '../damage.ts';
import {
  attributeValue,
  CLOSE,
  nameCode,
  OPEN,
  TEXT,
  tokenText,
  type XmlScanner,
} from '../xml/xml-scanner.ts';
import type { ZipEntry } from '../zip/read-zip.ts';
import { findPart, ownRelationships, scanElements, scanPart, type WorkbookPackage } from './package.ts';

/** The element with the range of a table or pivot table. */
const PLACED: Readonly<Record<string, string>> = { table: 'table', pivotTable: 'location' };

/** The drawings of a sheet, and the last column of its tables and pivot tables. */
interface SheetParts {
  readonly drawings: readonly ZipEntry[];
  readonly lastPlaced: number;
}

/** The parts of a sheet; the totals rows of its tables are noted in a layout. Skips damaged ones. */
export async function noteTables(
  source: WorkbookPackage,
  part: string,
  layout: SheetLayout,
): Promise<SheetParts> {
  const drawings: ZipEntry[] = [];
  let lastPlaced = 0;
  const note = (last: number): void => {
    lastPlaced = Math.max(lastPlaced, last);
  };
  await unlessDamaged(async () => {
    for (const { target, type } of await ownRelationships(source, part)) {
      const entry = findPart(source, target);
      if (entry === undefined) continue;
      if (type in PLACED) await unlessDamaged(() => noteTable(source, entry, type, layout, note));
      else if (type === 'drawing') drawings.push(entry);
    }
  });
  return { drawings, lastPlaced };
}

/** Notes in a layout how far a sheet's parts reach, once its rows were read; skips damaged ones. */
export async function noteParts(
  source: WorkbookPackage,
  { drawings, lastPlaced }: SheetParts,
  layout: SheetLayout,
): Promise<void> {
  layout.lastTaken = Math.max(layout.lastTaken, lastPlaced);
  for (const entry of drawings)
    await unlessDamaged(async () => {
      layout.lastDrawn = Math.max(layout.lastDrawn, await lastDrawn(source, entry));
    });
}

async function noteTable(
  source: WorkbookPackage,
  entry: ZipEntry,
  type: string,
  layout: SheetLayout,
  note: (last: number) => void,
): Promise<void> {
  let isKnown = false;
  await scanElements(source, entry, PLACED[type] ?? '', (scanner) => {
    const range = cellRange(attributeValue(scanner, 'ref'));
    // A part has one.
    if (isKnown || range === undefined) return;
    isKnown = true;
    note(range.right);
    const count = Number(attributeValue(scanner, 'totalsRowCount') ?? 0);
    if (type === 'table' && count === 1 && layout.totals.length < MOST_TOTALS)
      layout.totals = [...layout.totals, range];
  });
}

/** Tables with a totals row that are kept: people have a few. */
const MOST_TOTALS = 200;

async function unlessDamaged(look: () => Promise<void>): Promise<void> {
  try {
    await look();
  } catch (cause) {
    if (!(cause instanceof DamagedPart)) throw cause;
  }
}

const ANCHORS: ReadonlySet<number> = new Set(
  ['twoCellAnchor', 'oneCellAnchor', 'absoluteAnchor'].map(nameCode),
);
/** What an anchor names: its sides, with column from 0 and offset in EMU, or its size and position. */
const NAMES = new Map(['from', 'to', 'col', 'colOff', 'ext', 'pos'].map((name) => [nameCode(name), name]));

/** The numbers of an anchor by names, such as `from col`. */
type Anchor = Map<string, number>;

/** The last column under a chart, picture or shape of a drawing part, 0 for none. Throws DamagedPart. */
async function lastDrawn(source: WorkbookPackage, entry: ZipEntry): Promise<number> {
  const count = counter(MOST.drawings, 'drawings', 'tekeningen');
  let last = 0;
  let anchor: Anchor = new Map();
  /** That of the open anchor, 0 for none. */
  let depth = 0;
  await scanPart(source, entry, (scanner, token) => {
    if (token === OPEN && ANCHORS.has(scanner.code) && !scanner.selfClosing) {
      count();
      depth = scanner.depth;
      anchor = new Map();
    } else if (depth === 0) return;
    else if (token === OPEN && scanner.level === depth + 1) noteSize(anchor, scanner);
    else if (token === TEXT && scanner.depth === depth + 2) {
      const names = [scanner.inside(1), scanner.inside()].map((code) => NAMES.get(code));
      anchor.set(names.join(' '), units(tokenText(scanner, false)));
    } else if (token === CLOSE && scanner.depth < depth) {
      last = Math.max(last, lastOf(anchor));
      depth = 0;
    }
  });
  return last;
}

/** Reads size and position of an anchor with one cell or none. */
function noteSize(anchor: Anchor, scanner: XmlScanner): void {
  const name = NAMES.get(scanner.code);
  if (name === 'ext') anchor.set('size', units(attributeValue(scanner, 'cx')));
  if (name === 'pos') anchor.set('from colOff', units(attributeValue(scanner, 'x')));
}

const units = (text: string | undefined): number => Math.max(0, Number(text ?? 0) || 0);

/** The standard width of a column, 64 pixels, in EMU. */
const STANDARD = 64 * 9525;

/** One that says no more than its size is taken to stand over columns of the standard width. */
function lastOf(anchor: Anchor): number {
  const of = (name: string): number => anchor.get(name) ?? 0;
  const isSized = !anchor.has('to col') && !anchor.has('to colOff');
  const last = isSized
    ? Math.max(of('from col') + 1, of('from col') + Math.ceil((of('from colOff') + of('size')) / STANDARD))
    : // One that ends at the start of a column is not in it.
      of('to col') + (of('to colOff') > 0 ? 1 : 0);
  return Math.min(last, LAST_COLUMN);
}
