import type { Writable } from 'node:stream';
import { EXIT, StopError, usageStop } from '../core/errors.ts';
import { INPUT_MARKS } from '../core/header.ts';
import { shorten } from '../core/issue.ts';
import { type Bilingual, composed, type Language, t, withFlag } from '../core/language.ts';
import { LIST_HEADERS, OWN_SHEETS } from '../core/own-sheets.ts';
import { type FieldChange, SELF, type Status, type Step } from '../core/plan.ts';
import { statusText, valueText } from '../core/row-text.ts';
import type { Value } from '../core/value.ts';
import {
  BASELINE_SHEET,
  type BaselineStamp,
  encodeBaselineRecord,
  encodeBaselineStamp,
  textsOf,
} from '../files/baseline-sheet.ts';
import type { ResultSheet } from '../files/result-sheet.ts';
import { checkNewBook, writeAtomically } from '../files/write-aside.ts';
import { encodeCell, safeCell } from '../import/map/safe-cell.ts';
import { resourceNamed } from '../import/map/sheet-by-headers.ts';
import { isClearable } from '../import/map/sheet-mapping.ts';
import { postedSheets } from '../import/results/posted-sheets.ts';
import { kindOf } from '../kinds/kinds.ts';
import { eachRow, type StoredResult } from '../ledger/ledger.ts';
import { findLateDoubles } from '../records/doubts.ts';
import type { ColumnType, ExportColumn } from '../records/listing.ts';
import { referredId } from '../records/references.ts';
import { sentRow } from '../records/sent-before.ts';
import {
  findNewValues,
  type RecordHistory,
  type RestoredFields,
  type UndoneRecord,
  type UndoRow,
  type UndoTools,
} from '../records/undo.ts';
import { type Context, wallClock } from '../run/context.ts';
import { refuseUnsendable, unknownRun } from '../run/runs.ts';
import type { Resource } from '../schema/resource.ts';
import { type BookFeed, writeBook } from '../xlsx/write/write-book.ts';
import type { WrittenRow, WrittenValue } from '../xlsx/write/written-book.ts';
import { fieldColumn, writtenSheet } from './export-columns.ts';

/** A run to take back. */
interface UndoRequest {
  readonly run: string;
  /** Where the workbook goes; `undo-RUN.xlsx` where the program runs when absent. */
  readonly out?: string | undefined;
  readonly language: Language;
}

/** An undo as it was written. */
export interface WrittenUndo extends Pick<UndoDocument, 'run' | 'file'> {
  /** Rows on each sheet. */
  readonly sheets: readonly { readonly sheet: string; readonly rows: number }[];
  /** Some rows delete what the run created. */
  readonly deletes: boolean;
  readonly cannot: readonly NotUndone[];
}

/** An undo as `--json` prints it. */
export interface UndoDocument {
  /** The run to take back. */
  readonly run: string;
  /** The workbook’s path: import it to take the run back. */
  readonly file: string;
  /** Rows of the workbook, of all sheets. */
  readonly rows: number;
  /** Rows of the run that can't be taken back. */
  readonly cannot: readonly {
    /** The sheet by its name in the file of the run. */
    readonly sheet: string;
    /** Its number there. */
    readonly row: number;
    /** Why, in the language of `lang`. */
    readonly why: string;
  }[];
}

/** An undo as one plain document. */
export function undoDocument({ run, file, sheets, cannot }: WrittenUndo, language: Language): UndoDocument {
  return {
    ...{ run, file },
    rows: sheets.reduce((sum, { rows }) => sum + rows, 0),
    cannot: cannot.map(({ sheet, row, why }) => ({ sheet, row, why: why[language] })),
  };
}

/**
 * Writes a workbook that takes a run back when it is imported; it looks as an export does. Nothing is sent.
 * Throws StopError with EXIT.usage for a file that exists or is no workbook by its name, and as `planUndo`.
 */
export async function writeUndo(context: Context, request: UndoRequest): Promise<WrittenUndo> {
  const { run, language } = request;
  const file = request.out ?? `undo-${run}.xlsx`;
  checkNewBook(file);
  const planned = await planUndo(context, run, language);
  const fill = (stream: Writable): Promise<void> =>
    writeBook(stream, file, { made: new Date(context.time.now()), language }, (book) =>
      fillUndo(book, context, planned, language),
    );
  const { place } = await writeAtomically(file, fill, { like: planned.file });
  const sheets = planned.sheets.map(({ resource, rows }) => ({ sheet: resource.sheet, rows: rows.length }));
  const deletes = planned.sheets.some(({ rows }) => rows.some(({ cells }) => cells['#action'] === 'delete'));
  return { run, file: place, sheets, deletes, cannot: planned.cannot };
}

async function fillUndo(
  book: BookFeed,
  context: Context,
  { sheets, cannot, stamp, posted }: PlannedUndo,
  language: Language,
): Promise<void> {
  for (const { resource, rows } of sheets) {
    const used = new Set(rows.flatMap(({ cells }) => Object.keys(cells)));
    const columns = undoColumns(resource).filter(({ header }) => used.has(header));
    // With numbers in place of names: it can be written where the service is away.
    const of = { context, resource, language, names: null };
    const cellsOf = ({ cells }: UndoRow): WrittenRow =>
      columns.map(({ header, type }) => undoneCell(cells[header] ?? null, type, language));
    await book.sheet(writtenSheet(of, resource.sheet, columns)).add(rows.map(cellsOf));
  }
  if (cannot.length > 0) await addUndone(book, cannot, language);
  const base = book.hidden(BASELINE_SHEET, encodeBaselineStamp(stamp));
  const records = sheets.flatMap(({ rows }) => rows.flatMap(({ base: left }) => left ?? []));
  await base.add(records.map(encodeBaselineRecord));
  for (const { name, rows } of posted) {
    const all: string[][] = [];
    for await (const row of rows) all.push(textsOf(row));
    await book.hidden(name, []).add(all);
  }
}

/** To the second, which a date cell holds exactly; with fractions it stays a text. */
const EXACT = /^\d{4}-\d{2}-\d{2}(?: \d{2}:\d{2}:\d{2})?$/;

function undoneCell(value: Value, type: ColumnType, language: Language): WrittenValue {
  const isText = typeof value === 'string' && !EXACT.test(value);
  return encodeCell(value, isText ? 'text' : type, language);
}

/** What to do first, then the fields in their order, and last what is to be known of a row. */
function undoColumns(resource: Resource): readonly ExportColumn[] {
  const text = (header: string, imported = false): ExportColumn => ({
    ...{ header, type: 'text', field: null, imported, path: [] },
  });
  const named = ('named' in resource ? resource.named : undefined) ?? [];
  return [
    ...INPUT_MARKS.map((mark) => text(mark, true)),
    ...Object.entries(resource.fields).flatMap(([name, field]) => {
      const beside = named.find(({ id }) => id === name)?.header;
      return [{ ...fieldColumn(name, field), path: [] }, ...(beside === undefined ? [] : [text(beside)])];
    }),
    text('#message'),
  ];
}

/** The list of what can't be taken back. */
async function addUndone(book: BookFeed, cannot: readonly NotUndone[], language: Language): Promise<void> {
  const shape = { role: 'shown', format: 'General', width: 14, note: [] } as const;
  const columns = LIST_HEADERS.undone[language].map((header) => ({ header, ...shape }));
  const sheet = book.sheet({ name: OWN_SHEETS.undone[language], table: 'tbl_undone', columns });
  await sheet.add(cannot.map(({ sheet, row, why }) => [sheet, row, why[language]]));
}

/** What takes a run back. */
interface PlannedUndo {
  /** The rows of each sheet, to be imported. */
  readonly sheets: readonly { readonly resource: Resource; readonly rows: readonly UndoRow[] }[];
  readonly cannot: readonly NotUndone[];
  /** What the run left, as the baseline of the workbook. */
  readonly stamp: BaselineStamp;
  /** What was posted, as a hidden sheet; none where nothing can be. */
  readonly posted: readonly ResultSheet[];
  /** The file that the run imported. */
  readonly file: string | undefined;
}

/**
 * Plans what takes a run back when it is imported: old values, deletes of what was created, opposite amounts;
 * what others changed since is a conflict there. Nothing is sent. Throws StopError with EXIT.usage for a run
 * that is not known, is being sent, or is of another service; with EXIT.file where nothing can be taken back.
 */
async function planUndo(context: Context, run: string, language: Language): Promise<PlannedUndo> {
  const record = await context.ledger.findRun(run);
  if (record === undefined) throw await unknownRun(context, run);
  refuseUnsendable(context, record);
  if (record.state === 'applying' && !context.exclusive) throw beingSent(run);
  const { rows, cannot } = await collect(context, run, language);
  if (rows.length === 0) throw nothingToUndo(run, cannot);
  const sheets = context.resources
    .map((resource) => ({ resource, rows: rows.filter((row) => row.resource.name === resource.name) }))
    .filter((one) => one.rows.length > 0);
  const names = sheets.map(({ resource }) => ({ resource: resource.name }));
  return {
    ...{ sheets, cannot, file: record.file },
    stamp: { service: context.serviceKey, at: new Date(context.time.now()).toISOString(), undoes: run },
    posted: postedSheets(context, run, names),
  };
}

async function collect(
  context: Context,
  run: string,
  language: Language,
): Promise<{ readonly rows: readonly UndoRow[]; readonly cannot: readonly NotUndone[] }> {
  const histories = createHistories();
  for await (const result of eachRow(context.ledger, run)) histories.add(result);
  const tools: UndoTools = {
    ...{ run, language, resources: context.resources },
    restore: restoreFields,
    now: wallClock(context.time.now()),
    findId: (value) => referredId(context, value),
    newValues: (...of) => findNewValues(context, ...of),
  };
  const rows: UndoRow[] = [];
  const cannot: NotUndone[] = [...histories.notUndone];
  const add = ({ sheet, row }: Pick<NotUndone, 'sheet' | 'row'>, undone: UndoneRecord): void => {
    if (undone.row !== null) rows.push(undone.row);
    for (const why of undone.cannot) cannot.push({ sheet, row, why });
  };
  for (const resource of context.resources) {
    const of = { ...context, resource };
    const find = kindOf(resource).doubles?.(of);
    for (const { posting, text } of find === undefined ? [] : await findLateDoubles(of, find, run)) {
      const { sheet = resource.sheet, row = 0 } = (await sentRow(of, posting))?.planned ?? {};
      cannot.push({ sheet, row, why: text });
    }
  }
  for (const history of histories.records()) {
    const resource = resourceNamed(context, history.resource);
    add(history, (await kindOf(resource).undo?.(resource, history, tools)) ?? notUndone(resource));
  }
  for (const { planned } of histories.posted) {
    const resource = resourceNamed(context, planned.resource);
    add(planned, (await kindOf(resource).undoPosted?.(resource, planned, tools)) ?? notUndone(resource));
  }
  return { rows, cannot };
}

/** A document stays on its event, a file on this machine. */
function notUndone({ command }: Resource): UndoneRecord {
  const why = t(
    `what ${command} did can’t be taken back from here`,
    `wat ${command} deed is van hieruit niet terug te draaien`,
  );
  return { row: null, cannot: command === undefined ? [] : [why] };
}

const beingSent = (run: string): StopError =>
  usageStop(
    t(`Run ${run} is being sent.`, `Run ${run} wordt verstuurd.`),
    t('Undo it when it is done.', 'Draai hem terug als hij klaar is.'),
  );

function nothingToUndo(run: string, [first]: readonly NotUndone[]): StopError {
  const place = first === undefined ? '' : ` (${first.sheet} ${first.row})`;
  const message = composed(first === undefined ? [] : [first.why], (...all) =>
    t(
      `Run ${run} changed nothing that can be taken back${place}${all.map(({ en }) => `: ${en}`).join('')}.`,
      `Run ${run} heeft niets gewijzigd dat terug te draaien is${place}${all.map(({ nl }) => `: ${nl}`).join('')}.`,
    ),
  );
  const next = withFlag(
    t('The run shows what became of every row.', 'De run laat zien wat er van elke rij geworden is.'),
    `catersheet runs ${run}`,
  );
  return new StopError(EXIT.file, message, { next });
}

/** A row of a run that can't be taken back, and why. */
interface NotUndone {
  readonly sheet: string;
  readonly row: number;
  readonly why: Bilingual;
}

/** Gathers what a run did; rows on one record become one history, from before the first to after the last. */
export function createHistories() {
  const records = new Map<string, RecordHistory>();
  const posted: StoredResult[] = [];
  const notUndone: NotUndone[] = [];
  return {
    /** Rows that were posted. */
    posted,
    /** Rows of which nobody knows what became; one that was not sent, or refused, changed nothing. */
    notUndone,
    add(result: StoredResult): void {
      const { planned, outcome, progress } = result;
      const isDone = outcome !== null && DONE.has(outcome.status);
      const steps = isDone ? planned.steps : planned.steps.slice(0, progress?.done ?? 0);
      if (steps.some(isPost)) posted.push(result);
      else if (steps.length > 0) addSteps(records, result, steps);
      else if (planned.steps.length > 0 && isInDoubt(result))
        notUndone.push({ sheet: planned.sheet, row: planned.row, why: MAYBE_THERE });
    },
    /** Changed records, in the order in which they were first written. */
    records: () => [...records.values()].filter((history) => !isAsItWas(history)),
  };
}

const DONE: ReadonlySet<string> = new Set(['created', 'updated', 'deleted'] satisfies Status[]);

const isPost = ({ purpose }: Step): boolean => purpose === 'post';

function isInDoubt(result: StoredResult): boolean {
  const { outcome, progress } = result;
  return (
    statusText(result, false) === 'unknown' || (outcome === null && (progress?.sendingSince ?? null) !== null)
  );
}

const MAYBE_THERE = t(
  'it was sent and no answer is known: it may be there; settle its row first, as the run says how',
  'het is verstuurd en er is geen antwoord bekend: het kan er staan; handel eerst zijn rij af, zoals bij de run staat',
);

function addSteps(records: Map<string, RecordHistory>, result: StoredResult, steps: readonly Step[]): void {
  const { planned, outcome, progress } = result;
  const name = `${planned.resource} ${planned.key ?? `row ${planned.seq}`}`;
  const { resource, sheet, row, lmt } = planned;
  const existed = planned.steps[0]?.purpose !== 'create';
  const history: RecordHistory = records.get(name) ?? {
    ...{ resource, sheet, row, id: null, external: null, label: null, existed },
    ...{ before: existed ? lmt : null, last: 'wrote', sent: {}, changes: new Map() },
  };
  records.set(name, history);
  history.id = outcome?.id ?? progress?.id ?? planned.id ?? history.id;
  history.external = planned.external ?? history.external;
  history.label = planned.about?.label ?? history.label;
  for (const step of steps) addStep(history, step);
  if (steps[0]?.purpose !== 'update') return;
  for (const { field, from, to, sent = from } of planned.changes)
    history.changes.set(field, { field, from: (history.changes.get(field) ?? { from: sent }).from, to });
}

function addStep(history: RecordHistory, { purpose, body }: Step): void {
  if (purpose === 'create') history.last = 'made';
  if (purpose === 'delete') {
    history.last = 'deleted';
    for (const member of Object.keys(history.sent)) delete history.sent[member];
  }
  if (purpose === 'delete' || purpose === 'create') history.changes.clear();
  for (const [member, value] of Object.entries(body)) if (value !== SELF) history.sent[member] = value;
}

/** Whether a run left a record as it was; one created and deleted in a run never was. */
function isAsItWas({ existed, last, changes }: RecordHistory): boolean {
  if (last !== 'wrote') return last === 'deleted' && !existed;
  return [...changes.values()].every(({ from, to }) => from === to);
}

/** Gives fields their old values, where a cell can. */
export function restoreFields(resource: Resource, changes: readonly FieldChange[]): RestoredFields {
  const cells: Record<string, Value> = {};
  const was: Record<string, Value> = {};
  const left: Bilingual[] = [];
  for (const { field, from, to } of changes) {
    const cell = cellFor(resource, field, from);
    if (cell === null) {
      left.push(
        t(
          `${field} can't be set back to ${shorten(valueText(from, 'en'))}: no cell that is imported says so`,
          `${field} kan niet terug naar ${shorten(valueText(from, 'nl'))}: geen cel die geïmporteerd wordt zegt dat`,
        ),
      );
    } else {
      cells[field] = cell;
      was[field] = to;
    }
  }
  return { cells, was, left };
}

/** The cell that gives a field its old value, as an export takes it; null where no cell can. */
function cellFor(resource: Resource, name: string, from: Value): Value {
  const field = resource.fields[name];
  if (field === undefined) return null;
  if (from === null || from === '')
    return field.reads !== 'none' && isClearable(resource, name) ? '#CLEAR' : null;
  const column = { header: name, type: field.codec.type, field, imported: true, path: [] };
  let isLost = false;
  // As the service gives it: a day may lack its midnight.
  const value = field.codec.read(from);
  const cell = safeCell(value, column, WORKBOOK, () => {
    isLost = true;
  });
  if (isLost || cell === null) return null;
  if (typeof value === 'boolean') return value;
  return typeof cell === 'object' ? cell.date : cell;
}

/** How a cell is tried; numbers and booleans are written as the language has them later. */
const WORKBOOK = { language: 'en', locale: 'nl', csv: false } as const;
