import { type Cell, CIRCULAR, columnLetters, type Row, UNCACHED } from '../core/cell.ts';
import { textCodec } from '../core/codecs/text.ts';
import { INPUT_MARKS, type InputMark, normaliseHeader } from '../core/header.ts';
import { shorten } from '../core/issue.ts';
import { type Bilingual, type Language, onPage, t } from '../core/language.ts';
import type { Locale } from '../core/value.ts';
import { visibleLine } from '../core/visible-text.ts';
import type { Context } from '../run/context.ts';
import { readOnly } from '../schema/field.ts';
import { kindWords, type Resource } from '../schema/resource.ts';
import type { Workbook } from '../workbook/read-workbook.ts';
import { isBlank } from './map/cell-sense.ts';
import {
  anyHeader,
  fieldOf,
  type HeaderCell,
  type HeaderRow,
  isFilled,
  isRead,
  shownHeader,
  topRows,
} from './map/find-header.ts';
import { isNamed, UNUSED } from './map/header-names.ts';
import { isListed } from './map/listed-columns.ts';
import { type RecognisedSheet, type RecogniseOptions, recogniseSheets } from './map/recognise.ts';
import { resourcesOf } from './map/sheet-by-headers.ts';
import { choiceFor, type SheetChoice } from './map/sheet-choices.ts';
import { type FileToRead, openFile } from './open-file.ts';
import type {
  ColumnReadDocument,
  FieldDocument,
  SheetKindDocument,
  SheetReadDocument,
  SheetsDocument,
  TopRowDocument,
} from './sheets-document.ts';

/** A file to look into, and how its user says that it is read. */
interface SheetsToRead extends FileToRead, Pick<RecogniseOptions, 'only' | 'set' | 'choices'> {
  readonly locale: Locale;
  readonly language: Language;
}

/** How sheets are looked into. */
interface Reading extends RecogniseOptions {
  readonly locale: Locale;
  readonly language: Language;
}

/**
 * What an import of a file would take its sheets and columns for. Only the top of each sheet is read; nothing
 * is planned, and the service is asked nothing. Throws StopError with EXIT.file for what can't be read, with
 * EXIT.usage for options and choices that name what is not there.
 */
export async function readSheets(context: Context, request: SheetsToRead): Promise<SheetsDocument> {
  const { workbook, headers, given } = await openFile(context, request);
  const { as, only, set, choices, locale, language } = request;
  const resources = resourcesOf(context, request.command);
  const reading: Reading = {
    ...{ as, only, set, choices, locale, language, resources, known: context.resources },
    ...{ names: headers.names, columns: given?.columns },
    headerRow: given?.headerRow ?? request.headerRow,
  };
  const sheets: SheetReadDocument[] = [];
  for (const entry of await recogniseSheets(workbook, reading))
    sheets.push(
      entry.kind === 'skip' && entry.own === true ? ownSheet(entry) : await readSheet(entry, reading),
    );
  return {
    ...{ file: request.file, format: workbook.format },
    delimiter: workbook.delimiter ?? null,
    encoding: workbook.encoding ?? null,
    sample: workbook.sample ?? null,
    exact: isExact(sheets, resources, workbook),
    sheets,
    resources: resources.map((resource) => kindDocument(resource, language)),
    marks: INPUT_MARKS.map((name) => ({ name, help: MARKS[name][language] })),
  };
}

const NOTHING_READ = {
  ...{ resource: null, resourceWhy: null, mayBe: [], serves: null, next: null, accept: null },
  ...{ headerRow: null, firstHeaderRow: null, above: [], rows: null, missing: [] },
  ...{ top: [], columns: [], columnsLeft: 0 },
} as const;

const ownSheet = ({ sheet }: RecognisedSheet): SheetReadDocument => ({
  ...{ sheet: sheet.name, hidden: sheet.hidden, own: true, kind: 'skip', reason: null },
  ...NOTHING_READ,
});

async function readSheet(entry: RecognisedSheet, reading: Reading): Promise<SheetReadDocument> {
  const { sheet, kind } = entry;
  const { language, locale, choices } = reading;
  const choice = choiceFor(sheet.name, choices);
  const headerRow = choice?.headerRow ?? reading.headerRow;
  const { top, whole } = await topRows(sheet, headerRow);
  const { resource, header = anyHeader(top, undefined, { ...reading, headerRow }) } =
    entry.kind === 'import' ? { resource: entry.mapping.resource, header: entry.mapping } : entry;
  const resourceWhy = whyTaken(entry, resource, choice, reading);
  const outputColumns = entry.kind === 'import' ? entry.mapping.outputColumns : NO_COLUMNS;
  const seen = { top, header, resource, proposal: entry.proposal, outputColumns, locale };
  const columns = columnDocuments(seen);
  const isRecord = (row: number): boolean => row > (header?.headerRow ?? 0);
  return {
    ...{ sheet: sheet.name, hidden: sheet.hidden, own: false, kind },
    ...{ resource: resource?.name ?? null, resourceWhy },
    mayBe: entry.kind === 'import' ? [] : (entry.mayBe ?? []).map(({ name }) => name),
    serves: entry.kind === 'import' ? null : (entry.serves ?? null),
    reason: said(entry.kind === 'import' ? undefined : entry.reason, language),
    next: said(nextOf(entry, top.length > 0), language),
    headerRow: header?.headerRow ?? null,
    firstHeaderRow: header?.firstHeaderRow ?? null,
    above: entry.kind === 'import' ? entry.above : [],
    rows: whole ? top.filter(({ number }) => isRecord(number)).length : null,
    top: topDocuments(seen),
    ...columns,
    missing: resource === undefined ? [] : missingIn(resource, columns.columns, reading),
    accept: acceptOf(sheet.name, choice, resourceWhy === 'proposed' ? resource : undefined, columns.columns),
  };
}

/** A text for whoever chooses on a page. */
const said = (text: Bilingual | undefined, language: Language): string | null =>
  text === undefined ? null : onPage(text)[language];

const NO_COLUMNS: ReadonlySet<number> = new Set();

/** What tells what a sheet holds, or may hold. */
function whyTaken(
  { sheet, kind }: RecognisedSheet,
  resource: Resource | undefined,
  choice: SheetChoice | undefined,
  { as }: Reading,
): SheetReadDocument['resourceWhy'] {
  if (choice?.as !== undefined || (as !== undefined && resource === as)) return 'choice';
  if (resource === undefined) return null;
  if (kind === 'skip') return 'proposed';
  return isNamed(resource, sheet.name) ? 'name' : 'headers';
}

function nextOf(entry: RecognisedSheet, holds: boolean): Bilingual | undefined {
  if (entry.kind === 'import' || !holds || entry.serves !== undefined) return undefined;
  if (entry.kind === 'skip') return SAY_WHAT;
  return entry.header === undefined ? undefined : SAY_COLUMNS;
}

const SAY_WHAT = t('To import it, say what it holds.', 'Zeg wat erop staat om het te importeren.');
const SAY_COLUMNS = t(
  'Say which row holds the headers, and what each column is.',
  'Zeg in welke rij de koppen staan, en wat elke kolom is.',
);

/** Whether a row can't do without a field: a new one, or any where records can't be created. */
function isNeeded({ fields }: Resource, name: string): boolean {
  const isCreated = Object.values(fields).some(({ create }) => create === 'required');
  return fields[name]?.[isCreated ? 'create' : 'update'] === 'required';
}

function missingIn(
  resource: Resource,
  columns: readonly ColumnReadDocument[],
  { set }: Pick<Reading, 'set'>,
): string[] {
  const { fields } = resource;
  const there = [...columns, ...set].flatMap(({ field }) => field ?? []);
  const given = new Set(there.flatMap((field) => [field, fields[field]?.refers?.sets]));
  return Object.keys(fields).filter((field) => isNeeded(resource, field) && !given.has(field));
}

/** The choice that accepts what is proposed of a sheet: its resource, its columns, or both. */
function acceptOf(
  sheet: string,
  choice: SheetChoice | undefined,
  proposed: Resource | undefined,
  columns: readonly ColumnReadDocument[],
): SheetChoice | null {
  const taken = columns.flatMap(({ column, field, why }) => (why === 'proposed' ? [{ column, field }] : []));
  if (proposed === undefined && taken.length === 0) return null;
  const all = [...(choice?.columns ?? []), ...taken];
  return {
    ...(choice ?? { sheet }),
    ...(proposed === undefined ? {} : { as: proposed.name }),
    ...(all.length === 0 ? {} : { columns: all }),
  };
}

/** Whether nothing of a file is left for its user to decide. */
function isExact(
  sheets: readonly SheetReadDocument[],
  resources: readonly Resource[],
  { encoding, sample }: Workbook,
): boolean {
  const isGuess = encoding !== undefined && encoding !== 'utf-8' && sample !== undefined;
  const isSettled = (sheet: SheetReadDocument): boolean =>
    isSettledAs(
      sheet,
      resources.find(({ name }) => name === sheet.resource),
    );
  return !isGuess && sheets.every(isSettled) && sheets.some(({ kind }) => kind === 'import');
}

function isSettledAs(sheet: SheetReadDocument, taken: Resource | undefined): boolean {
  const { own, kind, resource, mayBe, above, missing, columns } = sheet;
  if (own) return true;
  if (kind !== 'import') return kind === 'skip' && resource === null && mayBe.length === 0;
  return (
    above.length === 0 &&
    (missing.length === 0 || (taken !== undefined && namesRecords(taken, columns))) &&
    columns.every(({ field, why, proposed, shownOnly, samples }) => {
      if (why === 'proposed' || proposed.length > 0) return false;
      return field !== null || why !== null || shownOnly || samples.length === 0;
    })
  );
}

/** Whether rows tell by the service's own id that their record is there: then it is no new one. */
function namesRecords(resource: Resource, columns: readonly ColumnReadDocument[]): boolean {
  const id = 'id' in resource && 'external' in resource ? resource.id : undefined;
  return columns.some(({ field, samples }) => field === id && samples.length > 0);
}

function kindDocument(resource: Resource, language: Language): SheetKindDocument {
  const { name, sheet, fields } = resource;
  const told = Object.entries(fields).map(
    ([field, one]): FieldDocument => ({
      ...{ name: field, help: one.help[language] },
      ...{ required: isNeeded(resource, field), sent: !readOnly(one) },
    }),
  );
  return { name, sheet, words: kindWords(resource)[language], fields: told };
}

const MARKS: Readonly<Record<InputMark, Bilingual>> = {
  '#action': t(
    'What is to be done with the row: create, update, delete or skip; empty for what is needed',
    'Wat er met de rij moet gebeuren: create, update, delete of skip; leeg voor wat nodig is',
  ),
  '#key': t('A reference of your own for the row', 'Een eigen kenmerk van de rij'),
};

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
  readonly proposal: RecognisedSheet['proposal'];
  /** Columns of an earlier result. */
  readonly outputColumns: ReadonlySet<number>;
  readonly locale: Locale;
}

/** A cell as its sheet shows it, on one line and cut short. */
function shownText(cell: Cell, locale: Locale): string {
  const read = textCodec.decode(cell, locale);
  if (read.ok) return shorten(visibleLine(read.value.replace(/\s+/g, ' ')));
  return cell.value === UNCACHED || cell.value === CIRCULAR ? '' : String(cell.value);
}

/** The first rows of a sheet, and those around its header. */
function topDocuments({
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
function columnDocuments(sheet: SheetTop): {
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
  const isThere = (cell: HeaderCell): boolean =>
    isFilled(cell) || cell.name !== undefined || values.has(cell.column);
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
  { resource, proposal, outputColumns }: SheetTop,
): ColumnReadDocument {
  const { column, name } = cell;
  const letters = columnLetters(column);
  const own = { column, letters, header: visibleLine(shownHeader(cell)), samples, proposed: [] };
  const isOutput = outputColumns.has(column);
  if (name !== undefined && (isOutput || isRead(cell))) {
    const known = resource?.fields[name];
    const shownOnly = isOutput || (known !== undefined && readOnly(known));
    return { ...own, field: name, why: whyOf(cell, name), shownOnly };
  }
  if (name === UNUSED)
    return { ...own, field: null, why: cell.chosen === true ? 'choice' : 'remembered', shownOnly: false };
  const { fields = [], isOpen = true } = proposal?.columns.find((one) => one.column === letters) ?? {};
  if (!isOpen) return { ...own, field: fields[0] ?? null, why: 'proposed', shownOnly: false };
  const shownOnly = resource !== undefined && isListed(resource, cell.header);
  return { ...own, field: null, why: null, proposed: fields, shownOnly };
}

function whyOf(cell: HeaderCell, name: string): ColumnReadDocument['why'] {
  if (cell.chosen === true) return 'choice';
  const header = normaliseHeader(cell.header);
  if (fieldOf(cell) === undefined && header.startsWith('#')) return 'mark';
  return header === normaliseHeader(name) ? 'exact' : 'remembered';
}
