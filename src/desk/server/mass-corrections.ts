import type { RunTable } from '../../api/run-table.ts';
import type { CorrectedDocument } from '../contract/documents.ts';
import type { ReadBodyOf } from '../contract/routes.ts';
import { type Place, placeKey } from './checked-rows.ts';
import type { Desk } from './desk.ts';
import { checkAgain, draftTable, restoreRows } from './draft-table.ts';
import type { StoredDraft } from './drafts.ts';
import { cellNumbers } from './typed-numbers.ts';

type Counts = CorrectedDocument['counts'];

/** Gives all cells with the same problem the same text, or takes all these corrections back. */
export async function correctSame(
  desk: Desk,
  before: StoredDraft,
  { text, ...issue }: ReadBodyOf<'correctSame'>,
): Promise<{ corrected: number; counts: Counts }> {
  const table = await draftTable(desk, before);
  if (text === null) return await takeSameBack(desk, before, table, issue);
  const { sheet, column } = issue;
  const typed = await cellNumbers(desk, before, sheet, 'toFile');
  const rows = await table.withFound(issue);
  const places = new Set(rows.map(placeKey));
  const kept = before.corrections.filter((one) => one.column !== column || !places.has(placeKey(one)));
  const corrections = [
    ...kept,
    ...rows.map(({ row }) => ({ sheet, row, column, text: typed(column, text) })),
  ];
  const draft = desk.drafts.change(before.id, { corrections, stale: true });
  await checkAgain(desk, draft, table, rows);
  return { corrected: rows.length, counts: await table.counts() };
}

async function takeSameBack(
  desk: Desk,
  before: StoredDraft,
  table: RunTable,
  issue: Omit<ReadBodyOf<'correctSame'>, 'text'>,
): Promise<{ corrected: number; counts: Counts }> {
  const had = new Set(table.hadFound(issue).map(placeKey));
  const isTaken = (one: Place & { readonly column: number }): boolean =>
    one.column === issue.column && had.has(placeKey(one));
  const taken = before.corrections.filter(isTaken);
  const corrections = before.corrections.filter((one) => !isTaken(one));
  const draft = desk.drafts.change(before.id, { corrections, stale: true });
  const left = new Set([...corrections, ...draft.decisions].map(placeKey));
  await restoreRows(
    desk,
    draft,
    table,
    taken.filter((one) => !left.has(placeKey(one))),
  );
  await checkAgain(
    desk,
    draft,
    table,
    taken.filter((one) => left.has(placeKey(one))),
  );
  return { corrected: taken.length, counts: await table.counts() };
}

/** How many corrected cells had the same problem as this one had. */
export function solvedLike(
  table: RunTable,
  { corrections }: StoredDraft,
  issue: Parameters<RunTable['hadFound']>[0],
): number {
  const had = new Set(table.hadFound(issue).map(placeKey));
  return corrections.filter((one) => one.column === issue.column && had.has(placeKey(one))).length;
}

/** The conflicts that nobody decided yet: one in which the record is left as it is stays a conflict. */
export async function openConflicts(
  table: RunTable,
  { decisions }: Pick<StoredDraft, 'decisions'>,
): Promise<readonly Place[]> {
  const decided = new Set(decisions.map(placeKey));
  return (await table.withStatus('conflict')).filter((place) => !decided.has(placeKey(place)));
}

/** Decides all conflicts that are open in one way, and checks their rows. */
export async function decideAll(
  desk: Desk,
  before: StoredDraft,
  { decide }: ReadBodyOf<'decideAll'>,
): Promise<{ decided: number; counts: Counts }> {
  const table = await draftTable(desk, before);
  const rows = await openConflicts(table, before);
  const decisions = [...before.decisions, ...rows.map(({ sheet, row }) => ({ sheet, row, decide }))];
  const draft = desk.drafts.change(before.id, { decisions, stale: true });
  await checkAgain(desk, draft, table, rows);
  return { decided: rows.length, counts: await table.counts() };
}
