import { columnLetters, type Row } from '../../core/cell.ts';
import { cellText } from '../../core/codec.ts';
import { textCodec } from '../../core/codecs/text.ts';
import { ROW_MARK } from '../../core/header.ts';
import type { PlannedRow } from '../../core/plan.ts';
import { LAST_COLUMN } from '../../files/limits.ts';
import { makeSheet, type Sheet, type SheetLayout } from '../../files/sheet.ts';
import { TRIAL_PLACES, type TriedPlan, trialLedger } from '../../ledger/trial-ledger.ts';
import type { ConflictDecision } from '../../records/planning.ts';
import { type Context, wallClock } from '../../run/context.ts';
import { type LookupLists, openLookupLists } from '../../run/lookup-lists.ts';
import { NamedRecords } from '../../run/named-records.ts';
import { newRunId } from '../../run/runs.ts';
import { actionsOf } from '../../schema/actions.ts';
import { holdsNumber } from '../../schema/field.ts';
import type { Workbook } from '../../workbook/read-workbook.ts';
import { openBaseline, readBaseline } from '../baseline/open-baseline.ts';
import { readEvidence } from '../baseline/result-evidence.ts';
import { type CellCorrection, correctedWorkbook } from '../correct/corrected-workbook.ts';
import { columnHabits } from '../map/column-habits.ts';
import { HEADER_SEARCH_ROWS } from '../map/header-row.ts';
import { type ColumnHabits, rowNumber } from '../map/map-row.ts';
import { type ImportSheet, type RecognisedSheet, recogniseSheets } from '../map/recognise.ts';
import { resourcesOf } from '../map/sheet-by-headers.ts';
import type { SheetMapping } from '../map/sheet-mapping.ts';
import { topRows } from '../map/top-rows.ts';
import { type AboutFile, type ImportOptions, inSendingOrder, planSheets } from '../plan/plan-import.ts';
import { planDetails } from '../plan/saved-plan.ts';
import type { FileRows } from './file-rows.ts';
import { hasChoices, type Suggestions, type SuggestionWishes, suggestionsFor } from './suggestions.ts';

/** A row of a file, by its sheet and the number that results and messages show. */
export interface RowPlace {
  readonly sheet: string;
  readonly row: number;
}

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
export interface CheckedFile {
  /** As it was read, without corrections. */
  readonly workbook: Workbook;
  readonly options: Omit<ImportOptions, 'decisions' | 'memory'>;
  readonly rows: FileRows;
  /** The run of its last plan, which knows of its other rows. */
  readonly run: string | undefined;
}

/** How long what the service told for earlier checks counts, ms. */
const FRESH = 300_000;
/** Other rows on the record of a checked row that are checked with it. */
const MOST_BESIDE = 20;

/** What checks learn of the service. */
interface Learned {
  readonly service: Context['service'];
  readonly lists: LookupLists;
  readonly named: NamedRecords;
  readonly at: number;
}

/**
 * Checks single rows of a file, however many it has: they are planned as in a plan of the whole file, on a
 * ledger that keeps nothing of it. What needs the other rows is not seen: copies of other rows, sums, keys
 * that changed since an export, and how a column writes its dates once corrections make it evident. Rows on
 * the same record in the last plan are seen.
 */
export class RowChecks {
  private readonly context: Context;
  private readonly file: CheckedFile;
  private readonly tops = new Map<string, Promise<readonly Row[]>>();
  private readonly read = new Map<string, Promise<void>>();
  private readonly habits = new Map<string, Promise<ColumnHabits>>();
  private readonly numbers = new Map<string, Promise<ReadonlyMap<number, number>>>();
  private known: { readonly by: string; readonly sheets: Promise<readonly RecognisedSheet[]> } | undefined;
  private learned: Learned | undefined;

  constructor(context: Context, file: CheckedFile) {
    this.context = context;
    this.file = file;
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
    const { locale } = this.file.options;
    const raw = await this.rawRows(entry, rows);
    const used = new Set(raw.flatMap(({ cells }) => cells.map(({ column }) => column)));
    const titles = new Map(mapping.headers.map(({ column, header }) => [column, header.trim()]));
    for (const column of titles.keys()) used.add(column);
    return {
      action: await this.actionOf(mapping, corrections),
      columns: [...used]
        .filter((column) => !mapping.outputColumns.has(column))
        .sort((one, other) => one - other)
        .map((column) => {
          const reader = mapping.readers[column];
          const header = titles.get(column) ?? '';
          const field = reader?.name ?? null;
          const number = reader?.field != null && holdsNumber(reader.field);
          const list = hasChoices(reader);
          return { column, letters: columnLetters(column), header, field, list, number };
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
    const details =
      this.file.run === undefined ? undefined : await planDetails(this.context.ledger, this.file.run);
    const reading = new Map(details?.readings).get(sheet);
    if (reading === undefined) return null;
    // The plan may hold one that was taken back since.
    const [, , planned = []] = details?.columns?.find(([name]) => name === sheet) ?? [];
    const last = new Map(planned).get('#action');
    if (last !== undefined) return { column: last, headerRow, own: false, words };
    const free = Math.max(reading.lastColumn, ...(reading.drawn ?? []).map(([, to]) => to)) + 1;
    return free > LAST_COLUMN ? null : { column: free, headerRow, own: false, words };
  }

  /**
   * Plans these rows with the corrections and decisions so far, and those on the same record in the last
   * plan. A row that holds nothing, or is no record, is absent. Throws RequestError.
   */
  async check(
    corrections: readonly CellCorrection[],
    decisions: readonly ConflictDecision[],
    places: readonly RowPlace[],
  ): Promise<readonly PlannedRow[]> {
    try {
      const planned = await this.plan(corrections, decisions, places);
      const beside = await this.besideThem(planned, places);
      return beside.length === 0 ? planned : await this.plan(corrections, decisions, [...places, ...beside]);
    } catch (error) {
      // What could not be read now may be there the next time.
      this.learned = undefined;
      throw error;
    }
  }

  /** What can be chosen for the cells of a column. */
  async suggestions(
    sheet: string,
    column: number,
    wishes: SuggestionWishes,
    corrections: readonly CellCorrection[] = [],
  ): Promise<Suggestions> {
    const entry = await this.entryOf(sheet, corrections);
    const found = await suggestionsFor(entry?.mapping.readers[column], this.fromService().lists, wishes);
    // A list that could not be read is asked for anew.
    if (found.kind === 'none') this.learned = undefined;
    return found;
  }

  private async plan(
    corrections: readonly CellCorrection[],
    decisions: readonly ConflictDecision[],
    places: readonly RowPlace[],
  ): Promise<readonly PlannedRow[]> {
    const { options, workbook } = this.file;
    const recognised = await this.recognised(corrections);
    const order = inSendingOrder(this.context.resources, recognised);
    const asked = order.filter(({ sheet }) => places.some((place) => place.sheet === sheet.name));
    const chosen = await Promise.all(asked.map((entry) => this.narrowed(entry, places, corrections)));
    const trial = trialLedger(this.context.ledger, this.others(order, asked[0]));
    const { service, lists, named } = this.fromService();
    const context = { ...this.context, ledger: trial.ledger, service, named, onProgress: undefined };
    const run = newRunId(context.time.now());
    const startedAt = wallClock(context.time.now());
    await trial.ledger.startRun({ run, service: context.serviceKey, file: workbook.file, startedAt });
    const { baseline, evidence } = await this.about();
    const base = await openBaseline(context, workbook.file, baseline);
    await planSheets(context, run, chosen, base, {
      ...{ ...options, decisions, evidence, lists, first: TRIAL_PLACES },
      habitsOf: (mapping) => this.habitsOf(mapping),
    });
    return trial.rows();
  }

  /** The rows of the last plan that go before those of a sheet. */
  private others(order: readonly ImportSheet[], first: ImportSheet | undefined): TriedPlan | undefined {
    const { run } = this.file;
    if (run === undefined || first === undefined) return undefined;
    const before = new Set(order.slice(0, order.indexOf(first)).map(({ sheet }) => sheet.name));
    return { run, isBefore: ({ sheet }) => before.has(sheet) };
  }

  /** Rows of the last plan on the records of these rows, that are not among those asked for. */
  private async besideThem(
    planned: readonly PlannedRow[],
    places: readonly RowPlace[],
  ): Promise<readonly RowPlace[]> {
    const { run } = this.file;
    const asked = new Set(places.map(({ sheet, row }) => `${row} ${sheet}`));
    const found: RowPlace[] = [];
    for (const { resource, key, sheet } of planned) {
      if (run === undefined || key === null) continue;
      for (const other of await this.context.ledger.plannedFor(run, resource, key)) {
        const place = `${other.row} ${other.sheet}`;
        if (other.sheet !== sheet || asked.has(place)) continue;
        asked.add(place);
        found.push({ sheet, row: other.row });
      }
    }
    return found.slice(0, MOST_BESIDE);
  }

  /** A sheet with its header and the rows asked for alone, corrected. */
  private async narrowed(
    entry: ImportSheet,
    places: readonly RowPlace[],
    corrections: readonly CellCorrection[],
  ): Promise<ImportSheet> {
    const { sheet, mapping } = entry;
    const { name, hidden, layout } = sheet;
    const { headerRow } = mapping;
    const rows = places.filter((place) => place.sheet === name).map(({ row }) => row);
    const top = (await this.topOf(name)).filter(({ number }) => number <= headerRow);
    const raw = [...top, ...(await this.rawRows(entry, rows))];
    const wanted = new Set(rows);
    const own = corrections.filter(
      (one) => one.sheet === name && (one.row <= headerRow || wanted.has(one.row)),
    );
    const narrow = makeSheet(name, hidden, () => batchOf(raw), layout as SheetLayout | undefined);
    const { workbook } = correctedWorkbook(
      withSheets(this.file.workbook, [narrow]),
      own,
      this.file.options.locale,
    );
    return { ...entry, sheet: workbook.sheets[0] as Sheet };
  }

  private async rawRows({ sheet: { name }, mapping }: ImportSheet, rows: readonly number[]): Promise<Row[]> {
    await this.readWhole(name);
    const places = mapping.marks.has(ROW_MARK) ? await this.numbersOf(name, mapping) : undefined;
    const numbers = rows.map((row) => places?.get(row) ?? row).filter((row) => row > mapping.headerRow);
    return await this.file.rows.store.rows(name, numbers);
  }

  /** The places of rows that go by `#row`. */
  private numbersOf(name: string, mapping: SheetMapping): Promise<ReadonlyMap<number, number>> {
    const read = async (): Promise<ReadonlyMap<number, number>> => {
      const places = new Map<number, number>();
      for await (const batch of this.file.rows.store.batches(name))
        for (const row of batch) places.set(rowNumber(row, mapping), row.number);
      return places;
    };
    return kept(this.numbers, name, read);
  }

  /** Reads a sheet to its end, where no plan of this session did. */
  private readWhole(name: string): Promise<void> {
    const { workbook, rows } = this.file;
    return kept(this.read, name, async () => {
      const sheet = workbook.sheets.find((one) => one.name === name);
      if (sheet === undefined || rows.store.has(name)) return;
      for await (const _ of rows.store.kept(sheet).batches) this.context.signal?.throwIfAborted();
    });
  }

  private async about(): Promise<AboutFile> {
    const { rows, workbook, options } = this.file;
    const { resources: known } = this.context;
    const resources = resourcesOf(this.context, options.command);
    if (rows.about === undefined)
      rows.learn({
        baseline: await readBaseline(this.context, workbook, options),
        evidence: await readEvidence(this.context, workbook, undefined, { ...options, known, resources }),
      });
    return rows.about as AboutFile;
  }

  /** How the columns of the whole sheet are written, as the file has them. */
  private habitsOf(mapping: SheetMapping): Promise<ColumnHabits> {
    const { sheet, readers } = mapping;
    const by = [sheet, ...readers.map((reader, column) => `${column} ${reader?.name ?? ''}`)].join('\n');
    return kept(this.habits, by, async () => {
      await this.readWhole(sheet);
      const { layout } = this.file.workbook.sheets.find(({ name }) => name === sheet) ?? {};
      const rows = () => this.file.rows.store.batches(sheet);
      const whole = makeSheet(sheet, false, rows, layout as SheetLayout | undefined);
      return await columnHabits(whole, mapping, this.file.options.locale, this.context.signal);
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
    const own = corrections.filter(({ row }) => row <= this.searched());
    const by = JSON.stringify(own);
    if (this.known?.by === by) return await this.known.sheets;
    const recognise = async (): Promise<readonly RecognisedSheet[]> => {
      const sheets = await Promise.all(
        workbook.sheets.map(async ({ name, hidden, layout }) => {
          const top = await this.topOf(name);
          return makeSheet(name, hidden, () => batchOf(top), layout as SheetLayout | undefined);
        }),
      );
      const first = correctedWorkbook(withSheets(workbook, sheets), own, options.locale).workbook;
      const { resources: known } = this.context;
      const resources = resourcesOf(this.context, options.command);
      return await recogniseSheets(first, { ...options, known, resources });
    };
    const sheets = recognise();
    this.known = { by, sheets };
    return await sheets;
  }

  /** The last row in which a header may stand. */
  private searched(): number {
    const { headerRow = 0, choices = [] } = this.file.options;
    return Math.max(HEADER_SEARCH_ROWS, headerRow, ...choices.map((one) => one.headerRow ?? 0));
  }

  private topOf(name: string): Promise<readonly Row[]> {
    return kept(this.tops, name, async () => {
      const sheet = this.file.workbook.sheets.find((one) => one.name === name);
      return sheet === undefined ? [] : (await topRows(sheet, this.searched())).top;
    });
  }

  /** What was learned of the service lately: apart from what the session learned, which plans by it. */
  private fromService(): Learned {
    const now = this.context.time.now();
    if (this.learned === undefined || now - this.learned.at > FRESH) {
      const service = { ...this.context.service, onList: undefined };
      const context = { ...this.context, service };
      this.learned = { service, lists: openLookupLists(context), named: new NamedRecords(context), at: now };
    }
    return this.learned;
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

/** What was made for a key, or is made now; a failure is not kept. */
function kept<T>(all: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const made = all.get(key) ?? make();
  all.set(key, made);
  made.catch(() => all.delete(key));
  return made;
}
