import { cellAddress, columnLetters } from '../../core/cell.ts';
import type { Language } from '../../core/language.ts';
import { DAY_FORMAT, MOMENT_FORMAT } from '../../core/shown-moment.ts';
import { LAST_ROW } from '../../files/limits.ts';
import { columnRange } from '../excel-text.ts';
import { TEXT_FORMAT, textToSerial } from '../numbers-and-dates.ts';
import {
  cellXml,
  columnXml,
  contentXml,
  FITTED,
  footerXml,
  frozenView,
  textsIn,
  worksheetOpen,
} from '../worksheet-xml.ts';
import { ByteSink, escapeText, escapeXml } from '../xml/xml-write.ts';
import type { SpooledPart } from '../zip/write-zip.ts';
import type { BookStyles } from './book-styles.ts';
import type {
  CellCheck,
  WrittenColumn,
  WrittenList,
  WrittenRow,
  WrittenSheet,
  WrittenValue,
} from './written-book.ts';

/** What a worksheet part is made of. */
interface RowsForm<Row> {
  /** Null for a hidden sheet. */
  readonly table: WrittenSheet | null;
  /** How a hidden sheet is hidden; one for our own use can't be shown if absent. */
  readonly state?: 'hidden';
  /** What stands before the rows to come, asked for once all of them were written. */
  readonly start: () => string;
  /** The number of the last row in it. */
  readonly last: number;
  readonly rowXml: (row: Row, number: number) => string;
  /** What stands behind the last row. */
  readonly end: (last: number) => string;
}

/** Writes a worksheet part, rows as they come. */
export function rowsPart<Row>(spool: SpooledPart, form: RowsForm<Row>) {
  let last = form.last;
  const sink = new ByteSink();

  async function add(rows: readonly Row[]): Promise<void> {
    for (const row of rows) sink.text(form.rowXml(row, ++last));
    await spool.write(sink.take());
  }

  async function finish(): Promise<void> {
    sink.text(form.end(last));
    await spool.write(sink.take(true));
    spool.putFirst(Buffer.from(form.start()));
  }

  return {
    ...{ spool, chart: null, add, finish },
    state: form.table === null ? (form.state ?? ('veryHidden' as const)) : null,
    /** The number of the last row. */
    get last() {
      return last;
    },
    get table() {
      return form.table && { ...form.table, lastRow: last };
    },
  };
}

const MARGINS = '<pageMargins left="0.4" right="0.4" top="0.7" bottom="0.6" header="0.3" footer="0.3"/>';
const HEADER_HEIGHT = 30;
/** The relationship of the sheet; see `bookParts`. */
const TABLE = '<tableParts count="1"><tablePart r:id="rId1"/></tableParts>';

/** A table below a frozen header. */
export function tableForm(table: WrittenSheet, styles: BookStyles, language: Language): RowsForm<WrittenRow> {
  const { columns, fitted = false, keyInSight = false, least } = table;
  const sheet = least === undefined && !fitted ? '' : FITTED;
  /** Whether a column holds a value so far. */
  const filled = columns.map(() => false);
  const headers = columns.map(({ header, role }, at) =>
    cellXml(cellAddress(at + 1, 1), styles.cell(TEXT_FORMAT, role), header),
  );
  // With nothing to see, all is seen.
  const hiddenColumns = (): boolean[] =>
    columns.map(
      ({ role, folded }, at) =>
        filled.includes(true) &&
        (folded === true || (filled[at] === false && (role === 'shown' || (fitted && role === 'optional')))),
    );
  const start = (): string => {
    const hidden = hiddenColumns();
    const grouped = hidden.includes(true);
    const frozen = frozenView(1, '', keyInSight ? 1 : 0);
    const view = grouped ? frozen.replace('<sheetFormatPr', '<sheetFormatPr outlineLevelCol="1"') : frozen;
    const cols = columnsXml(columns, styles, grouped ? hidden : []);
    const first = `<row r="1" ht="${HEADER_HEIGHT}" customHeight="1">${headers.join('')}</row>`;
    return `${worksheetOpen()}${sheet}${view}${cols}<sheetData>${first}`;
  };
  const printed = `${MARGINS}<pageSetup paperSize="9" orientation="landscape" fitToHeight="0"/>${footerXml(table.name)}`;
  const texts = columns.flatMap(({ format }, at) => (format === TEXT_FORMAT ? [columnLetters(at + 1)] : []));
  const end = (last: number): string => {
    const ranges = last === 1 ? [] : texts.map((letters) => `${letters}2:${letters}${last}`);
    return `</sheetData>${checksXml(columns, last)}${printed}${textsIn(ranges)}${TABLE}</worksheet>`;
  };
  return { table, start, last: 1, rowXml: tableRow(columns, styles, language, filled), end };
}

/** The columns; those in `hidden` in groups that open, with a sign above the column behind. */
function columnsXml(
  columns: readonly WrittenColumn[],
  styles: BookStyles,
  hidden: readonly boolean[],
): string {
  const cols = columns.map(({ width, format, wraps }, at) => {
    const group = hidden[at] === true ? ' hidden="1" outlineLevel="1"' : '';
    const behind = hidden[at - 1] === true && group === '' ? ' collapsed="1"' : '';
    const style = styles.cell(format, wraps === true ? 'wrapped' : null);
    return columnXml(at + 1, width, style).replace('/>', `${group}${behind}/>`);
  });
  const next = columns.length + 1;
  if (hidden.at(-1) === true) cols.push(`<col min="${next}" max="${next}" width="9" collapsed="1"/>`);
  return `<cols>${cols.join('')}</cols>`;
}

const styleMark = (style: number): string => ` s="${style}"`;

/** Writes the rows of a table and notes which columns are `filled`; what is the same in each is made once. */
function tableRow(
  columns: readonly WrittenColumn[],
  styles: BookStyles,
  language: Language,
  filled: boolean[],
): RowsForm<WrittenRow>['rowXml'] {
  const starts = columns.map((_, at) => `<c r="${columnLetters(at + 1)}`);
  const marks = columns.map(({ format }) => styleMark(styles.cell(format)));
  const [text, day, moment] = [TEXT_FORMAT, DAY_FORMAT[language], MOMENT_FORMAT[language]].map((format) =>
    styleMark(styles.cell(format)),
  );
  return (row, number) => {
    let xml = `<row r="${number}">`;
    for (let at = 0; at < row.length; at++) {
      const value = row[at] as WrittenValue;
      if (value === null || value === '') continue;
      filled[at] = true;
      const shown = typeof value === 'object' ? (textToSerial(value.date) ?? value.date) : value;
      let mark = marks[at];
      // Texts always have their own format: programs then make no number or date of one.
      if (typeof shown !== 'boolean' && !Number.isFinite(shown)) mark = text;
      else if (typeof value === 'object') mark = value.date.includes(' ') ? moment : day;
      xml += `${starts[at]}${number}"${mark}${contentXml(shown)}`;
    }
    return `${xml}</row>`;
  };
}

/** Rows with checks, also below the last one. */
const CHECKED_ROWS = 10_000;
/** The longest messages in Excel, in characters. */
const LONGEST = { title: 32, prompt: 255, error: 225 } as const;

/** What is said of each header that is selected, and the checks of the cells below. */
function checksXml(columns: readonly WrittenColumn[], last: number): string {
  const until = Math.min(LAST_ROW, Math.max(last, CHECKED_ROWS + 1));
  const checks = columns.flatMap(({ header, note, check }, at) => {
    const letters = columnLetters(at + 1);
    const said = checkXml(header, { ...SAID, prompt: note.join('\n') }, `${letters}1`);
    const own = check?.() ?? null;
    return own === null ? [said] : [said, checkXml(header, own, `${letters}2:${letters}${until}`)];
  });
  return `<dataValidations count="${checks.length}">${checks.join('')}</dataValidations>`;
}

/** What a header takes: it only says what it means. */
const SAID = { type: 'any', style: 'warning', error: '' } as const;

const LARGEST = 999_999_999_999;
const AT_LEAST = ' operator="greaterThanOrEqual"';

/** The attributes of checks, and their formulas. */
const CHECKS: Readonly<
  Record<CellCheck['type'], readonly [attributes: string, ...formulas: readonly unknown[]]>
> = {
  any: [''],
  list: [' type="list"'],
  whole: [` type="whole"${AT_LEAST}`, 0],
  decimal: [' type="decimal"', -LARGEST, LARGEST],
  // From 1900-03-01 on.
  date: [` type="date"${AT_LEAST}`, 61],
  // A day may precede the time.
  time: [` type="decimal"${AT_LEAST}`, 0],
};

/** A check of cells; blank ones always pass. */
function checkXml(
  header: string,
  { type, list = [], style, prompt, error }: CellCheck,
  cells: string,
): string {
  const [attributes, ...formulas] = CHECKS[type];
  // A short list stands in the formula, a longer one has a name.
  if (type === 'list') formulas.push('name' in list ? list.name : `"${list.join(',')}"`);
  const title = clipped(header, LONGEST.title);
  const refusal = ` errorStyle="${style}" showErrorMessage="1" errorTitle="${title}" error="${clipped(error, LONGEST.error)}"`;
  const message = ` showInputMessage="1" promptTitle="${title}" prompt="${clipped(prompt ?? '', LONGEST.prompt)}"`;
  return [
    `<dataValidation allowBlank="1"${attributes}${type === 'any' ? '' : refusal}${prompt === undefined ? '' : message} sqref="${cells}">`,
    ...formulas.map((formula, at) => `<formula${at + 1}>${escapeText(String(formula))}</formula${at + 1}>`),
    '</dataValidation>',
  ].join('');
}

const clipped = (text: string, longest: number): string =>
  escapeXml(text.length <= longest ? text : `${text.slice(0, longest - 1)}…`);

/** Lists to choose from, a column each, on a sheet that people may show. */
export function listsForm(lists: readonly WrittenList[]): RowsForm<readonly string[]> {
  const most = Math.max(...lists.map(({ values }) => values.length));
  const rows = Array.from({ length: most }, (_, at) => lists.map(({ values }) => values[at] ?? ''));
  return { ...textsForm([lists.map(({ title }) => title), ...rows]), state: 'hidden' };
}

/** The defined names of the lists on a sheet. */
export const listNames = (sheet: string, lists: readonly WrittenList[]): string[] =>
  lists.map(
    ({ name, values }, at) =>
      `<definedName name="${name}">${escapeXml(columnRange(sheet, at + 1, values.length))}</definedName>`,
  );

/** Texts for our own use, below those of `head`. */
export function textsForm(head: readonly (readonly string[])[]): RowsForm<readonly string[]> {
  const start = (): string =>
    `${worksheetOpen()}<sheetData>${head.map((row, at) => textsRow(row, at + 1)).join('')}`;
  const end = (): string => '</sheetData></worksheet>';
  return { table: null, start, last: head.length, rowXml: textsRow, end };
}

function textsRow(row: readonly string[], number: number): string {
  let xml = `<row r="${number}">`;
  for (let at = 0; at < row.length; at++)
    if (row[at] !== '') xml += cellXml(cellAddress(at + 1, number), 0, row[at] as string);
  return `${xml}</row>`;
}
