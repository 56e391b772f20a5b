import type { RowDocument } from '../../api/documents.ts';
import { moneyOf, requestOf } from '../../api/known-kinds.ts';
import { rowDocument } from '../../api/make-documents.ts';
import type { RunTable } from '../../api/run-table.ts';
import { addressColumn, columnLetters } from '../../core/cell.ts';
import { type Language, onPage, t } from '../../core/language.ts';
import { amountText } from '../../core/row-text.ts';
import type { Value } from '../../core/value.ts';
import type { StoredResult } from '../../ledger/ledger.ts';
import type { AnswerOf, RowCell, RowDetail, SameCells } from '../contract/answers.ts';
import type { ReadBodyOf } from '../contract/asked.ts';
import type { Desk } from './desk.ts';
import type { StoredDraft } from './drafts.ts';
import { NotFound } from './refusal.ts';
import { ACTION, checkAgain, checksOf, draftTable, type Place, placeKey, toTableRow } from './rows.ts';
import { isUnsent } from './run-view.ts';
import { cellNumbers } from './typed-numbers.ts';

type Cell = Place & { readonly column: number };
type Corrections = StoredDraft['corrections'];

const cellKey = (cell: Cell): string => `${cell.column}\0${placeKey(cell)}`;

/** Takes corrections and decisions, and checks their rows at once. */
export async function correct(
  desk: Desk,
  before: StoredDraft,
  given: ReadBodyOf<'correct'>,
): Promise<AnswerOf<'correct'>> {
  const table = await draftTable(desk, before);
  const [first] = given.corrections;
  const solved =
    first === undefined
      ? undefined
      : ((await plannedIssueAt(desk, table, first)) ?? (await issueAt(table, first)));
  const gone = new Set(given.corrections.map(cellKey));
  const corrections = before.corrections.filter((one) => !gone.has(cellKey(one)));
  for (const { text, ...cell } of given.corrections)
    if (text !== null)
      corrections.push({
        ...cell,
        text: (await cellNumbers(desk, before, cell.sheet, 'toFile'))(cell.column, text),
      });
  const open = new Set(given.decisions.map(placeKey));
  const decisions = before.decisions.filter((one) => !open.has(placeKey(one)));
  for (const { decide, ...place } of given.decisions)
    if (decide !== null) decisions.push({ ...place, decide });
  const draft = await changed(desk, before, corrections, decisions);
  const touched = [...given.corrections, ...given.decisions].map(({ sheet, row }) => ({ sheet, row }));
  await checkAgain(desk, draft, table, touched);
  const rows = await Promise.all(touched.map(({ sheet, row }) => table.document(sheet, row)));
  const isDecided = given.decisions.some(({ decide }) => decide !== null);
  return {
    rows: rows.flatMap((row) => row ?? []).map(toTableRow(draft)),
    same:
      first?.text == null || solved === undefined
        ? null
        : await sameOf(table, draft, { ...first, ...solved }),
    conflicts: isDecided ? (await openConflicts(table, draft)).length : 0,
  };
}

/** Keeps what was corrected and decided: the plan is made anew before anything is sent. */
async function changed(
  desk: Desk,
  before: StoredDraft,
  given: Corrections,
  decisions: StoredDraft['decisions'],
): Promise<StoredDraft> {
  const corrections = await withActionHeaders(desk, before, given);
  return desk.drafts.change(before.id, { corrections, decisions, stale: true });
}

/**
 * Corrections with a header over those that say what is to be done with a row, on sheets that have no
 * `#action`; without it where none of them is left.
 */
async function withActionHeaders(desk: Desk, before: StoredDraft, all: Corrections): Promise<Corrections> {
  const checks = await checksOf(desk, before);
  const kept = all.filter(({ text }) => text !== ACTION);
  for (const sheet of new Set(kept.map((one) => one.sheet))) {
    const action = (await checks.cells(sheet, [], before.corrections))?.action ?? null;
    if (action === null || action.own) continue;
    const { column, headerRow: row } = action;
    if (kept.some((one) => one.sheet === sheet && one.column === column))
      kept.push({ sheet, row, column, text: ACTION });
  }
  return kept;
}

/** The problem of a cell as it stands now. */
const issueAt = async (table: RunTable, cell: Cell) =>
  firstIssue((await table.document(cell.sheet, cell.row))?.issues, cell);

/** The one that it had in the plan: a first try at it that was wrong too is not what the other cells have. */
async function plannedIssueAt({ language }: Desk, table: RunTable, cell: Cell) {
  const found = await table.find(cell.sheet, cell.row);
  return found && firstIssue(rowDocument(found, true, language, onPage).issues, cell);
}

/** The first problem of a cell that stops its row, else the first of any kind. */
function firstIssue(issues: RowDocument['issues'] = [], { column }: Cell) {
  const own = issues.filter(({ cell }) => cell !== null && addressColumn(cell) === column);
  const issue = own.find(({ severity }) => severity === 'error') ?? own[0];
  return issue && { code: issue.code, found: issue.found };
}

/** Other cells with the problem that a correction solved; null where it did not, or there are none. */
async function sameOf(
  table: RunTable,
  { corrections }: StoredDraft,
  { sheet, row, column, code, found, text }: Cell & { code: string; found: string; text: string | null },
): Promise<SameCells | null> {
  if ((await issueAt(table, { sheet, row, column }))?.code === code) return null;
  const corrected = new Set(corrections.map(cellKey));
  const others = (await table.withFound({ sheet, column, code, found })).filter(
    (one) => !corrected.has(cellKey({ sheet, row: one.row, column })),
  );
  const { length: count } = others;
  return count === 0 || text === null ? null : { sheet, row, column, code, found, text, count };
}

/**
 * Gives all other cells with the same problem the same text, or takes that back: a cell that was corrected otherwise
 * keeps what it was given, and so does the one that all began with.
 */
export async function correctSame(
  desk: Desk,
  before: StoredDraft,
  { text, back, row: first, ...issue }: ReadBodyOf<'correctSame'>,
): Promise<AnswerOf<'correctSame'>> {
  const table = await draftTable(desk, before);
  const { sheet, column } = issue;
  const typed = (await cellNumbers(desk, before, sheet, 'toFile'))(column, text);
  const given = new Map(before.corrections.map((one) => [cellKey(one), one.text]));
  const rows = (back ? table.hadFound(issue) : await table.withFound(issue)).filter(
    ({ row }) => row !== first && (!back || given.get(cellKey({ sheet, row, column })) === typed),
  );
  const places = new Set(rows.map(placeKey));
  const corrections = before.corrections.filter((one) => one.column !== column || !places.has(placeKey(one)));
  if (!back) corrections.push(...rows.map(({ row }) => ({ sheet, row, column, text: typed })));
  const draft = await changed(desk, before, corrections, before.decisions);
  await checkAgain(desk, draft, table, rows);
  return { changed: rows.length };
}

/** The conflicts that nobody decided yet: one in which the record is left as it is stays a conflict. */
async function openConflicts(table: RunTable, { decisions }: StoredDraft): Promise<readonly Place[]> {
  const decided = new Set(decisions.map(placeKey));
  return (await table.withStatus('conflict')).filter((place) => !decided.has(placeKey(place)));
}

/** Decides all conflicts that are open in one way, and checks their rows. */
export async function decideAll(
  desk: Desk,
  before: StoredDraft,
  { decide }: ReadBodyOf<'decideAll'>,
): Promise<AnswerOf<'decideAll'>> {
  const table = await draftTable(desk, before);
  const rows = await openConflicts(table, before);
  const decisions = [...before.decisions, ...rows.map(({ sheet, row }) => ({ sheet, row, decide }))];
  await checkAgain(desk, await changed(desk, before, before.corrections, decisions), table, rows);
  return { changed: rows.length };
}

/** A row of a run with its requests and what came of them; of a file on its way with its cells too. */
export async function rowDetail(desk: Desk, run: string, { sheet, row }: Place): Promise<RowDetail> {
  const of = await desk.runs.state(run);
  const draft = isUnsent(of) ? desk.drafts.ofRun(run) : undefined;
  const table = draft === undefined ? await desk.table(run) : await draftTable(desk, draft);
  const found = await table.find(sheet, row);
  const shown = await table.document(sheet, row);
  if (found === undefined || shown === undefined) throw new NotFound(t('row', 'rij'));
  const { language } = desk;
  // Once decided it is no conflict any more: what it was about stays, to be decided otherwise.
  const conflict = shown.conflict ?? rowDocument(found, isUnsent(of), language, onPage).conflict;
  return {
    row: toTableRow(draft)(shown),
    ...(draft === undefined ? { cells: [], actions: [] } : await cellsOf(desk, draft, shown)),
    conflict: conflictOf(conflict, found.planned.resource, language),
    requests: requestsOf(found),
    doubtful: !isUnsent(of) && shown.status === 'unknown',
  };
}

/** The cells of a row as the page shows them, and what can be said in that of `#action`. */
async function cellsOf(desk: Desk, draft: StoredDraft, { sheet, row, issues = [] }: RowDocument) {
  const raw = await (await checksOf(desk, draft)).cells(sheet, [row], draft.corrections);
  const inFile = new Map(raw?.rows[0]?.cells.map(({ column, text }) => [column, text]));
  const own = new Map(
    draft.corrections.flatMap((one) =>
      one.sheet === sheet && one.row === row ? [[one.column, one.text]] : [],
    ),
  );
  const columns = [...(raw?.columns ?? [])];
  const action = raw?.action ?? null;
  if (action !== null && columns.every(({ column }) => column !== action.column)) {
    const { column } = action;
    const letters = columnLetters(column);
    columns.push({ column, letters, header: ACTION, field: ACTION, list: true, number: false });
  }
  const shownIn = await cellNumbers(desk, draft, sheet, 'toPage');
  const cells = columns.map(({ column, letters, header, field, list }): RowCell => {
    const stands = inFile.get(column) ?? '';
    return {
      ...{ column, letters, header, field, list },
      before: own.has(column) ? shownIn(column, stands) : null,
      text: shownIn(column, own.get(column) ?? stands),
      issues: issues.flatMap(({ cell, code, severity, message }) =>
        cell !== null && addressColumn(cell) === column ? [{ code, severity, message }] : [],
      ),
    };
  });
  return { cells, actions: action?.words ?? [] };
}

/** What each field of a conflict was, is now and was to be, as text. */
function conflictOf(
  conflict: RowDocument['conflict'] = [],
  resource: string,
  language: Language,
): RowDetail['conflict'] {
  const money = moneyOf(resource);
  return conflict.map(({ field, was, now, mine, names = {} }) => {
    const shown = (value: Value): string => {
      const text = amountText(value, money.includes(field), language);
      const name = names[String(value)];
      return name === undefined ? text : `${name} (${text})`;
    };
    const deleted = t('delete', 'verwijderen')[language];
    return { field, was: shown(was), now: shown(now), mine: mine === undefined ? deleted : shown(mine) };
  });
}

/** A row's requests, in the order in which they go out. */
function requestsOf({ planned: { steps }, outcome, progress }: StoredResult): RowDetail['requests'] {
  const isDone =
    (outcome?.status === 'created' || outcome?.status === 'updated') && outcome.unfinished !== true;
  const done = isDone ? steps.length : (progress?.done ?? 0);
  const isOut = progress !== null && progress.sendingSince !== null;
  return steps.map(({ endpoint }, at) => ({
    path: requestOf(endpoint),
    state: at < done ? 'done' : at === done && isOut ? 'out' : 'waiting',
  }));
}
