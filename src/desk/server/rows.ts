import type { RowChecks } from '../../api/check-rows.ts';
import type { RunTable } from '../../api/run-table.ts';
import { recordKey, type ShownRow } from '../../api/table-entries.ts';
import type { PlannedRow } from '../../core/plan.ts';
import type { TableRow } from '../contract/answers.ts';
import type { Desk } from './desk.ts';
import type { Draft } from './draft.ts';

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
export const ownCorrections = ({ corrections }: Pick<Draft, 'corrections'>) =>
  corrections.filter(({ text }) => text !== ACTION);

/** The rows of which something is corrected or decided, by their places. */
export const touchedBy = (draft: Draft): ReadonlySet<string> =>
  new Set([...ownCorrections(draft), ...draft.decisions].map(placeKey));

/** A row as the table shows it, with what was done to it on the page. */
export function toTableRow(draft?: Draft): (row: ShownRow) => TableRow {
  const corrected = new Set(draft?.corrections.map(placeKey));
  const decided = new Map(draft?.decisions.map((one) => [placeKey(one), one.decide]));
  return (row) => ({
    ...row,
    corrected: corrected.has(placeKey(row)),
    decided: decided.get(placeKey(row)) ?? null,
  });
}

/** The checks of single rows of a file. Throws StopError. */
export async function checksOf(desk: Desk, draft: Draft): Promise<RowChecks> {
  const { files } = desk;
  const [file, reading] = [files.pathOf(draft.source), files.readingOf(draft.source)];
  return await desk.checks.open(draft, { file, reading, options: desk.options() });
}

const inPlan = async (table: RunTable, { sheet, row }: Place): Promise<Partial<PlannedRow>> =>
  (await table.find(sheet, row))?.planned ?? {};

/** Others that are checked with rows, at most: on the same records. */
const MOST_BESIDE = 200;

/**
 * Plans rows once more with all that is corrected and decided, and those that were or are on the same record:
 * what comes of it takes their places in the plan.
 */
export async function planRows(
  desk: Desk,
  draft: Draft,
  table: RunTable,
  rows: readonly Place[],
): Promise<void> {
  const before = await table.keysOf(rows);
  const checks = await checksOf(desk, draft);
  const decided = new Set(draft.decisions.map(placeKey));
  const check = async (all: readonly Place[]) => {
    const planned = await table.placed(await checks.check(draft.corrections, draft.decisions, all));
    return await Promise.all(
      planned.map(async (row) => {
        // Once decided it is no conflict any more: what it was about stays, to be decided otherwise.
        const { apart } = decided.has(placeKey(row)) ? await inPlan(table, row) : row;
        return apart === undefined ? row : { ...row, apart };
      }),
    );
  };
  const first = await check(rows);
  const keys = new Set([...before, ...first.flatMap((row) => recordKey(row) ?? [])]);
  const beside = (await table.beside(rows, keys)).slice(0, MOST_BESIDE);
  const all = beside.length === 0 ? first : await check([...rows, ...beside]);
  await desk.runs.replaceRows(draft.run, all);
  await table.take(all);
}
