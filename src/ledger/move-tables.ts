import { createHash } from 'node:crypto';
import { type Param, plainJson, plainText, type Sql, statement } from './sql.ts';
import { asOut } from './stores/row-store.ts';
import { columnsOf, TABLES, type Table } from './tables.ts';

/** A value of a ledger's table: the same in a file and in a database. */
type Cell = string | number | Buffer | null;
/** A row of a ledger's table, by column. */
export type Row = Readonly<Record<string, Cell>>;

/** One end of a move. */
export interface MovedLedger {
  /** How it is named in messages. */
  readonly place: string;
  /** The rows of a table, by its key, in batches. */
  read(table: Table): AsyncIterable<readonly Row[]>;
  /** Writes rows; all that is written is there for good, or none, once `done` is called. */
  write(table: Table, rows: readonly Row[]): Promise<void>;
  /** Removes all rows of a table. */
  clear(table: Table): Promise<void>;
}

/** What a table holds: how many rows, and a sum over all that they hold. */
export interface TableSum {
  readonly name: string;
  readonly rows: number;
  readonly sum: string;
}

/** Takes the sum of rows while they pass. */
export function summing(table: Table) {
  const hash = createHash('sha256');
  const columns = columnsOf(table);
  let count = 0;
  return {
    add(rows: readonly Row[]): void {
      for (const row of rows) {
        count++;
        for (const column of columns) hash.update(bytesOf(row[column] ?? null));
      }
    },
    rows: () => count,
    sum: (): TableSum => ({ name: table.name, rows: count, sum: hash.digest('hex') }),
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
  for (const table of TABLES) {
    const { add, sum } = summing(table);
    for await (const rows of ledger.read(table)) add(rows);
    sums.push(sum());
  }
  return sums;
}

/** A ledger in any database as an end of a move. */
export const tableEnd = (sql: Pick<Sql, 'read' | 'write'>, place: string): MovedLedger => ({
  place,
  read: (table) => readTable(sql, table),
  async write(table, rows) {
    const all = columnsOf(table);
    const text = `insert into @${table.name} (${all.join(', ')}) values (${all.map(() => '?').join(', ')})`;
    await sql.write(rows.map((row) => statement(text, ...all.map((column) => row[column] ?? null))));
  },
  clear: async ({ name }) => void (await sql.write([statement(`delete from @${name}`)])),
});

async function* readTable(sql: Pick<Sql, 'read'>, table: Table): AsyncGenerator<readonly Row[]> {
  const { name, batch } = table;
  const key = Object.keys(table.key);
  const names = key.join(', ');
  const text = (where: string): string =>
    `select ${columnsOf(table).join(', ')} from @${name} ${where} order by ${names} limit ?`;
  let rows = await sql.read(text(''), batch);
  while (rows.length > 0) {
    yield rows.map((row) => plainRow(table, row));
    const last = rows.at(-1) ?? {};
    const after = key.map((column) => last[column] as Param);
    const next = text(`where (${names}) > (${key.map(() => '?').join(', ')})`);
    rows = rows.length < batch ? [] : await sql.read(next, ...after, batch);
  }
}

/** A row without what counts on this machine alone, its texts as any database takes them. */
function plainRow(table: Table, row: Readonly<Record<string, unknown>>): Row {
  const cells = columnsOf(table).map((column): [string, Cell] => {
    const value = row[column] as Cell | ArrayBuffer;
    if (value instanceof ArrayBuffer) return [column, Buffer.from(value)];
    return [column, typeof value === 'string' ? plainText(value) : value];
  });
  const plain = Object.fromEntries(cells);
  const { outcome, progress } = plain;
  if (table.name !== 'states') return plain;
  return {
    ...plain,
    ...(typeof outcome === 'string' && { outcome: plainJson(JSON.parse(outcome)) }),
    ...(typeof progress === 'string' && { progress: JSON.stringify(asOut(JSON.parse(progress))) }),
  };
}
