import type { Ledger, StoredResult } from './ledger.ts';

const PAGE = 500;

/** A run's rows in plan order, a page at a time; `pending` keeps those without an outcome, `sheet` those of one sheet. */
export async function* eachRow(
  ledger: Ledger,
  run: string,
  filter: { readonly pending?: boolean; readonly sheet?: string } = {},
): AsyncGenerator<StoredResult, undefined> {
  let after = -1;
  for (;;) {
    const rows = await ledger.readRows(run, { after, limit: PAGE, ...filter });
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return undefined;
    after = last.planned.seq;
  }
}
