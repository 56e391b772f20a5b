import { toRequest } from '../../api/import-workbook.ts';
import { addressColumn, columnLetters, type Row } from '../../core/cell.ts';
import { cellText } from '../../core/codec.ts';
import { asNumberOf } from '../../core/codecs/number.ts';
import { textCodec } from '../../core/codecs/text.ts';
import type { Language } from '../../core/language.ts';
import type { PlannedRow } from '../../core/plan.ts';
import { RowStore } from '../../files/row-store.ts';
import { makeSheet, type Sheet, type SheetLayout } from '../../files/sheet.ts';
import { openBaseline } from '../../import/baseline/open-baseline.ts';
import {
  type CellCorrection,
  correctedWorkbook,
  type KeptCorrection,
} from '../../import/correct/corrected-workbook.ts';
import { columnHabits } from '../../import/map/column-habits.ts';
import { topRows } from '../../import/map/find-header.ts';
import type { ColumnHabits } from '../../import/map/map-row.ts';
import { type ImportSheet, inSendingOrder, recogniseSheets } from '../../import/map/recognise.ts';
import { resourcesOf } from '../../import/map/sheet-by-headers.ts';
import { CREATE_UNNAMED, type SheetMapping } from '../../import/map/sheet-mapping.ts';
import { openFile } from '../../import/open-file.ts';
import { type FileMemory, type ImportOptions, planSheets, readAbout } from '../../import/plan/plan-import.ts';
import type { Corrected } from '../../import/plan/saved-plan.ts';
import { TRIAL_PLACES, trialLedger } from '../../ledger/trial-ledger.ts';
import type { ProgramOptions } from '../../options/options.ts';
import { type Context, wallClock } from '../../run/context.ts';
import { openLookupLists } from '../../run/lookup-lists.ts';
import { NamedRecords } from '../../run/named-records.ts';
import { newRunId } from '../../run/runs.ts';
import { openSession, type Session } from '../../session/open-session.ts';
import type { Workbook } from '../../workbook/read-workbook.ts';
import type { AnswerOf, RowCell, TableRow } from '../contract/answers.ts';
import type { ChosenReading } from '../contract/asked.ts';
import type { BroughtFiles } from './brought-files.ts';
import { answersFor, choicesFor, hasChoices, isNumber } from './cell-choices.ts';
import { lazily, type Place, placeKey } from './run-rows.ts';

/** A file on its way: a plan in the ledger that was not sent, of a file that was brought. */
export interface Draft extends Corrected {
  readonly run: string;
  /** Its file, by its id. */
  readonly source: string;
}

/** What was read of a file, on disk: filled by its plan, else as its rows are checked. */
export class FileRows extends RowStore implements FileMemory {
  /** The same workbook, of which the sheets that people see keep their rows. */
  keep(workbook: Workbook): Workbook {
    return withSheets(
      workbook,
      workbook.sheets.map((sheet) => (sheet.hidden ? sheet : this.kept(sheet))),
    );
  }
}

/** How a file is read, for its plan. */
export const readingOptions = ({ choices, set, createUnnamed, locale }: ChosenReading) => ({
  ...{ locale, choices, allowDelete: true },
  set: { ...set, ...(createUnnamed && { [CREATE_UNNAMED.field]: CREATE_UNNAMED.text }) },
});

/** A file whose rows are checked. */
interface CheckedFile {
  /** As it was read, without corrections. */
  readonly workbook: Workbook;
  readonly options: ImportOptions;
  readonly rows: FileRows;
  /** The run of its plan, which knows of its other rows. */
  readonly run: string;
}

/** Opens checks of the rows of a file that was planned. Throws StopError. */
export async function openRowChecks(
  session: Session,
  file: string,
  options: Parameters<typeof toRequest>[1],
  { run, rows }: Pick<CheckedFile, 'run' | 'rows'>,
): Promise<RowChecks> {
  const { context } = session;
  const request = toRequest(file, options, session);
  const { workbook, headers, given } = await openFile(context, { ...request, memory: rows });
  const known = { ...request, names: headers.names, ...given };
  return new RowChecks(context, { workbook, options: known, rows, run });
}

/**
 * Checks single rows of a file, however many it has: they are planned as in a plan of the whole file, on a
 * ledger that keeps nothing of it; only reads are sent. What needs the other rows is not seen: copies of other
 * rows, sums, and how a column writes its dates once corrections make it evident. Plan the file before it is
 * sent.
 */
export class RowChecks {
  private readonly context: Context;
  private readonly file: CheckedFile;
  private readonly reading = lazily(() => this.read());
  private readonly about = lazily(async () => {
    const { workbook, options } = this.file;
    return await readAbout(this.context, workbook, await this.reading(), options);
  });
  private readonly habits = new Map<string, Promise<ColumnHabits>>();
  private fromService: ReturnType<typeof serviceAnew>;

  constructor(context: Context, file: CheckedFile) {
    this.context = context;
    this.file = file;
    this.fromService = serviceAnew(context);
  }

  /**
   * Plans these rows with what is corrected and decided. A row that holds nothing, or is no record, is absent.
   * Throws RequestError.
   */
  async check(
    { corrections, decisions }: Corrected,
    places: readonly Place[],
  ): Promise<readonly PlannedRow[]> {
    const { options, workbook, run: last } = this.file;
    const order = inSendingOrder(this.context.resources, await this.reading());
    const asked = order.filter(({ sheet }) => places.some((place) => place.sheet === sheet.name));
    const chosen = await Promise.all(asked.map((entry) => this.narrowed(entry, places, corrections)));
    // The rows of the last plan that go before.
    const before = new Set(
      order.slice(0, asked[0] && order.indexOf(asked[0])).map(({ sheet }) => sheet.name),
    );
    const isBefore = ({ sheet }: PlannedRow): boolean => before.has(sheet);
    const trial = trialLedger(this.context.ledger, { run: last, isBefore });
    const { service, named, lists } = this.fromService;
    const context = { ...this.context, service, named, ledger: trial.ledger, onProgress: undefined };
    const run = newRunId(context.time.now());
    const startedAt = wallClock(context.time.now());
    await trial.ledger.startRun({ run, service: context.serviceKey, file: workbook.file, startedAt });
    const { baseline, ...about } = await this.about();
    const base = await openBaseline(context, workbook.file, baseline);
    const shared = { ...about, decisions, lists, first: TRIAL_PLACES };
    try {
      await planSheets(context, run, chosen, base, {
        ...{ ...options, ...shared },
        habitsOf: (mapping) => this.habitsOf(mapping),
      });
    } catch (error) {
      // What could not be read now may be there the next time.
      this.fromService = serviceAnew(this.context);
      throw error;
    }
    return trial.rows();
  }

  /** What can be chosen for the cells of a column. */
  async choices(sheet: string, column: number, language: Language): Promise<AnswerOf<'suggest'>['entries']> {
    const reader = (await this.sheetOf(sheet))?.mapping.readers[column];
    return await choicesFor(reader, this.fromService.lists, language);
  }

  /** The cells of a row as a page in `language` shows them. */
  async cells(
    { sheet, row, issues = [] }: Pick<TableRow, 'sheet' | 'row' | 'issues'>,
    corrections: readonly CellCorrection[],
    language: Language,
  ): Promise<RowCell[]> {
    const entry = await this.sheetOf(sheet);
    if (entry === undefined) return [];
    const { headers, outputColumns, readers } = entry.mapping;
    const { locale } = this.file.options;
    const inFile = (await this.texts(sheet, [row])).get(row) ?? new Map<number, string>();
    const own = new Map(
      corrections.flatMap((one) =>
        placeKey(one) === placeKey({ sheet, row }) ? [[one.column, one.text]] : [],
      ),
    );
    const titles = new Map(headers.map(({ column, header }) => [column, header.trim()]));
    const columns = [...new Set([...titles.keys(), ...inFile.keys()])]
      .filter((column) => !outputColumns.has(column))
      .sort((one, other) => one - other);
    const cells = columns.map(async (column): Promise<RowCell> => {
      const reader = readers[column];
      const onPage = (text: string): string => (isNumber(reader) ? asNumberOf(text, locale, language) : text);
      const stands = inFile.get(column) ?? '';
      const text = own.get(column) ?? stands;
      const found = issues.filter(({ cell }) => cell !== null && addressColumn(cell) === column);
      const bad = found.some(({ severity, code }) => severity === 'error' && !DECIDED.includes(code));
      const answers = bad ? await answersFor(reader, this.fromService.lists, text, { locale, language }) : [];
      return {
        ...{ column, letters: columnLetters(column), header: titles.get(column) ?? '' },
        ...{ field: reader?.name ?? null, bad, list: hasChoices(reader), answers: answers.map(onPage) },
        before: own.has(column) ? onPage(stands) : null,
        text: onPage(text),
        issues: found.map(({ code, severity, message }) => ({ code, severity, message })),
      };
    });
    return await Promise.all(cells);
  }

  /** What was typed on a page in `language`, as the file writes it. */
  async typed(
    { sheet, column, text }: Pick<CellCorrection, 'sheet' | 'column' | 'text'>,
    language: Language,
  ) {
    const reader = (await this.sheetOf(sheet))?.mapping.readers[column];
    return isNumber(reader) ? asNumberOf(text, language, this.file.options.locale) : text;
  }

  /** Corrections with what their cells show in the file. */
  async kept(all: readonly CellCorrection[]): Promise<KeptCorrection[]> {
    const shown = new Map<string, string | undefined>();
    for (const sheet of new Set(all.map((one) => one.sheet))) {
      const own = all.filter((one) => one.sheet === sheet);
      const texts = await this.texts(
        sheet,
        own.map(({ row }) => row),
      );
      for (const one of own) shown.set(cellKey(one), texts.get(one.row)?.get(one.column));
    }
    return all.map((one) => ({ ...one, was: shown.get(cellKey(one)) ?? '' }));
  }

  /** What each sheet is taken for by its first rows. */
  private async read() {
    const { workbook, options } = this.file;
    const { headerRow = 0, choices = [] } = options;
    const last = Math.max(headerRow, ...choices.map((one) => one.headerRow ?? 0));
    const tops = workbook.sheets.map(async (sheet) => sheetWith(sheet, (await topRows(sheet, last)).top));
    const resources = resourcesOf(this.context, options.command);
    const given = { ...options, known: this.context.resources, resources };
    return await recogniseSheets(withSheets(workbook, await Promise.all(tops)), given);
  }

  private async sheetOf(sheet: string): Promise<ImportSheet | undefined> {
    return (await this.reading()).find(
      (one): one is ImportSheet => one.kind === 'import' && one.sheet.name === sheet,
    );
  }

  /** A sheet with its header and the rows asked for alone, corrected. */
  private async narrowed(
    entry: ImportSheet,
    places: readonly Place[],
    corrections: readonly CellCorrection[],
  ): Promise<ImportSheet> {
    const { name } = entry.sheet;
    const asked = new Set(places.map(placeKey));
    const rows = places.flatMap(({ sheet, row }) => (sheet === name ? row : []));
    const own = corrections.filter((one) => one.sheet === name && asked.has(placeKey(one)));
    const narrow = sheetWith(entry.sheet, await this.rawRows(entry, rows, entry.mapping.headerRow));
    const { workbook, options } = this.file;
    const [sheet] = correctedWorkbook(withSheets(workbook, [narrow]), own, options.locale).workbook.sheets;
    return { ...entry, sheet: sheet as Sheet };
  }

  /** What the cells of rows show in the file, by row and column; an empty one is absent. */
  private async texts(
    sheet: string,
    rows: readonly number[],
  ): Promise<ReadonlyMap<number, ReadonlyMap<number, string>>> {
    const entry = await this.sheetOf(sheet);
    if (entry === undefined) return new Map();
    const raw = await this.rawRows(entry, rows);
    return new Map(
      raw.map((row) => {
        const texts = row.cells.map((cell): [number, string] => {
          const shown = textCodec.decode(cell, this.file.options.locale);
          return [cell.column, shown.ok ? shown.value : cellText(cell)];
        });
        return [row.number, new Map(texts)];
      }),
    );
  }

  /** Rows by their numbers, and the first `top` rows of the sheet. */
  private async rawRows({ sheet: { name }, mapping }: ImportSheet, rows: readonly number[], top = 0) {
    const { rows: store, workbook } = this.file;
    const sheet = workbook.sheets.find((one) => one.name === name);
    if (sheet !== undefined && !store.has(name))
      for await (const _ of store.kept(sheet).batches) this.context.signal?.throwIfAborted();
    const numbers = rows.filter((row) => row > mapping.headerRow);
    return await store.rows(name, [...Array.from({ length: top }, (_, at) => at + 1), ...numbers]);
  }

  /** How the columns of the whole sheet are written, as the file has them. */
  private habitsOf(mapping: SheetMapping): Promise<ColumnHabits> {
    const { workbook, options, rows } = this.file;
    const { sheet: name } = mapping;
    const { layout } = workbook.sheets.find((sheet) => sheet.name === name) ?? {};
    const whole = makeSheet(name, false, () => rows.batches(name), layout as SheetLayout | undefined);
    const known = this.habits.get(name) ?? columnHabits(whole, mapping, options.locale, this.context.signal);
    this.habits.set(name, known);
    return known;
  }
}

/** What is decided between two values, not corrected in a cell. */
const DECIDED: readonly string[] = ['changed-by-both', 'changed-meanwhile'];

/** Names a cell. */
export const cellKey = (cell: Pick<CellCorrection, 'sheet' | 'row' | 'column'>): string =>
  `${cell.column}\0${placeKey(cell)}`;

/** What checks learn of the service: apart from what their session learned, which plans by it. */
function serviceAnew(session: Context) {
  const context = { ...session, service: { ...session.service, onList: undefined } };
  const { service } = context;
  return { service, named: new NamedRecords(context), lists: openLookupLists(context) };
}

/** A sheet with other rows. */
function sheetWith({ name, hidden, layout }: Sheet, rows: readonly Row[]): Sheet {
  async function* read(): AsyncGenerator<Row[]> {
    if (rows.length > 0) yield [...rows];
  }
  return makeSheet(name, hidden, read, layout as SheetLayout | undefined);
}

const withSheets = (workbook: Workbook, sheets: readonly Sheet[]): Workbook => ({
  ...workbook,
  sheets,
  [Symbol.iterator]: () => sheets.values(),
});

/** What is kept of the file that is worked on. */
interface Kept {
  readonly source: string;
  readonly rows: FileRows;
  /** The plan that its checks are for, once they were asked for. */
  run?: string | undefined;
  opening?: Promise<{ readonly session: Session; readonly checks: RowChecks }> | undefined;
}

/**
 * Checks of the rows of the file that is worked on: opened with the first correction, and kept until another one
 * is. What is let go is closed when nobody works with it any more.
 */
export class KeptChecks {
  private readonly letGo: (close: () => Promise<unknown>) => void;
  private readonly files: BroughtFiles;
  private readonly options: () => ProgramOptions;
  private kept: Kept | undefined;

  /** `letGo`: closes what nobody works with any more; `options`: those of a session by the settings in effect. */
  constructor(
    letGo: (close: () => Promise<unknown>) => void,
    files: BroughtFiles,
    options: () => ProgramOptions,
  ) {
    this.letGo = letGo;
    this.files = files;
    this.options = options;
  }

  /** What a plan keeps of a file's rows, to be checked one by one later. */
  rowsFor(source: string): FileRows {
    return this.keep(source).rows;
  }

  /** The checks of a file's rows, for its last plan: opened once, however many ask at once. Throws StopError. */
  async open({ source, run }: Draft): Promise<RowChecks> {
    const kept = this.kept?.source === source ? this.kept : this.keep(source);
    if (kept.run !== run) {
      this.closeOpened(kept);
      kept.run = run;
      kept.opening = this.openFor(source, { run, rows: kept.rows });
    }
    const { opening } = kept;
    try {
      return (await (opening as NonNullable<typeof opening>)).checks;
    } catch (error) {
      // The next one tries again.
      if (kept.opening === opening) kept.run = kept.opening = undefined;
      throw error;
    }
  }

  /** Lets go of the checks, and of what was kept of rows; of one file where it is named. */
  drop(source = this.kept?.source): void {
    const { kept } = this;
    if (kept === undefined || kept.source !== source) return;
    this.kept = undefined;
    this.closeOpened(kept);
    this.letGo(() => kept.rows.close());
  }

  private keep(source: string): Kept {
    this.drop();
    this.kept = { source, rows: new FileRows() };
    return this.kept;
  }

  private closeOpened({ opening }: Kept): void {
    this.letGo(async () => await (await opening)?.session.close());
  }

  private async openFor(source: string, of: Pick<CheckedFile, 'run' | 'rows'>) {
    const session = await openSession(this.options());
    try {
      const options = readingOptions(this.files.readingOf(source));
      return { session, checks: await openRowChecks(session, this.files.pathOf(source), options, of) };
    } catch (error) {
      await session.close();
      throw error;
    }
  }
}
