import type { Cell, MovedLedger, MovedTable, Row } from './move-tables.ts';
import { plainText } from './plain-text.ts';
import { asOut } from './run-store.ts';
import type { Db } from './schema.ts';
import { openDatabase } from './sqlite-ledger.ts';

/** A ledger in a file as an end of a move; what is written counts once `commit` is called. */
export interface FileEnd extends MovedLedger {
  begin(): void;
  commit(): void;
  close(): void;
}

/** Opens a ledger's file to be moved, or to be moved to. Throws StopError for what is none. */
export function openFileEnd(file: string): FileEnd {
  const db = openDatabase(file);
  return {
    place: file,
    read: (table) => readTable(db, table),
    write: async (table, rows) => writeTable(db, table, rows),
    clear: async ({ name }) => void db.exec(`delete from ${name}`),
    begin: () => void db.exec('begin immediate'),
    commit: () => void db.exec('commit'),
    close: () => void db.close(),
  };
}

async function* readTable(db: Db, table: MovedTable): AsyncGenerator<readonly Row[]> {
  const { name, key, others, batch } = table;
  const all = [...key, ...others];
  const rest = `(${key.join(', ')}) > (${key.map(() => '?').join(', ')})`;
  const query = (where: string) =>
    db.prepare(`select ${all.join(', ')} from ${name} ${where} order by ${key.join(', ')} limit ${batch}`);
  const [first, next] = [query(''), query(`where ${rest}`)];
  let rows = first.all() as Row[];
  while (rows.length > 0) {
    const last = rows.at(-1) as Row;
    yield rows.map((row) => plainRow(table, row));
    rows = rows.length < batch ? [] : (next.all(...key.map((column) => last[column])) as Row[]);
  }
}

/** A row without what counts on this machine alone, its texts as any database takes them. */
function plainRow({ name, key, others }: MovedTable, row: Row): Row {
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

function writeTable(db: Db, { name, key, others }: MovedTable, rows: readonly Row[]): void {
  const all = [...key, ...others];
  const insert = db.prepare(
    `insert into ${name} (${all.join(', ')}) values (${all.map(() => '?').join(', ')})`,
  );
  for (const row of rows) insert.run(...all.map((column) => row[column] ?? null));
}
