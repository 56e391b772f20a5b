import { columnLetters, type Row } from '../core/cell.ts';
import { cellText } from '../core/codec.ts';
import { textCodec } from '../core/codecs/text.ts';
import { ROW_MARK } from '../core/header.ts';
import type { Language } from '../core/language.ts';
import type { PlannedRow } from '../core/plan.ts';
import type { Locale } from '../core/value.ts';
import { LAST_COLUMN } from '../files/limits.ts';
import { RowStore } from '../files/row-store.ts';
import { makeSheet, type Sheet, type SheetLayout } from '../files/sheet.ts';
import { openBaseline } from '../import/baseline/open-baseline.ts';
import { type CellCorrection, correctedWorkbook } from '../import/correct/corrected-workbook.ts';
import { columnHabits } from '../import/map/column-habits.ts';
import { HEADER_SEARCH_ROWS } from '../import/map/header-row.ts';
import { type ColumnHabits, rowNumber } from '../import/map/map-row.ts';
import {
  type ImportSheet,
  inSendingOrder,
  type RecognisedSheet,
  recogniseSheets,
} from '../import/map/recognise.ts';
import { resourcesOf } from '../import/map/sheet-by-headers.ts';
import type { SheetMapping } from '../import/map/sheet-mapping.ts';
import { topRows } from '../import/map/top-rows.ts';
import { openFile } from '../import/open-file.ts';
import { type FileMemory, type ImportOptions, planSheets, readAbout } from '../import/plan/plan-import.ts';
import { planDetails } from '../import/plan/saved-plan.ts';
import { TRIAL_PLACES, trialLedger } from '../ledger/trial-ledger.ts';
import type { RowPlace } from '../records/mapped-row.ts';
import type { ConflictDecision } from '../records/planning.ts';
import { type Context, wallClock } from '../run/context.ts';
import { type LookupLists, openLookupLists } from '../run/lookup-lists.ts';
import { NamedRecords } from '../run/named-records.ts';
import { newRunId } from '../run/runs.ts';
import { actionsOf } from '../schema/actions.ts';
import { holdsNumber } from '../schema/field.ts';
import type { Session } from '../session/open-session.ts';
import type { Workbook } from '../workbook/read-workbook.ts';
import { type SessionInput, toRequest } from './import-workbook.ts';
import { answersFor, hasChoices, type Suggestions, suggestionsFor } from './row-suggestions.ts';

/** A column of a sheet, as the file has it. */
export interface SheetColumn {
  readonly column: number;
  /** Such as `F`. */
  readonly letters: string;
  /** Its header as typed; empty for none. */
  readonly header: string;
  /** The field or mark that it is read as; null where it is not read. */
  readonly field: string | null;
  /** Whether there is something to choose from for its cells. */
  readonly list: boolean;
  /** Whether its cells hold numbers. */
  readonly number: boolean;
}

/** Where the rows of a sheet say what is to be done with them. */
export interface ActionColumn {
  readonly column: number;
  /** The row of the headers. */
  readonly headerRow: number;
  /** Whether the file has it; else it is the first one that is free, right of all that the sheet holds. */
  readonly own: boolean;
  /** What they can say. */
  readonly words: readonly string[];
}

/** A sheet's columns, and some of its rows. */
export interface SheetCells {
  readonly columns: readonly SheetColumn[];
  readonly rows: readonly RawRow[];
  /** Null where there is no room for it. */
  readonly action: ActionColumn | null;
}

/** The cells of a row as the sheet shows them; an empty one is absent. */
export interface RawRow {
  readonly row: number;
  readonly cells: readonly { readonly column: number; readonly text: string; readonly type: CellType }[];
}

type CellType = Row['cells'][number]['type'];

/** A file whose rows are checked. */
interface CheckedFile {
  /** As it was read, without corrections. */
  readonly workbook: Workbook;
  readonly options: Omit<ImportOptions, 'decisions' | 'memory'>;
  readonly rows: FileRows;
  /** The run of its last plan, which knows of its other rows. */
  readonly run: string | undefined;
}

/** What checks learn of the service. */
interface Learned {
  readonly context: Pick<Context, 'service' | 'named'>;
  readonly lists: LookupLists;
}

/** What was read of a file, on disk, for checks of its rows. */
class FileRows implements FileMemory {
  readonly store = new RowStore();
  /** The same workbook, of which the sheets that people see keep their rows. */
  keep(workbook: Workbook): Workbook {
    return withSheets(
      workbook,
      workbook.sheets.map((sheet) => (sheet.hidden ? sheet : this.store.kept(sheet))),
    );
  }

  /** Removes what is on disk. */
  close(): Promise<void> {
    return this.store.close();
  }
}

/** Keeps a file for checks of its rows: for `planIn` as `memory`, then for `openRowChecks` as `rows`. */
export const rowsOfFile = (): FileRows => new FileRows();

/**
 * Opens checks of the rows of a file. `options` are those of its plan; `run` is that plan, which knows of the
 * other rows. `rows` was filled by `planIn`; without it the first check reads the file once. Throws
 * StopError.
 */
export async function openRowChecks(
  session: Session,
  file: string,
  options: Omit<SessionInput, 'corrections' | 'decisions' | 'memory' | 'questions'>,
  { run, rows = new FileRows() }: { readonly run?: string; readonly rows?: FileRows } = {},
): Promise<RowChecks> {
  const { context, settings } = session;
  const request = toRequest(file, options, session);
  const { workbook, headers, given } = await openFile(context, { ...request, memory: rows });
  const known = { ...request, names: headers.names, ownHeaders: headers.own, ...given };
  return new RowChecks(context, settings.lang, { workbook, options: known, rows, run });
}

/**
 * Checks single rows of a file, however many it has: they are planned as in a plan of the whole file, on a
 * ledger that keeps nothing of it; only reads are sent. What needs the other rows is not seen: copies of other
 * rows, sums, and how a column writes its dates once corrections make it evident. Plan the file before it is
 * sent.
 */
export class RowChecks {
  private readonly context: Context;
  private readonly language: Language;
  private readonly file: CheckedFile;
  /** What takes a reading of the sheet, by what it is. */
  private readonly known = new Map<string, Promise<unknown>>();
  private learned: Learned | undefined;

  constructor(context: Context, language: Language, file: CheckedFile) {
    this.context = context;
    this.language = language;
    this.file = file;
  }

  /** How the file's text numbers are read. */
  get locale(): Locale {
    return this.file.options.locale;
  }

  /** Removes what was kept of the file on disk. */
  close(): Promise<void> {
    return this.file.rows.close();
  }

  /** The columns of a sheet, and the cells of rows as the file has them; undefined for another sheet. */
  async cells(
    sheet: string,
    rows: readonly number[],
    corrections: readonly CellCorrection[] = [],
  ): Promise<SheetCells | undefined> {
    const entry = await this.entryOf(sheet, corrections);
    if (entry === undefined) return undefined;
    const { mapping } = entry;
    const { locale } = this;
    const raw = await this.rawRows(entry, rows);
    const titles = new Map(mapping.headers.map(({ column, header }) => [column, header.trim()]));
    const used = raw.flatMap(({ cells }) => cells.map(({ column }) => column));
    return {
      action: await this.actionOf(mapping, corrections),
      columns: [...new Set([...titles.keys(), ...used])]
        .filter((column) => !mapping.outputColumns.has(column))
        .sort((one, other) => one - other)
        .map((column) => {
          const reader = mapping.readers[column];
          const field = reader?.field ?? null;
          return {
            ...{ column, letters: columnLetters(column), header: titles.get(column) ?? '' },
            ...{ field: reader?.name ?? null, list: hasChoices(reader) },
            number: field !== null && holdsNumber(field),
          };
        }),
      rows: raw.map((row) => ({
        row: rowNumber(row, mapping),
        cells: row.cells.map((cell) => {
          const shown = textCodec.decode(cell, locale);
          return { column: cell.column, type: cell.type, text: shown.ok ? shown.value : cellText(cell) };
        }),
      })),
    };
  }

  private async actionOf(
    { sheet, resource, marks, headerRow }: SheetMapping,
    corrections: readonly CellCorrection[],
  ): Promise<ActionColumn | null> {
    const column = marks.get('#action');
    const words = actionsOf(resource);
    if (column !== undefined) {
      const isAdded = corrections.some(
        (one) => one.sheet === sheet && one.row === headerRow && one.column === column,
      );
      return { column, headerRow, own: !isAdded, words };
    }
    const { run } = this.file;
    const details = run === undefined ? undefined : await planDetails(this.context.ledger, run);
    const reading = new Map(details?.readings).get(sheet);
    if (reading === undefined) return null;
    const free = Math.max(reading.lastColumn, reading.lastDrawn ?? 0) + 1;
    return free > LAST_COLUMN ? null : { column: free, headerRow, own: false, words };
  }

  /**
   * Plans these rows with the corrections and decisions so far. A row that holds nothing, or is no record, is
   * absent. Throws RequestError.
   */
  async check(
    corrections: readonly CellCorrection[],
    decisions: readonly ConflictDecision[],
    places: readonly RowPlace[],
  ): Promise<readonly PlannedRow[]> {
    const { options, workbook, run: last } = this.file;
    const order = inSendingOrder(this.context.resources, await this.recognised(corrections));
    const asked = order.filter(({ sheet }) => places.some((place) => place.sheet === sheet.name));
    const chosen = await Promise.all(asked.map((entry) => this.narrowed(entry, places, corrections)));
    // The rows of the last plan that go before.
    const before = new Set(
      order.slice(0, asked[0] && order.indexOf(asked[0])).map(({ sheet }) => sheet.name),
    );
    const isBefore = ({ sheet }: PlannedRow): boolean => before.has(sheet);
    const trial = trialLedger(this.context.ledger, last === undefined ? undefined : { run: last, isBefore });
    const { context: learned, lists } = this.fromService();
    const context = { ...this.context, ...learned, ledger: trial.ledger, onProgress: undefined };
    const run = newRunId(context.time.now());
    const startedAt = wallClock(context.time.now());
    await trial.ledger.startRun({ run, service: context.serviceKey, file: workbook.file, startedAt });
    const recognised = await this.recognised([]);
    const { baseline, evidence } = await this.once('about', () =>
      readAbout(this.context, workbook, recognised, options),
    );
    const base = await openBaseline(context, workbook.file, baseline);
    const shared = { decisions, evidence, lists, first: TRIAL_PLACES };
    try {
      await planSheets(context, run, chosen, base, {
        ...{ ...options, ...shared },
        habitsOf: (mapping) => this.habitsOf(mapping),
      });
    } catch (error) {
      // What could not be read now may be there the next time.
      this.learned = undefined;
      throw error;
    }
    return trial.rows();
  }

  /** What can be chosen for the cells of a column, at most `limit` that hold the words of `search`. */
  async suggestions(
    sheet: string,
    column: number,
    { search = '', limit = 50 }: { readonly search?: string; readonly limit?: number } = {},
    corrections: readonly CellCorrection[] = [],
  ): Promise<Suggestions> {
    const entry = await this.entryOf(sheet, corrections);
    const wishes = { language: this.language, search, limit };
    const found = await suggestionsFor(entry?.mapping.readers[column], this.fromService().lists, wishes);
    // A list that could not be read is asked for anew.
    if (found.kind === 'none') this.learned = undefined;
    return found;
  }

  /** What was probably meant by a text that a column can't read, in the file's own way; nothing where that can't be told. */
  async answers(
    sheet: string,
    column: number,
    text: string,
    corrections: readonly CellCorrection[] = [],
  ): Promise<readonly string[]> {
    const entry = await this.entryOf(sheet, corrections);
    const { locale, language } = this;
    return await answersFor(entry?.mapping.readers[column], this.fromService().lists, text, {
      locale,
      language,
    });
  }

  /** A sheet with its header and the rows asked for alone, corrected. */
  private async narrowed(
    entry: ImportSheet,
    places: readonly RowPlace[],
    corrections: readonly CellCorrection[],
  ): Promise<ImportSheet> {
    const { name, hidden, layout } = entry.sheet;
    const { headerRow } = entry.mapping;
    const rows = places.filter((place) => place.sheet === name).map(({ row }) => row);
    const own = corrections.filter(
      (one) => one.sheet === name && (one.row <= headerRow || rows.includes(one.row)),
    );
    const raw = await this.rawRows(entry, rows, headerRow);
    const narrow = makeSheet(name, hidden, () => batchOf(raw), layout as SheetLayout | undefined);
    const { workbook, options } = this.file;
    const [sheet] = correctedWorkbook(withSheets(workbook, [narrow]), own, options.locale).workbook.sheets;
    return { ...entry, sheet: sheet as Sheet };
  }

  /** Rows by the numbers that they go by, and the first `top` rows of the sheet. */
  private async rawRows({ sheet: { name }, mapping }: ImportSheet, rows: readonly number[], top = 0) {
    const { store } = this.file.rows;
    const sheet = this.file.workbook.sheets.find((one) => one.name === name);
    if (sheet !== undefined && !store.has(name))
      for await (const _ of store.kept(sheet).batches) this.context.signal?.throwIfAborted();
    const places = new Map<number, number>();
    // Of rows that came back with another number than their place.
    if (mapping.marks.has(ROW_MARK))
      for await (const batch of store.batches(name))
        for (const row of batch) places.set(rowNumber(row, mapping), row.number);
    const numbers = rows.map((row) => places.get(row) ?? row).filter((row) => row > mapping.headerRow);
    return await store.rows(name, [...Array.from({ length: top }, (_, at) => at + 1), ...numbers]);
  }

  /** How the columns of the whole sheet are written, as the file has them. */
  private habitsOf(mapping: SheetMapping): Promise<ColumnHabits> {
    const { sheet: name, readers } = mapping;
    const by = ['habits', name, ...readers.map((reader, column) => `${column} ${reader?.name ?? ''}`)];
    return this.once(by.join('\n'), async () => {
      const { workbook, options, rows } = this.file;
      const { layout } = workbook.sheets.find((sheet) => sheet.name === name) ?? {};
      const read = () => rows.store.batches(name);
      const whole = makeSheet(name, false, read, layout as SheetLayout | undefined);
      return await columnHabits(whole, mapping, options.locale, this.context.signal);
    });
  }

  private async entryOf(
    sheet: string,
    corrections: readonly CellCorrection[],
  ): Promise<ImportSheet | undefined> {
    const recognised = await this.recognised(corrections);
    return recognised.find((one): one is ImportSheet => one.kind === 'import' && one.sheet.name === sheet);
  }

  /** What each sheet is taken for, by its first rows with their corrections. */
  private async recognised(corrections: readonly CellCorrection[]): Promise<readonly RecognisedSheet[]> {
    const { workbook, options } = this.file;
    const { headerRow = 0, choices = [] } = options;
    const last = Math.max(HEADER_SEARCH_ROWS, headerRow, ...choices.map((one) => one.headerRow ?? 0));
    const own = corrections.filter(({ row }) => row <= last);
    const tops = await this.once('tops', () =>
      Promise.all(
        workbook.sheets.map(async (sheet) => {
          const { top } = await topRows(sheet, last);
          const { name, hidden, layout } = sheet;
          return makeSheet(name, hidden, () => batchOf(top), layout as SheetLayout | undefined);
        }),
      ),
    );
    return await this.once(`recognised ${JSON.stringify(own)}`, () => {
      const first = correctedWorkbook(withSheets(workbook, tops), own, options.locale).workbook;
      const { resources: known } = this.context;
      const resources = resourcesOf(this.context, options.command);
      return recogniseSheets(first, { ...options, known, resources });
    });
  }

  /** What checks learn of the service: apart from what the session learned, which plans by it. */
  private fromService(): Learned {
    const context = { ...this.context, service: { ...this.context.service, onList: undefined } };
    this.learned ??= {
      context: { service: context.service, named: new NamedRecords(context) },
      lists: openLookupLists(context),
    };
    return this.learned;
  }

  /** What was made under a name, or is made now; a failure is not kept. */
  private once<T>(name: string, make: () => Promise<T>): Promise<T> {
    const made = (this.known.get(name) ?? make()) as Promise<T>;
    this.known.set(name, made);
    made.catch(() => this.known.delete(name));
    return made;
  }
}

async function* batchOf(rows: readonly Row[]): AsyncGenerator<Row[]> {
  if (rows.length > 0) yield [...rows];
}

const withSheets = (workbook: Workbook, sheets: readonly Sheet[]): Workbook => ({
  ...workbook,
  sheets,
  [Symbol.iterator]: () => sheets.values(),
});
