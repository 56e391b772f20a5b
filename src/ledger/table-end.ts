import type { Cell, MovedLedger, MovedTable, Row } from './move-tables.ts';
import { plainText } from './plain-text.ts';
import { type Param, type Sql, statement } from './sql.ts';
import { asOut } from './stores/row-store.ts';

/** A ledger in any database as an end of a move. */
export const tableEnd = (sql: Pick<Sql, 'read' | 'write'>, place: string): MovedLedger => ({
  place,
  read: (table) => readTable(sql, table),
  async write({ name, key, others }, rows) {
    const all = [...key, ...others];
    const text = `insert into @${name} (${all.join(', ')}) values (${all.map(() => '?').join(', ')})`;
    await sql.write(rows.map((row) => statement(text, ...all.map((column) => row[column] ?? null))));
  },
  clear: async ({ name }) => void (await sql.write([statement(`delete from @${name}`)])),
});

async function* readTable(sql: Pick<Sql, 'read'>, table: MovedTable): AsyncGenerator<readonly Row[]> {
  const { name, key, others, batch } = table;
  const names = key.join(', ');
  const text = (where: string): string =>
    `select ${[...key, ...others].join(', ')} from @${name} ${where} order by ${names} limit ?`;
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
function plainRow({ name, key, others }: MovedTable, row: Readonly<Record<string, unknown>>): Row {
  const cells = [...key, ...others].map((column): [string, Cell] => {
    const value = row[column] as Cell | ArrayBuffer;
    if (value instanceof ArrayBuffer) return [column, Buffer.from(value)];
    return [column, typeof value === 'string' ? plainText(value) : value];
  });
  const plain = Object.fromEntries(cells);
  const { progress } = plain;
  if (name !== 'states' || typeof progress !== 'string') return plain;
  return { ...plain, progress: JSON.stringify(asOut(JSON.parse(progress))) };
}
