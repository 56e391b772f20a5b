import { basename } from 'node:path';
import { changesOf } from '../../api/read-record.ts';
import { t } from '../../core/language.ts';
import type { PlannedRow } from '../../core/plan.ts';
import { keepCorrected } from '../../import/plan/saved-plan.ts';
import type { AnswerOf, Offer } from '../contract/answers.ts';
import type { Decision, ReadAskedOf } from '../contract/asked.ts';
import { NotFound, SENT_ALREADY } from './answering.ts';
import type { Desk } from './desk.ts';
import { cellKey, type Draft } from './row-checks.ts';
import { doneTo, type Place, placeKey, type RunRows, recordKey } from './run-rows.ts';
import { lookAt, SANDBOX } from './run-view.ts';

type Cell = Place & { readonly column: number };

/** Takes corrections and decisions, and plans their rows at once. */
export async function correct(
  desk: Desk,
  before: Draft,
  given: ReadAskedOf<'correct'>,
): Promise<AnswerOf<'correct'>> {
  const { all } = await lookAt(desk, before.run);
  const [first] = given.corrections;
  // A first try that was wrong is not what others hold.
  const tried = first && before.corrections.find((one) => cellKey(one) === cellKey(first));
  const found = tried?.was ?? (first && (await issueAt(all, first))?.found);
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
  const draft = { ...before, corrections, decisions };
  // All are planned anew before anything is sent.
  if (!(await keepCorrected(await desk.ledger(), draft.run, draft))) throw SENT_ALREADY();
  all.done = doneTo(draft);
  const touched = [...given.corrections, ...given.decisions].map(({ sheet, row }) => ({ sheet, row }));
  await planRows(desk, draft, all, touched);
  const decide = given.decisions[0]?.decide;
  if (decide != null) return { offer: await sameDecision(all, decide) };
  const { text = null } = first ?? {};
  if (first === undefined || text === null || found === undefined) return { offer: null };
  return { offer: await sameText(all, draft, { ...first, text }, found) };
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
  const check = async (of: readonly Place[]): Promise<readonly PlannedRow[]> => {
    const planned = await checks.check(draft, of);
    const placed = planned.map(async (row) => {
      const { seq } = (await all.entry(row)) ?? {};
      if (seq === undefined) return [];
      // Once decided it is no conflict any more: what it was about stays, to be decided otherwise.
      const { apart } = all.done.decided.has(placeKey(row)) ? ((await all.find(row))?.planned ?? {}) : row;
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

/** The text of a cell for others that hold what it held; null where it solved nothing, or there are none. */
async function sameText(
  all: RunRows,
  draft: Draft,
  { text, ...cell }: Cell & { readonly text: string },
  found: string,
): Promise<Offer | null> {
  if ((await issueAt(all, cell))?.severity === 'error') return null;
  const { sheet, column } = cell;
  const corrected = new Set(draft.corrections.map(cellKey));
  const corrections = (await all.entries()).flatMap(({ row, issues, ...entry }) =>
    entry.sheet === sheet &&
    issues.some((issue) => issue.column === column && issue.found === found) &&
    !corrected.has(cellKey({ sheet, row, column }))
      ? { sheet, row, column, text }
      : [],
  );
  return corrections.length === 0 ? null : { found, text, corrections, decisions: [] };
}

/** A decision for the conflicts that are open; null where there are none. */
async function sameDecision(all: RunRows, decide: Decision): Promise<Offer | null> {
  // One in which the record is left as it is stays a conflict, which nobody has to decide.
  const decisions = (await all.entries()).flatMap(({ sheet, row, status }) =>
    status === 'conflict' && !all.done.decided.has(placeKey({ sheet, row })) ? { sheet, row, decide } : [],
  );
  return decisions.length === 0 ? null : { found: null, text: decide, corrections: [], decisions };
}

/** A row of a run with what came of it; of a file on its way with its cells too. */
export async function rowDetail(desk: Desk, { run, ...place }: ReadAskedOf<'row'>): Promise<AnswerOf<'row'>> {
  const { draft, all } = await lookAt(desk, run);
  const found = await all.find(place);
  if (found === undefined) throw new NotFound(t('row', 'rij'));
  const row = all.documentOf(found);
  if (draft === undefined) return { row, cells: [] };
  const checks = await desk.checks.open(draft);
  return { row, cells: await checks.cells(row, draft.corrections, desk.language) };
}

/** What was sent to the record of a row by this ledger: nothing to one that is new, or has no number of its own. */
export async function recordHistory(
  desk: Desk,
  { run, ...place }: ReadAskedOf<'history'>,
): Promise<AnswerOf<'history'>> {
  const { of, all } = await lookAt(desk, run);
  const found = await all.find(place);
  if (found === undefined) throw new NotFound(t('row', 'rij'));
  const { planned, outcome } = found;
  const id = outcome?.id ?? planned.id;
  if (id === null) return { changes: [] };
  const baseUrl = of.service === SANDBOX ? null : of.service;
  const { changes } = await changesOf(desk.runs, {
    resource: planned.resource,
    number: id,
    isId: true,
    baseUrl,
  });
  return { changes: changes.map((one) => ({ ...one, file: basename(one.file) })) };
}
