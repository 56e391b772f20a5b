import { sql } from 'kysely';
import type { Cell, MovedLedger, MovedTable, Row } from '../move-tables.ts';
import type { Database, Db, Tx } from './database.ts';
import { SCHEMA } from './tables.ts';

/** A ledger in a database as an end of a move, read as it is at one moment. */
export async function withDatabaseEnd<T>(
  { db, place }: Database,
  work: (end: MovedLedger) => Promise<T>,
): Promise<T> {
  return await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(
      async (tx) =>
        await work({
          place,
          read: (table) => readTable(tx as Tx, table),
          clear: async ({ name }) =>
            void (await sql`delete from ${sql.table(`${SCHEMA}.${name}`)}`.execute(tx)),
          write: async (table, rows) => await writeTable(tx as Tx, table, rows),
        }),
    );
}

const names = (columns: readonly string[]) => sql.join(columns.map((column) => sql.ref(column)));

async function* readTable(db: Db, { name, key, others, batch }: MovedTable): AsyncGenerator<readonly Row[]> {
  const from = sql`select ${names([...key, ...others])} from ${sql.table(`${SCHEMA}.${name}`)}`;
  const order = sql`order by ${names(key)} limit ${sql.lit(batch)}`;
  let { rows } = await sql<Row>`${from} ${order}`.execute(db);
  while (rows.length > 0) {
    yield rows;
    const last = rows.at(-1) as Row;
    if (rows.length < batch) return;
    const after = sql.join(key.map((column) => sql`${last[column] as Cell}`));
    ({ rows } = await sql<Row>`${from} where (${names(key)}) > (${after}) ${order}`.execute(db));
  }
}

async function writeTable(db: Db, { name, key, others }: MovedTable, rows: readonly Row[]): Promise<void> {
  const columns = [...key, ...others];
  const values = rows.map((row) => withStatus(name, columns, row));
  if (values.length === 0) return;
  await (db as Db & { insertInto(table: string): { values(rows: unknown): { execute(): Promise<unknown> } } })
    .insertInto(name)
    .values(values)
    .execute();
}

/** The status of an outcome stands in a column of its own, by which it is asked for. */
function withStatus(name: string, columns: readonly string[], row: Row): Row {
  const plain = Object.fromEntries(columns.map((column) => [column, row[column] ?? null]));
  if (name !== 'states') return plain;
  const { outcome } = plain;
  const status = typeof outcome === 'string' ? (JSON.parse(outcome) as { status: string }).status : null;
  return { ...plain, status };
}
