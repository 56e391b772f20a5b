import { type Cell, CIRCULAR, columnLetters, type Row, UNCACHED } from '../core/cell.ts';
import { textCodec } from '../core/codecs/text.ts';
import { INPUT_MARKS, normaliseHeader } from '../core/header.ts';
import { shorten } from '../core/issue.ts';
import type { Locale } from '../core/value.ts';
import { visibleLine } from '../core/visible-text.ts';
import { readOnly } from '../schema/field.ts';
import type { Resource } from '../schema/resource.ts';
import { isBlank } from './map/cell-sense.ts';
import type { SheetProposal } from './map/header-proposals.ts';
import type { HeaderCell, HeaderRow } from './map/header-row.ts';
import { isListed } from './map/listed-columns.ts';
import type { ColumnReadDocument, TopRowDocument } from './sheets-document.ts';

/** Columns that are told of; those that are taken for something always are. */
const MOST_COLUMNS = 300;
/** Values of a column that are told of. */
const SAMPLES = 3;
/** Rows that are told of, and those around the headers. */
const [MOST_ROWS, ROWS_ABOVE, ROWS_BELOW] = [20, 2, 5];

/** A sheet's first rows and header, and what it is taken for. */
interface SheetTop {
  readonly top: readonly Row[];
  readonly header: HeaderRow | undefined;
  readonly resource: Resource | undefined;
  /** What its unknown headers may mean. */
  readonly proposals: readonly SheetProposal[];
  /** Columns of an earlier result. */
  readonly outputColumns: ReadonlySet<number>;
  readonly locale: Locale;
  /** Headers that the user said before are not used, as headers are compared. */
  readonly unused: ReadonlySet<string>;
}

/** A cell as its sheet shows it, on one line and cut short. */
function shownText(cell: Cell, locale: Locale): string {
  const read = textCodec.decode(cell, locale);
  if (read.ok) return shorten(visibleLine(read.value.replace(/\s+/g, ' ')));
  return cell.value === UNCACHED || cell.value === CIRCULAR ? '' : String(cell.value);
}

/** The first rows of a sheet, and those around its header. */
export function topDocuments({
  top,
  header,
  locale,
}: Pick<SheetTop, 'top' | 'header' | 'locale'>): TopRowDocument[] {
  const isNear = (row: number): boolean =>
    header !== undefined && row >= header.firstHeaderRow - ROWS_ABOVE && row <= header.headerRow + ROWS_BELOW;
  return top
    .filter(({ number }, at) => at < MOST_ROWS || isNear(number))
    .map(({ number, cells }) => ({
      row: number,
      cells: cells
        .filter((cell) => cell.column <= MOST_COLUMNS && !isBlank(cell))
        .map((cell) => ({ column: cell.column, text: shownText(cell, locale) })),
    }));
}

/** The columns of a sheet that have a header or a value, and how many more there are. */
export function columnDocuments(sheet: SheetTop): {
  readonly columns: readonly ColumnReadDocument[];
  readonly columnsLeft: number;
} {
  const { header, top, locale } = sheet;
  if (header === undefined) return { columns: [], columnsLeft: 0 };
  const values = new Map<number, string[]>();
  for (const { number, cells } of top) {
    if (number <= header.headerRow) continue;
    for (const cell of cells) {
      if (isBlank(cell)) continue;
      const known = values.get(cell.column) ?? [];
      values.set(cell.column, known);
      if (known.length < SAMPLES) known.push(shownText(cell, locale));
    }
  }
  const headed = new Map(header.headers.map((cell) => [cell.column, cell]));
  const isThere = ({ column, header: text, field, chosen }: HeaderCell): boolean =>
    text.trim() !== '' || field !== undefined || chosen === true || values.has(column);
  const all = [...new Set([...headed.keys(), ...values.keys()])]
    .sort((one, other) => one - other)
    .map((column): HeaderCell => headed.get(column) ?? { column, header: '' })
    .filter(isThere);
  const told = all
    .map((cell) => columnDocument(cell, values.get(cell.column) ?? [], sheet))
    .filter(({ field, proposed }, at) => at < MOST_COLUMNS || field !== null || proposed.length > 0);
  return { columns: told, columnsLeft: all.length - told.length };
}

function columnDocument(
  cell: HeaderCell,
  samples: readonly string[],
  { resource, proposals, outputColumns, unused }: SheetTop,
): ColumnReadDocument {
  const { column } = cell;
  const letters = columnLetters(column);
  const header = visibleLine(cell.header.replace(/\s+/g, ' ').trim());
  const own = { column, letters, header, samples, proposed: [] };
  const isOutput = outputColumns.has(column);
  const isMark = isOutput || INPUT_MARKS.some((mark) => mark === cell.mark);
  const field = cell.field ?? (isMark ? cell.mark : undefined);
  if (field !== undefined) {
    const known = resource?.fields[field];
    const shownOnly = isOutput || (known !== undefined && readOnly(known));
    return { ...own, field, why: whyOf(cell, field), shownOnly };
  }
  if (cell.chosen === true) return { ...own, field: null, why: 'choice', shownOnly: false };
  if (unused.has(normaliseHeader(cell.header)))
    return { ...own, field: null, why: 'remembered', shownOnly: false };
  const proposed = proposals.flatMap(({ columns }) => columns.filter((one) => one.column === letters))[0];
  if (proposed !== undefined) return { ...own, field: proposed.field, why: 'proposed', shownOnly: false };
  const undecided = proposals.flatMap((one) =>
    one.undecided.flatMap(({ headers, fields }) =>
      headers.some((place) => place.column === letters) ? fields : [],
    ),
  );
  const shownOnly = resource !== undefined && isListed(resource, cell.header);
  return { ...own, field: null, why: null, proposed: [...new Set(undecided)], shownOnly };
}

function whyOf({ header, mark, chosen }: HeaderCell, field: string): ColumnReadDocument['why'] {
  if (chosen === true) return 'choice';
  if (mark !== undefined && normaliseHeader(header).startsWith('#')) return 'mark';
  return normaliseHeader(header) === normaliseHeader(field) ? 'exact' : 'remembered';
}
