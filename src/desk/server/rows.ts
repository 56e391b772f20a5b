import type { RowChecks } from '../../api/check-rows.ts';
import type { RunTable } from '../../api/run-table.ts';
import type { ShownRow } from '../../api/table-entries.ts';
import type { TableRow } from '../contract/answers.ts';
import type { Desk } from './desk.ts';
import { runOf, type StoredDraft } from './drafts.ts';
import { isHere } from './other-service.ts';

/** Where a row stands in the user's file. */
export interface Place {
  readonly sheet: string;
  readonly row: number;
}

/** Names a place. */
export const placeKey = ({ sheet, row }: Place): string => `${row}\0${sheet}`;

/** The mark of the cell that says what is to be done with a row. */
export const ACTION = '#action';

/** The corrections that the user made: but for the header that cells of `#action` got. */
export const ownCorrections = ({ corrections }: Pick<StoredDraft, 'corrections'>) =>
  corrections.filter(({ text }) => text !== ACTION);

/** The rows of which something is corrected or decided. */
const touchedBy = (draft: StoredDraft): Map<string, Place> =>
  new Map(
    [...ownCorrections(draft), ...draft.decisions].map(({ sheet, row }) => [
      placeKey({ sheet, row }),
      { sheet, row },
    ]),
  );

/** A row as the table shows it, with what was done to it on the page. */
export function toTableRow(draft?: StoredDraft): (row: ShownRow) => TableRow {
  const corrected = new Set(draft?.corrections.map(placeKey));
  const decided = new Map(draft?.decisions.map((one) => [placeKey(one), one.decide]));
  return (row) => ({
    ...row,
    corrected: corrected.has(placeKey(row)),
    decided: decided.get(placeKey(row)) ?? null,
  });
}

/** The checks of single rows of a draft. Throws StopError. */
export async function checksOf(desk: Desk, draft: StoredDraft): Promise<RowChecks> {
  return await desk.checks.open(draft, { file: desk.drafts.fileOf(draft), options: desk.options() });
}

/** Tables that have their corrected rows, or get them: of those who ask at once, one has them checked. */
const filled = new WeakMap<RunTable, Promise<unknown>>();

/** The rows of a draft's plan, corrected ones as they would be: after a start of the program they are checked. */
export async function draftTable(desk: Desk, draft: StoredDraft): Promise<RunTable> {
  const table = await desk.table(runOf(draft));
  const touched = [...touchedBy(draft).values()];
  if (touched.length === 0 || !draft.stale || table.isReplaced) return table;
  // With another service than it was planned for nothing is checked.
  if (!isHere(desk, (await desk.runs.state(runOf(draft))).service)) return table;
  const filling = filled.get(table) ?? checkAgain(desk, draft, table, touched);
  filled.set(table, filling);
  try {
    await filling;
  } catch (error) {
    filled.delete(table);
    throw error;
  }
  return table;
}

/** Others that are checked with rows, at most: on the same records. */
const MOST_BESIDE = 200;

/**
 * Checks rows again with all corrections, and those that were or are on the same record, and puts them into
 * the table; those of which nothing is corrected or decided any more are as in the plan again.
 */
export async function checkAgain(
  desk: Desk,
  draft: StoredDraft,
  table: RunTable,
  rows: readonly Place[],
): Promise<void> {
  const touched = touchedBy(draft);
  const before = await table.keysOf(rows);
  const own = rows.filter((place) => touched.has(placeKey(place)));
  await table.restore(rows.filter((place) => !touched.has(placeKey(place))));
  const checks = await checksOf(desk, draft);
  const check = async (all: readonly Place[]) =>
    all.length === 0 ? [] : await checks.check(draft.corrections, draft.decisions, all);
  const first = await check(own);
  const keys = [
    ...before,
    ...(await table.keysOf(rows)),
    ...first.flatMap(({ recordKey }) => recordKey ?? []),
  ];
  const beside = (await table.beside(rows, new Set(keys))).slice(0, MOST_BESIDE);
  await table.replace(beside.length === 0 ? first : await check([...own, ...beside]));
}
