import { LAST_ROW } from '../../files/limits.ts';
import { areaText, type FormulaArea, type FormulaEnd, formulaPieces } from './formula.ts';
import { ALL_STAY, type RowMap } from './row-map.ts';

/** What becomes of a workbook's cells when rows are left out. */
export interface Moves {
  /** By the sheet's name in lower case; sheets whose rows all stay are absent. */
  readonly rows: ReadonlyMap<string, RowMap>;
  /** Defined names and tables, in lower case, that lack rows they had. */
  readonly lost: ReadonlySet<string>;
  /** What other names and tables stand for, in lower case; those that are absent have nothing to do with what moves. */
  readonly names: ReadonlyMap<string, NameSense>;
}

/** What a formula with a name in it takes over from that name. */
export type NameSense = Pick<MovedFormula, 'touched' | 'placed'>;

/** Where a formula stands: its sheet (empty for none), and how it means rows without a `$`. */
interface FormulaPlace {
  readonly sheet: string;
  /**
   * `cell`: as they are written, in a cell. `name`: seen from wherever the name is used, so that they stay. Rows: seen from a rule's
   * first row, which was the first of them and now is the second, both by their old numbers.
   */
  readonly relative: 'cell' | 'name' | readonly [from: number, to: number];
}

/** A formula after rows were left out. */
interface MovedFormula {
  /** With every area at the rows that are left of it, `#REF!` where none is. */
  readonly text: string;
  /** It names cells of a sheet of which rows are left out. */
  readonly touched: boolean;
  /** Some of the cells that it counts on are gone, so that it would come to something else. */
  readonly lost: boolean;
  /** All the cells of one of its areas are. */
  readonly broken: boolean;
  /** It works with places themselves. */
  readonly placed: boolean;
}

/** Functions whose results change when cells move or come to be seen, though the cells are the same. */
const PLACES: ReadonlySet<string> = new Set(
  'ADDRESS AGGREGATE ANCHORARRAY CELL FORMULATEXT GETPIVOTDATA INDIRECT OFFSET ROW SHEET SHEETS SUBTOTAL'.split(
    ' ',
  ),
);
/** Finds all that works with places, in a text in lower case. */
export const PLACE_CALL = new RegExp(`(?:${[...PLACES].join('|').toLowerCase()})\\(`);
/** The part of a table that is the row itself. */
const OWN_ROW = /#This Row|^\[@/i;

/** Brings a formula up to date with the rows that were left out. */
export function moveFormula(formula: string, place: FormulaPlace, moves: Moves): MovedFormula {
  const found = { touched: false, lost: false, broken: false, placed: false };
  const texts = formulaPieces(formula).map((piece) => {
    if (piece.kind === 'area') return moveArea(piece, place, moves, found);
    if (piece.kind === 'call') findCall(piece.text, found);
    // A name may be called, too.
    if (piece.kind === 'call') findName(piece.text, moves, found);
    if (piece.kind === 'name' && !OWN_ROW.test(piece.brackets)) findName(piece.name, moves, found);
    // Cells named by what is worked out at their ends.
    if (piece.text === ':') found.placed = true;
    return piece.text;
  });
  return { text: texts.join(''), ...found };
}

type Found = { -readonly [Said in keyof Omit<MovedFormula, 'text'>]: boolean };

function findCall(text: string, found: Found): void {
  const called = text.replace(/^.*\./, '').toUpperCase();
  if (PLACES.has(called)) found.placed = true;
}

function findName(written: string, { lost, names }: Moves, found: Found): void {
  const name = written.toLowerCase();
  const sense = names.get(name);
  if (lost.has(name)) Object.assign(found, { touched: true, lost: true });
  if (sense?.touched) found.touched = true;
  if (sense?.placed) found.placed = true;
}

function moveArea(area: FormulaArea, place: FormulaPlace, moves: Moves, found: Found): string {
  const { prefix, sheet = place.sheet, ends } = area;
  if (sheet === null) {
    // Several sheets at once: what each of them has there can't be told apart.
    if (severalMove(prefix, moves)) Object.assign(found, { touched: true, lost: true });
    return area.text;
  }
  const rows = moves.rows.get(sheet.toLowerCase());
  const [first, last = first] = ends;
  const seen = typeof place.relative === 'object' ? place.relative : undefined;
  if (first === undefined || last === undefined || (rows === undefined && seen === undefined))
    return area.text;
  if (rows !== undefined) found.touched = true;
  const moved =
    seen === undefined
      ? fixedArea(rows as RowMap, [first, last], place.relative === 'name', found)
      : seenArea(
          rows,
          [first, last],
          seen,
          { own: sheet === place.sheet, home: moves.rows.get(place.sheet.toLowerCase()) },
          found,
        );
  if (moved === undefined) {
    Object.assign(found, { lost: true, broken: true });
    return '#REF!';
  }
  return areaText(prefix, ends.length === 1 ? moved.slice(0, 1) : moved);
}

type Corners = readonly [FormulaEnd, FormulaEnd];

/** Of an area that names its rows. */
function fixedArea(rows: RowMap, [first, last]: Corners, named: boolean, found: Found): Corners | undefined {
  if (named && !(first.fixed || first.row === 0)) {
    found.placed = true;
    return [first, last];
  }
  const [from, to] =
    first.row === 0 ? [1, LAST_ROW] : [Math.min(first.row, last.row), Math.max(first.row, last.row)];
  if (!rows.whole(from, Math.min(to, LAST_ROW))) found.lost = true;
  if (first.row === 0) return [first, last];
  const left = rows.range(from, to);
  return left === undefined
    ? undefined
    : [
        { ...first, row: left[0] },
        { ...last, row: left[1] },
      ];
}

interface Home {
  /** The area is on the rule's own sheet. */
  readonly own: boolean;
  /** The rows of that sheet. */
  readonly home: RowMap | undefined;
}

/** Of an area that is seen from the first row of a rule: rows without a `$` keep their distance to it. */
function seenArea(
  rows: RowMap = ALL_STAY,
  corners: Corners,
  [from, to]: readonly [number, number],
  { own, home = ALL_STAY }: Home,
  found: Found,
): Corners | undefined {
  const [first, last] = corners;
  if (first.row === 0 || (first.fixed && last.fixed))
    return rows.moves ? fixedArea(rows, corners, false, found) : corners;
  // On another sheet the rows beside it are no longer those.
  if (!own && (home.moves || rows.moves)) return undefined;
  const row = home.of(to);
  const ends = corners.map((end): FormulaEnd => {
    if (end.fixed) return { ...end, row: rows.place(end.row) };
    if (end.row !== from && home.moves) found.placed = true;
    return { ...end, row: row + end.row - from };
  });
  const [one, other] = ends;
  if (one === undefined || other === undefined) return undefined;
  return ends.every((end) => end.row >= 1 && end.row <= LAST_ROW) ? [one, other] : undefined;
}

function severalMove(prefix: string, { rows }: Moves): boolean {
  return !prefix.includes('[') && rows.size > 0;
}
