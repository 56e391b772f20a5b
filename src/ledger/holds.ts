/** How much a ledger holds. */
export interface Holds {
  readonly runs: number;
  readonly rows: number;
  readonly records: number;
  readonly postings: number;
}

/** Asks for it. */
export const HOLDS = `select (select count(*) from @runs) as runs, (select count(*) from @states) as rows,
  (select count(*) from @keys) as records,
  (select count(*) from @postings where alias_of is null) as postings`;

/** Asks for chunks of plans after one, so many. */
export const NEXT_CHUNKS =
  'select run, first, last, rows from @chunks where (run, last) > (?, ?) order by run, last limit ?';
