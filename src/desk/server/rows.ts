import type { RowDocument } from '../../api/documents.ts';
import type { PlannedRow } from '../../core/plan.ts';
import type { TableRow } from '../contract/answers.ts';
import type { Desk } from './desk.ts';
import type { Draft } from './draft.ts';
import { ACTION } from './row-checks.ts';
import { type Place, placeKey, type RunRows, recordKey } from './run-rows.ts';

/** The corrections that the user made: but for the header that cells of `#action` got. */
export const ownCorrections = ({ corrections }: Pick<Draft, 'corrections'>) =>
  corrections.filter(({ text }) => text !== ACTION);

/** The rows of which something was corrected or decided, and those that were decided, by their places. */
export const doneTo = (draft?: Draft) => ({
  touched: new Set(draft && [...ownCorrections(draft), ...draft.decisions].map(placeKey)),
  decided: new Set(draft?.decisions.map(placeKey)),
});

/** A row as the table shows it, with what was done to it on the page. */
export function toTableRow(draft?: Draft): (row: RowDocument) => TableRow {
  const corrected = new Set(draft?.corrections.map(placeKey));
  const decided = new Map(draft?.decisions.map((one) => [placeKey(one), one.decide]));
  return (row) => ({
    ...row,
    corrected: corrected.has(placeKey(row)),
    decided: decided.get(placeKey(row)) ?? null,
  });
}

/** Others that are checked with rows, at most: on the same records. */
const MOST_BESIDE = 200;

/**
 * Plans rows once more with all that is corrected and decided, and those that were or are on the same record:
 * what comes of it takes their places in the plan.
 */
export async function planRows(
  desk: Desk,
  draft: Draft,
  all: RunRows,
  places: readonly Place[],
): Promise<void> {
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
