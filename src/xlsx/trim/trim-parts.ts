import { picturesControl, withoutControls } from './form-controls.ts';
import { type Moves, moveFormula } from './move-formula.ts';
import { rowsOf } from './move-ranges.ts';
import type { RowMap } from './row-map.ts';
import { moveAnchors, trimRef } from './xml-ranges.ts';
import { parsePart, type XmlElement } from './xml-tree.ts';

/** Notes or conversations without those of rows that are left out. Throws DamagedPart. */
function trimComments(bytes: Buffer, rows: RowMap): Buffer {
  const { root, write } = parsePart(bytes);
  const isNote = ({ local }: XmlElement): boolean => local === 'comment' || local === 'threadedComment';
  for (const list of root.all()) list.keep((one) => !isNote(one) || trimRef(one, rows));
  return write();
}

/** A table at the rows that stay of it, without its totals; undefined for one whose headers are left out. Throws DamagedPart. */
export function trimTable(bytes: Buffer, rows: RowMap): Buffer | undefined {
  const { root, write } = parsePart(bytes);
  const range = tableRows(root);
  if (range === undefined) return undefined;
  const { headers, from, to, totals } = range;
  if (headers > 0 && rows.of(from) === 0) return undefined;
  const start = headers > 0 ? rows.of(from) : rows.range(from, to - totals)?.[0];
  if (start === undefined) return undefined;
  const left = rows.range(from + headers, to - totals);
  // A table has a row below its headers, be it an empty one.
  const end = Math.max(left?.[1] ?? 0, start + headers);
  const move = (ref: string): string => ref.replace(/\d+(:\$?[A-Za-z]+\$?)\d+$/, `${start}$1${end}`);
  for (const element of root.all()) {
    if (element !== root && element.local !== 'autoFilter') continue;
    element.set('ref', move(element.attribute('ref') ?? ''));
    if (element.local === 'autoFilter') element.children = [];
  }
  root.keep(({ local }) => local !== 'sortState');
  if (totals > 0) {
    root.set('totalsRowCount', null);
    root.set('totalsRowShown', '0');
  }
  // What a new row of the table would be filled with names cells, not columns.
  for (const column of root.all())
    if (column.local === 'tableColumn')
      column.keep(({ local, text }) => local !== 'calculatedColumnFormula' || !/[A-Z]\$?\d/i.test(text));
  return write();
}

/** What a table is called in formulas, and its rows; undefined where it has no range. */
export interface TableRows {
  readonly name: string;
  readonly headers: number;
  readonly from: number;
  readonly to: number;
  readonly totals: number;
}

/** Reads them from the root of a table part. */
export function tableRows(root: XmlElement): TableRows | undefined {
  const rows = rowsOf(root.attribute('ref') ?? '');
  if (rows === undefined) return undefined;
  const name = root.attribute('displayName') ?? root.attribute('name') ?? '';
  const headers = Number(root.attribute('headerRowCount') ?? 1);
  return { name, headers, from: rows[0], to: rows[1], totals: Number(root.attribute('totalsRowCount') ?? 0) };
}

const CORNERS: ReadonlySet<string> = new Set(['twoCellAnchor', 'oneCellAnchor']);

/** What the parts that hang on a sheet are brought up to date by. */
interface Hung {
  readonly rows: RowMap;
  /** Slicers and timelines are no more. */
  readonly unsliced: boolean;
  /** Of a sheet that had controls: the shapes that are none. */
  readonly others: ReadonlySet<string> | undefined;
}

const SLICERS: ReadonlySet<string> = new Set(['slicer', 'timeslicer']);

/** Charts, of newer kinds in a choice, and what stands for an object that the sheet lists. */
const STAYING: ReadonlySet<string> = new Set(['graphicFrame', 'compatExt']);

/** A drawing whose pictures went with the rows on which they stood, and whose charts moved up. Throws DamagedPart. */
function trimDrawing(bytes: Buffer, { rows, unsliced, others }: Hung): Buffer {
  const { root, write } = parsePart(bytes);
  root.keep((holder) => {
    const inside = [...holder.all()];
    if (others !== undefined && picturesControl(holder, others)) return false;
    if (unsliced && inside.some(({ local }) => SLICERS.has(local))) return false;
    const anchor = inside.find(({ local }) => CORNERS.has(local));
    if (anchor === undefined || inside.some(({ local }) => STAYING.has(local))) return true;
    const [from, to] = ['from', 'to'].map((corner) => anchor.elements(corner)[0]?.elements('row')[0]?.text);
    if (from === undefined) return true;
    return rows.range(Number(from) + 1, Number(to ?? from) + 1) !== undefined;
  });
  moveAnchors(root, rows);
  return write();
}

/** A chart that shows the rows that are left of its cells; undefined where it shows others. Throws DamagedPart. */
export function trimChart(bytes: Buffer, moves: Moves): Buffer | undefined {
  const { root, write } = parsePart(bytes);
  let changed = false;
  for (const element of root.all()) {
    if (element.local !== 'f' || element.elements().length > 0) continue;
    const { text } = element;
    const moved = moveFormula(text, { sheet: '', relative: 'cell' }, moves);
    if (moved.text === text) continue;
    element.text = moved.text;
    changed = true;
  }
  return changed ? write() : undefined;
}

/** The drawing of a sheet's notes, brought up to date. It need not be well-formed: Excel's own is not always. */
function trimShapes(drawing: string, rows: RowMap): string {
  return withoutControls(drawing, (shape) => {
    const row = Number(/<x:Row>\s*(\d+)/.exec(shape)?.[1] ?? Number.NaN);
    const isNote = shape.includes('ObjectType="Note"') && !Number.isNaN(row);
    const number = isNote ? rows.of(row + 1) : 0;
    if (isNote && number === 0) return '';
    return shape
      .replace(/(<x:Row>\s*)\d+/, `$1${number - 1}`)
      .replace(/(<x:Anchor>)([^<]*)/, (_, tag: string, corners: string) => {
        const places = corners.split(',').map(Number);
        const [top = 0, bottom = 0] = [places[2], places[6]];
        // A note keeps its distance to its cell.
        const up = isNote ? row + 1 - number : top + 1 - rows.place(top + 1);
        return `${tag}${places
          .with(2, Math.max(0, top - up))
          .with(6, Math.max(1, bottom - up))
          .join(', ')}`;
      });
  });
}

/** Whether the cells of a pivot table all stay. Throws DamagedPart. */
export function pivotStays(bytes: Buffer, rows: RowMap): boolean {
  const range = rowsOf(parsePart(bytes).root.elements('location')[0]?.attribute('ref') ?? '');
  return range !== undefined && rows.whole(...range);
}

function trimPivot(bytes: Buffer, rows: RowMap): Buffer {
  const { root, write } = parsePart(bytes);
  for (const location of root.elements('location')) trimRef(location, rows);
  return write();
}

/** A part that hangs on a sheet, by the kind of its relationship, brought up to date; undefined where that needs nothing. Throws DamagedPart. */
export function trimRelated(type: string, bytes: Buffer, hung: Hung): Buffer | undefined {
  const { rows } = hung;
  if (type === 'comments' || type === 'threadedComment') return trimComments(bytes, rows);
  if (type === 'table') return trimTable(bytes, rows);
  if (type === 'drawing') return trimDrawing(bytes, hung);
  if (type === 'pivotTable') return trimPivot(bytes, rows);
  // Byte for byte: it may be in any encoding, and what changes is plain.
  return type === 'vmlDrawing'
    ? Buffer.from(trimShapes(bytes.toString('latin1'), rows), 'latin1')
    : undefined;
}
