import type { Cell, MovedLedger, Row } from './move-tables.ts';
import { plainJson, plainText } from './plain-text.ts';
import { type Param, type Sql, statement } from './sql.ts';
import { asOut } from './stores/row-store.ts';
import { columnsOf, type Table } from './tables.ts';

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
