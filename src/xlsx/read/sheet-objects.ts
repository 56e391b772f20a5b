import { LAST_COLUMN, MOST } from '../../files/limits.ts';
import { addRange, type ColumnRange, rangeColumns, type SheetLayout } from '../../files/sheet.ts';
import { Counter, DamagedPart } from '../damage.ts';
import { CLOSE, nameCode, OPEN, TEXT, type XmlScanner } from '../xml/xml-scanner.ts';
import { attributeValue, tokenText } from '../xml/xml-text.ts';
import type { ZipEntry } from '../zip/read-zip.ts';
import { findPart, ownRelationships, scanElements, scanPart, type WorkbookPackage } from './package.ts';

/** The element with the range of a table or pivot table. */
const PLACED: Readonly<Record<string, string>> = { table: 'table', pivotTable: 'location' };

/** The drawings and controls of a sheet, and the columns of its tables and pivot tables. */
interface SheetParts {
  readonly drawings: readonly { readonly entry: ZipEntry; readonly type: string }[];
  readonly placed: readonly ColumnRange[];
}

/** The parts of a sheet; the totals rows of its tables are noted in a layout. Skips damaged ones. */
export async function noteTables(
  source: WorkbookPackage,
  part: string,
  layout: SheetLayout,
): Promise<SheetParts> {
  const drawings: SheetParts['drawings'][number][] = [];
  const placed: ColumnRange[] = [];
  await unlessDamaged(async () => {
    for (const { target, type } of await ownRelationships(source, part)) {
      const entry = findPart(source, target);
      if (entry === undefined) continue;
      if (type in PLACED) await unlessDamaged(() => noteTable(source, entry, type, layout, placed));
      else drawings.push({ entry, type });
    }
  });
  return { drawings, placed };
}

/** Adds the columns of a sheet's parts to a layout, once its rows were read; skips damaged parts. */
export async function noteParts(
  source: WorkbookPackage,
  { drawings, placed }: SheetParts,
  layout: SheetLayout,
): Promise<void> {
  for (const range of placed) addRange(layout.taken, ...range);
  const drawn: ColumnRange[] = [];
  for (const { entry, type } of drawings)
    await unlessDamaged(async () => {
      for (const range of await columnsIn(source, entry, type)) addRange(drawn, ...range);
    });
  layout.drawn = drawn;
}

async function noteTable(
  source: WorkbookPackage,
  entry: ZipEntry,
  type: string,
  layout: SheetLayout,
  placed: ColumnRange[],
): Promise<void> {
  let isKnown = false;
  await scanElements(source, entry, PLACED[type] ?? '', (scanner) => {
    const ref = attributeValue(scanner, 'ref') ?? '';
    const columns = rangeColumns(ref);
    // A part has one.
    if (isKnown || columns === undefined) return;
    isKnown = true;
    placed.push(columns);
    const count = Number(attributeValue(scanner, 'totalsRowCount') ?? 0);
    const row = Number(/(\d+)$/.exec(ref)?.[1] ?? 0);
    if (type === 'table' && count === 1 && layout.totals.length < MOST_TOTALS)
      layout.totals = [...layout.totals, { row, columns }];
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

async function columnsIn(
  source: WorkbookPackage,
  entry: ZipEntry,
  type: string,
): Promise<readonly ColumnRange[]> {
  if (type === 'drawing') return await drawnColumns(source, entry);
  return [];
}

const ANCHORS: ReadonlySet<number> = new Set(
  ['twoCellAnchor', 'oneCellAnchor', 'absoluteAnchor'].map(nameCode),
);
/** What an anchor names: its sides, with column from 0 and offset in EMU, or its size and position. */
const NAMES = new Map(['from', 'to', 'col', 'colOff', 'ext', 'pos'].map((name) => [nameCode(name), name]));

/** The numbers of an anchor by names, such as `from col`. */
type Anchor = Map<string, number>;

/** The columns under each chart, picture and shape of a drawing part. Throws DamagedPart. */
async function drawnColumns(source: WorkbookPackage, entry: ZipEntry): Promise<ColumnRange[]> {
  const count = new Counter(MOST.drawings, 'drawings', 'tekeningen');
  const found: ColumnRange[] = [];
  let anchor: Anchor = new Map();
  /** That of the open anchor, 0 for none. */
  let depth = 0;
  await scanPart(source, entry, (scanner, token) => {
    if (token === OPEN && ANCHORS.has(scanner.code) && !scanner.selfClosing) {
      count.add();
      depth = scanner.depth;
      anchor = new Map();
    } else if (depth === 0) return;
    else if (token === OPEN && scanner.level === depth + 1) noteSize(anchor, scanner);
    else if (token === TEXT && scanner.depth === depth + 2) {
      const names = [scanner.inside(1), scanner.inside()].map((code) => NAMES.get(code));
      anchor.set(names.join(' '), units(tokenText(scanner, false)));
    } else if (token === CLOSE && scanner.depth < depth) {
      found.push(columnsOf(anchor));
      depth = 0;
    }
  });
  return found;
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
function columnsOf(anchor: Anchor): ColumnRange {
  const of = (name: string): number => anchor.get(name) ?? 0;
  const start = of('from col') + 1;
  if (!anchor.has('to col') && !anchor.has('to colOff'))
    return kept(start, of('from col') + Math.ceil((of('from colOff') + of('size')) / STANDARD));
  return kept(start, endColumn(of('to col'), of('to colOff')));
}

/** The last column of a drawing that ends so far into a column from 0: one at its start is not in it. */
const endColumn = (column: number, offset: number): number => column + (offset > 0 ? 1 : 0);

/** A range within the columns of a sheet. */
function kept(from: number, to: number): ColumnRange {
  const first = Math.min(from, LAST_COLUMN);
  return [first, Math.max(first, Math.min(to, LAST_COLUMN))];
}
