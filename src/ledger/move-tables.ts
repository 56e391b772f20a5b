import { createHash } from 'node:crypto';

/** A value of a ledger's table: the same in a file and in a database. */
export type Cell = string | number | Buffer | null;
/** A row of a ledger's table, by column. */
export type Row = Readonly<Record<string, Cell>>;

/** A table as both kinds of ledger have it. */
export interface MovedTable {
  readonly name: string;
  /** What names a row, and the order in which rows are read. */
  readonly key: readonly string[];
  readonly others: readonly string[];
  /** Rows that are held in memory at once. */
  readonly batch: number;
}

const ROWS = 1000;
/** A chunk has up to 500 rows of a plan. */
const CHUNKS = 20;

/** Every table of a ledger, with every column. */
export const MOVED_TABLES: readonly MovedTable[] = [
  {
    ...{ name: 'runs', key: ['run'], batch: 50 },
    others: ['service', 'file', 'started_at', 'state', 'plan_version', 'counts', 'details', 'pruned_at'],
  },
  { name: 'chunks', key: ['run', 'last'], others: ['first', 'sheet', 'rows', 'keys'], batch: CHUNKS },
  { name: 'states', key: ['run', 'seq'], others: ['outcome', 'progress'], batch: ROWS },
  { name: 'sent', key: ['service', 'resource', 'id'], others: ['fields'], batch: ROWS },
  {
    ...{ name: 'postings', key: ['service', 'resource', 'fingerprint'], batch: ROWS },
    others: ['run', 'seq', 'state', 'at', 'id', 'alias_of'],
  },
  { name: 'facts', key: ['service', 'name'], others: ['value'], batch: ROWS },
  { name: 'keys', key: ['service', 'resource', 'external'], others: ['id', 'label'], batch: ROWS },
  {
    ...{ name: 'conflicts', key: ['service', 'resource', 'key'], batch: ROWS },
    others: ['run', 'lmt', 'fields'],
  },
  { name: 'applied', key: ['service', 'resource', 'key'], others: ['fields'], batch: ROWS },
  { name: 'writes', key: ['service', 'resource', 'key'], others: ['run', 'seq', 'at'], batch: ROWS },
  {
    ...{ name: 'resends', key: ['service', 'resource', 'fingerprint', 'run'], batch: ROWS },
    others: ['body'],
  },
  { name: 'unsettled', key: ['service', 'resource', 'key'], others: ['run', 'seq', 'at'], batch: ROWS },
];

/** One end of a move. */
export interface MovedLedger {
  /** How it is named in messages. */
  readonly place: string;
  /** The rows of a table, by its key, in batches. */
  read(table: MovedTable): AsyncIterable<readonly Row[]>;
  /** Writes rows; all that is written is there for good, or none, once `done` is called. */
  write(table: MovedTable, rows: readonly Row[]): Promise<void>;
  /** Removes all rows of a table. */
  clear(table: MovedTable): Promise<void>;
}

/** What a table holds: how many rows, and a sum over all that they hold. */
export interface TableSum {
  readonly name: string;
  readonly rows: number;
  readonly sum: string;
}

/** Takes the sum of rows while they pass. */
export function summing({ name, key, others }: MovedTable) {
  const hash = createHash('sha256');
  const columns = [...key, ...others];
  let count = 0;
  return {
    add(rows: readonly Row[]): void {
      for (const row of rows) {
        count++;
        for (const column of columns) hash.update(bytesOf(row[column] ?? null));
      }
    },
    rows: () => count,
    sum: (): TableSum => ({ name, rows: count, sum: hash.digest('hex') }),
  };
}

/** A value with its kind and length before it, so that no two rows look alike. */
function bytesOf(value: Cell): Buffer {
  if (value === null) return Buffer.from('-');
  const kind = typeof value === 'string' ? 't' : typeof value === 'number' ? 'n' : 'b';
  const bytes = typeof value === 'object' ? value : Buffer.from(String(value));
  return Buffer.concat([Buffer.from(`${kind}${bytes.length}:`), bytes]);
}

/** The sums of all that a ledger holds. */
export async function sumsOf(ledger: Pick<MovedLedger, 'read'>): Promise<TableSum[]> {
  const sums: TableSum[] = [];
  for (const table of MOVED_TABLES) {
    const { add, sum } = summing(table);
    for await (const rows of ledger.read(table)) add(rows);
    sums.push(sum());
  }
  return sums;
}
