import type { RowDocument } from '../../api/documents.ts';
import { isUnsent } from '../../api/runs.ts';
import { type Language, t } from '../../core/language.ts';
import type { PlannedRow } from '../../core/plan.ts';
import { amountText } from '../../core/row-text.ts';
import type { Value } from '../../core/value.ts';
import type { KeptCorrection } from '../../import/correct/corrected-workbook.ts';
import { keepCorrected } from '../../import/keep-corrected.ts';
import type { AnswerOf, RowDetail, SameCells } from '../contract/answers.ts';
import type { ReadAskedOf } from '../contract/asked.ts';
import type { Desk } from './desk.ts';
import { NotFound, SENT_ALREADY } from './refusal.ts';
import { cellKey, type Draft } from './row-checks.ts';
import { type Place, placeKey, type RunRows, recordKey } from './run-rows.ts';
import { doneTo, draftOf, moneyOf, ownCorrections, runView, toTableRow } from './run-view.ts';

type Cell = Place & { readonly column: number };

/** Takes corrections and decisions, and plans their rows at once. */
export async function correct(
  desk: Desk,
  before: Draft,
  given: ReadAskedOf<'correct'>,
): Promise<AnswerOf<'correct'>> {
  const all = await desk.rowsOf(before.run);
  const [first] = given.corrections;
  const solved = first && (await solvedBy(all, before, first));
  const checks = await desk.checks.open(before);
  const typed = given.corrections.map(async ({ text, ...cell }) =>
    text === null ? [] : { ...cell, text: await checks.typed({ ...cell, text }, desk.language) },
  );
  const gone = new Set(given.corrections.map(cellKey));
  const corrections = [
    ...before.corrections.filter((one) => !gone.has(cellKey(one))),
    ...(await checks.kept((await Promise.all(typed)).flat())),
  ];
  const open = new Set(given.decisions.map(placeKey));
  const decisions = before.decisions.filter((one) => !open.has(placeKey(one)));
  for (const { decide, ...place } of given.decisions)
    if (decide !== null) decisions.push({ ...place, decide });
  const touched = [...given.corrections, ...given.decisions].map(({ sheet, row }) => ({ sheet, row }));
  const draft = await change(desk, { ...before, corrections, decisions }, touched);
  const rows = await Promise.all(touched.map((place) => all.find(place)));
  const isDecided = given.decisions.some(({ decide }) => decide !== null);
  return {
    rows: rows.flatMap((row) => (row === undefined ? [] : toTableRow(draft)(all.documentOf(row)))),
    same:
      first?.text == null || solved === undefined
        ? null
        : await sameOf(all, draft, { ...solved, ...first, text: first.text }),
    conflicts: isDecided ? (await openConflicts(all, draft)).length : 0,
  };
}

/** Keeps what is corrected and decided, and plans rows by it: all are planned anew before anything is sent. */
async function change(desk: Desk, wanted: Draft, rows: readonly Place[]): Promise<Draft> {
  const checks = await desk.checks.open(wanted);
  const draft = { ...wanted, corrections: await checks.withActionHeaders(ownCorrections(wanted)) };
  if (!(await keepCorrected(await desk.ledger(), draft.run, draft))) throw SENT_ALREADY();
  await planRows(desk, draft, await desk.rowsOf(draft.run), rows);
  return draft;
}

/** Others that are checked with rows, at most: on the same records. */
const MOST_BESIDE = 200;

/**
 * Plans rows once more with all that is corrected and decided, and those that were or are on the same record:
 * what comes of it takes their places in the plan.
 */
async function planRows(desk: Desk, draft: Draft, all: RunRows, places: readonly Place[]): Promise<void> {
  const before = await Promise.all(places.map((place) => all.entry(place)));
  const checks = await desk.checks.open(draft);
  const { decided } = doneTo(draft);
  const check = async (of: readonly Place[]): Promise<readonly PlannedRow[]> => {
    const planned = await checks.check(draft, of);
    const placed = planned.map(async (row) => {
      const { seq } = (await all.entry(row)) ?? {};
      if (seq === undefined) return [];
      // Once decided it is no conflict any more: what it was about stays, to be decided otherwise.
      const { apart } = decided.has(placeKey(row)) ? ((await all.find(row))?.planned ?? {}) : row;
      return { ...row, seq, ...(apart && { apart }) };
    });
    return (await Promise.all(placed)).flat();
  };
  const first = await check(places);
  const keys = new Set([...before.map((entry) => entry?.key), ...first.map(recordKey)]);
  const own = new Set(places.map(placeKey));
  const beside = (await all.entries()).filter(
    (entry) => entry.key !== null && keys.has(entry.key) && !own.has(placeKey(entry)),
  );
  const rows = beside.length === 0 ? first : await check([...places, ...beside.slice(0, MOST_BESIDE)]);
  await (await desk.ledger()).replaceRows(draft.run, rows);
  await all.take(rows);
}

/** The problem of a cell as it stands now: the first that stops its row, else the first of any kind. */
async function issueAt(all: RunRows, cell: Cell) {
  const own = (await all.entry(cell))?.issues.filter(({ column }) => column === cell.column) ?? [];
  return own.find(({ severity }) => severity === 'error') ?? own[0];
}

/** The problem that other cells may have too: a first try at a correction that was wrong is not what these have. */
async function solvedBy(all: RunRows, { corrections }: Draft, cell: Cell) {
  const tried = corrections.find((one) => cellKey(one) === cellKey(cell));
  if (tried === undefined) return await issueAt(all, cell);
  const { sheet, column } = cell;
  return (await all.entries())
    .flatMap((entry) => (entry.sheet === sheet ? entry.issues : []))
    .find((issue) => issue.column === column && issue.found === tried.was);
}

/** The rows that have this problem in this column, with the same text found there. */
async function alike(all: RunRows, of: Omit<SameCells, 'row' | 'text' | 'count'>): Promise<readonly Place[]> {
  return (await all.entries()).filter(
    ({ sheet, issues }) =>
      sheet === of.sheet &&
      issues.some(
        ({ column, code, found }) => column === of.column && code === of.code && found === of.found,
      ),
  );
}

/** Other cells with the problem that a correction solved; null where it did not, or there are none. */
async function sameOf(
  all: RunRows,
  { corrections }: Draft,
  { sheet, row, column, code, found, text }: Omit<SameCells, 'count'>,
): Promise<SameCells | null> {
  if ((await issueAt(all, { sheet, row, column }))?.code === code) return null;
  const corrected = new Set(corrections.map(cellKey));
  const { length: count } = (await alike(all, { sheet, column, code, found })).filter(
    (one) => !corrected.has(cellKey({ ...one, column })),
  );
  return count === 0 ? null : { sheet, row, column, code, found, text, count };
}

/**
 * Gives all other cells with the same problem the same text, or takes that back: a cell that was corrected otherwise
 * keeps what it was given, and so does the one that all began with.
 */
export async function correctSame(
  desk: Desk,
  before: Draft,
  { run: _, text, back, row: first, ...issue }: ReadAskedOf<'correctSame'>,
): Promise<AnswerOf<'correctSame'>> {
  const { sheet, column } = issue;
  const checks = await desk.checks.open(before);
  const typed = await checks.typed({ sheet, column, text }, desk.language);
  const began = before.corrections.find((one) => cellKey(one) === cellKey({ sheet, row: first, column }));
  const isAlike = (one: KeptCorrection): boolean =>
    one.sheet === sheet && one.column === column && one.text === typed && one.was === began?.was;
  const found = back ? before.corrections.filter(isAlike) : await alike(await desk.rowsOf(before.run), issue);
  const rows = found.flatMap(({ row }) => (row === first ? [] : { sheet, row }));
  const places = new Set(rows.map(placeKey));
  const others = before.corrections.filter((one) => one.column !== column || !places.has(placeKey(one)));
  const same = rows.map(({ row }) => ({ sheet, row, column, text: typed }));
  const corrections = back ? others : [...others, ...(await checks.kept(same))];
  await change(desk, { ...before, corrections }, rows);
  return { changed: rows.length };
}

/** The conflicts that nobody decided yet: one in which the record is left as it is stays a conflict. */
async function openConflicts(all: RunRows, draft: Draft): Promise<readonly Place[]> {
  const { decided } = doneTo(draft);
  return (await all.entries()).filter(
    (entry) => entry.status === 'conflict' && !decided.has(placeKey(entry)),
  );
}

/** Decides all conflicts that are open in one way, and plans their rows. */
export async function decideAll(
  desk: Desk,
  before: Draft,
  { decide }: ReadAskedOf<'decideAll'>,
): Promise<AnswerOf<'decideAll'>> {
  const rows = await openConflicts(await desk.rowsOf(before.run), before);
  const decisions = [...before.decisions, ...rows.map(({ sheet, row }) => ({ sheet, row, decide }))];
  await change(desk, { ...before, decisions }, rows);
  return { changed: rows.length };
}

/** A row of a run with what came of it; of a file on its way with its cells too. */
export async function rowDetail(desk: Desk, { run, ...place }: ReadAskedOf<'row'>): Promise<RowDetail> {
  const of = await runView(desk, run);
  const draft = await draftOf(desk, of);
  const all = await desk.rowsOf(run);
  const found = await all.find(place);
  if (found === undefined) throw new NotFound(t('row', 'rij'));
  const shown = all.documentOf(found);
  const { language } = desk;
  return {
    row: toTableRow(draft)(shown),
    ...(draft === undefined
      ? { cells: [], actions: [] }
      : await (await desk.checks.open(draft)).cells(shown, draft.corrections, language)),
    conflict: conflictOf(shown.conflict, found.planned.resource, language),
    doubtful: !isUnsent(of) && shown.status === 'unknown',
  };
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
