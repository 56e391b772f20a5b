import type { Resource } from '../schema/resource.ts';
import type { MappedRow } from './mapped-row.ts';
import type { RowPlanner, UnplacedRow } from './planning.ts';

/** So many rows are looked up together. */
export const WINDOW = 500;

/** How the rows of a sheet are gathered before they are planned. */
export interface RowWindows {
  /** The most rows of a window; Infinity for all rows of the sheet. */
  readonly window: number;
  /** Called before rows are added: what was planned so far is in the ledger. */
  readonly begin?: () => void;
  /**
   * Whether rows can be planned yet: `came` just came, so many wait, `last`: no more come. Absent: always.
   */
  readonly ready?:
    | ((came: readonly MappedRow[], waiting: number, last: boolean) => Promise<boolean>)
    | undefined;
}

/** Plans a sheet's rows in windows as they come; those of a window that is not full wait. */
export function planInWindows<R extends Resource>(
  { window, begin, ready }: RowWindows,
  plan: (rows: readonly MappedRow<R>[]) => Promise<readonly UnplacedRow[]>,
): RowPlanner {
  let waiting: MappedRow<R>[] = [];
  const planFirst = async (count: number): Promise<UnplacedRow[]> => {
    const rows = waiting.slice(0, count);
    waiting = waiting.slice(count);
    const planned: UnplacedRow[] = [];
    for (let start = 0; start < rows.length; start += window)
      for (const row of await plan(rows.slice(start, start + window))) planned.push(row);
    return planned;
  };
  return {
    async add(rows) {
      begin?.();
      for (const row of rows as readonly MappedRow<R>[]) waiting.push(row);
      const isReady = ready === undefined || (await ready(rows, waiting.length, false));
      // Whole windows only: what is looked up and saved for one row takes as long as for all of them.
      const whole = waiting.length - (waiting.length % window);
      return isReady && whole > 0 ? await planFirst(whole) : [];
    },
    async finish() {
      begin?.();
      await ready?.([], waiting.length, true);
      return await planFirst(waiting.length);
    },
  };
}
