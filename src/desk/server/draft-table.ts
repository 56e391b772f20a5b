import type { Replacement, RunTable } from '../../api/run-table.ts';
import type { ShownRow } from '../../api/table-entries.ts';
import type { TableRow } from '../contract/documents.ts';
import { checkedBefore, keepChecked, ownCorrections, type Place, placeKey } from './checked-rows.ts';
import type { Desk } from './desk.ts';
import type { StoredDraft } from './drafts.ts';
import { runOf } from './plan-draft.ts';
import { runDocument } from './run-document.ts';

/** A row as the table shows it, with what was done to it on the page. */
export function toTableRow({ corrections, decisions }: StoredDraft): (row: ShownRow) => TableRow {
  const corrected = new Set(corrections.map(placeKey));
  const decided = new Map(decisions.map((one) => [placeKey(one), one.decide]));
  return (row: ShownRow & { readonly recordKey?: unknown }) => {
    const key = placeKey(row);
    const { recordKey: _, ...shown } = row;
    return { ...shown, corrected: corrected.has(key), decided: decided.get(key) ?? null };
  };
}

/** Tables that have their corrected rows, or get them: of those who ask at once, one has them checked. */
const filled = new WeakMap<RunTable, Promise<unknown>>();

/** The rows of a draft's plan, corrected ones as they would be. */
export async function draftTable(desk: Desk, draft: StoredDraft): Promise<RunTable> {
  const table = await desk.table(runOf(draft), true);
  if (!draft.stale) return table;
  const filling = filled.get(table) ?? fill(desk, draft, table);
  filled.set(table, filling);
  try {
    await filling;
  } catch (error) {
    filled.delete(table);
    throw error;
  }
  return table;
}

/** After a start of the program: what was not checked as it is corrected now is, where its plan was made. */
async function fill(desk: Desk, draft: StoredDraft, table: RunTable): Promise<void> {
  const known = checkedBefore(desk, draft);
  await table.adopt(known);
  const there = new Set(known.map(({ row }) => placeKey(row)));
  const missing = touchedBy(draft).filter((place) => !there.has(placeKey(place)));
  if (missing.length === 0 || !(await runDocument(desk, runOf(draft))).here) return;
  await checkAgain(desk, draft, table, missing);
}

const touchedBy = (draft: StoredDraft): Place[] => [
  ...new Map([...ownCorrections(draft), ...draft.decisions].map((one) => [placeKey(one), one])).values(),
];

/** Others that are checked with rows, at most: on the same records. */
const MOST_BESIDE = 200;

/**
 * Checks rows again with all corrections, and those that were or are on the same record, and puts them into
 * the table.
 */
export async function checkAgain(
  desk: Desk,
  draft: StoredDraft,
  table: RunTable,
  rows: readonly Place[],
): Promise<readonly ShownRow[]> {
  if (rows.length === 0) return [];
  const checks = await desk.checksOf(draft);
  const places = rows.map(({ sheet, row }) => ({ sheet, row }));
  const before = await table.keysOf(places);
  const check = (all: readonly Place[]) => checks.check(draft.corrections, draft.decisions, all);
  const first = await check(places);
  const keys = new Set([...before, ...first.flatMap(({ recordKey }) => recordKey ?? [])]);
  const beside = (await table.beside(first.length > 0 ? first : places, keys)).slice(0, MOST_BESIDE);
  const others = beside.map(({ sheet, row }) => ({ sheet, row }));
  const checked = beside.length === 0 ? first : await check([...places, ...others]);
  const put = await table.replace(checked);
  keepChecked(desk, draft, put);
  return checked;
}

/** Takes rows for those of the plan again, of which nothing is corrected or decided any more. */
export async function restoreRows(
  desk: Desk,
  draft: StoredDraft,
  table: RunTable,
  rows: readonly Place[],
): Promise<void> {
  const keys = new Set(await table.keysOf(rows));
  await table.restore(rows);
  keepChecked(desk, draft, [] satisfies Replacement[], rows);
  const before = await table.keysOf(rows);
  // Others may disagree with them again, or no longer.
  const beside = await table.beside(rows, new Set([...keys, ...before]));
  await checkAgain(desk, draft, table, beside.slice(0, MOST_BESIDE));
}
