import { issueAt } from '../../core/issue.ts';
import type { PlannedRow } from '../../core/plan.ts';
import { addressOf, issueOn, type MappedRow, type RowPlace, rowPlaceText } from '../../records/mapped-row.ts';
import type { RevisedRow, RunOf, UnplacedRow } from '../../records/planning.ts';
import { refusedRow } from '../../records/row-decision.ts';
import type { PostingResource } from '../../schema/resource.ts';

type Row = MappedRow<PostingResource>;

/** The first row that has a #key. */
interface Holder extends RowPlace {
  readonly address: string | null;
  /** The row while its window is planned, then as it is planned, then its `seq` in the ledger. */
  at: Row | UnplacedRow | number;
  isRefused: boolean;
}

export type Keys = ReturnType<typeof createKeys>;

/** Refuses all rows of a run that have one #key: nobody can tell which of them is meant. */
export function createKeys({ ledger, run }: RunOf<PostingResource>) {
  const holders = new Map<string, Holder>();
  let unsaved: Holder[] = [];
  const refused: { readonly holder: Holder; readonly key: string; readonly by: RowPlace }[] = [];
  return {
    /** To be called when the rows planned so far are in the ledger. */
    saved(): void {
      for (const holder of unsaved) holder.at = (holder.at as PlannedRow).seq;
      unsaved = [];
    },
    /** Notes the #key of a row; of two rows that have it both get an issue. */
    take(row: Row, key: string): void {
      const own = { sheet: row.mapping.sheet, row: row.row };
      const holder = holders.get(key);
      if (holder === undefined) {
        const first = { ...own, address: addressOf(row.mapping, '#key', row.row), at: row, isRefused: false };
        holders.set(key, first);
        unsaved.push(first);
        return;
      }
      row.issues.push(issueOn(row, '#key', twice(key, holder)));
      if (holder.isRefused) return;
      holder.isRefused = true;
      refused.push({ holder, key, by: own });
    },
    /** Refuses the first rows of keys that came again: those of this window, or planned; answers the saved ones. */
    async refuse(): Promise<RevisedRow[]> {
      const revised: RevisedRow[] = [];
      for (const { holder, key, by } of refused.splice(0)) {
        const issue = issueAt(twice(key, by), { field: '#key', address: holder.address });
        const { at } = holder;
        if (typeof at === 'number') {
          const [was] = await ledger.rowsAt(run, [at]);
          if (was !== undefined) revised.push({ was, now: refusedRow(was, [issue]) as PlannedRow });
        } else if ('mapping' in at) at.issues.push(issue);
        else Object.assign(at, refusedRow(at, [issue]));
      }
      return revised;
    },
    /** Notes how the rows of a window are planned. */
    planned(rows: readonly Row[], planned: readonly UnplacedRow[]): void {
      const now = new Map(rows.map((row, at) => [row, planned[at] as UnplacedRow]));
      for (const holder of unsaved) holder.at = now.get(holder.at as Row) ?? holder.at;
    },
  };
}

const twice = (key: string, other: RowPlace) =>
  ({ code: 'key-twice', found: key, hint: rowPlaceText(other) }) as const;
