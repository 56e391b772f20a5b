import { isUtf8 } from 'node:buffer';
import type Database from 'libsql';
import { FOLDED, folding, making, TABLES, type Table, VERSION } from './tables.ts';

/** One connection to a SQLite file. */
export type Db = Database.Database;

/** Marks a database as a ledger: no other program's is taken for one. */
export const APPLICATION_ID = 0x43_61_74_4c;

/** The oldest schema version, in `user_version`, of which a ledger is moved over. */
export const OLDEST = 11;

/** Chunks are large: they stand beside their key. */
const MAKING = making(
  { word: 'text', text: 'text', json: 'text', integer: 'integer', bytes: 'blob' },
  (table) => (table === 'chunks' ? '' : 'without rowid'),
)
  .join(';\n')
  .replaceAll('@', '');

/** Tables of earlier versions become one, and go. */
const FOLDING = [
  ...folding(
    (column) => `json_quote(${column})`,
    `(select json_group_object(f.key, json_object('sent', json(f.of), 'held', json(f.of)))
      from (select key, fields -> fullkey as of from json_each(fields)) as f)`,
  ),
  ...FOLDED.map((table) => `drop table @${table}`),
]
  .join(';\n')
  .replaceAll('@', '');

/** Brings a ledger's tables from their version to this one's. */
export function renew(db: Db): void {
  const { user_version: found } = db.prepare('pragma user_version').get() as { user_version: number };
  db.exec(`pragma application_id = ${APPLICATION_ID}; ${MAKING}`);
  if (found > 0 && found < 21) db.exec(FOLDING);
  db.exec(`pragma user_version = ${VERSION}`);
}

/** Marks what can't be read as SQLite marks it. */
export const unreadable = (what: string, cause?: unknown): Error =>
  Object.assign(new Error(what, { cause }), { code: 'SQLITE_CORRUPT' });

/** The number that a query answers. */
export function numberOf(db: Db, query: string): number {
  return Number(Object.values(db.prepare(query).all()[0] as object)[0]);
}

/**
 * Throws what is wrong with a ledger, as SQLite does. Texts are asked for as bytes: the library ends the process
 * over one that is no UTF-8, so this comes first.
 */
export function checkWhole(db: Db): void {
  const [found] = db
    .prepare('select cast(integrity_check as blob) as said from pragma_integrity_check(1)')
    .all() as { said: ArrayBuffer }[];
  const said = Buffer.from(found?.said ?? new ArrayBuffer(0)).toString('latin1');
  if (said !== 'ok') throw unreadable(said.trim().split('\n').join(' '));
  const isOlder = numberOf(db, 'pragma user_version') < VERSION;
  for (const table of TABLES) {
    const isThere = numberOf(db, `select count(*) from sqlite_master where name = '${table.name}'`) > 0;
    // A table that an earlier version had not is made as the ledger is brought up to date.
    if (isThere || !isOlder) checkTexts(db, table);
  }
}

/** The texts of a table are looked at by what its rows begin with: a run, or a service. */
function checkTexts(db: Db, { name, key, others }: Table): void {
  const columns = Object.entries({ ...key, ...others });
  const texts = columns.flatMap(([column, kind]) => (kind === 'bytes' ? [] : `coalesce(${column}, '')`));
  const query = `select cast(group_concat(${texts.join(` || ' ' || `)}) as blob) as texts from ${name} group by ${columns[0]?.[0]}`;
  for (const row of db.prepare(query).iterate() as Iterable<{ texts: ArrayBuffer }>)
    if (!isUtf8(row.texts)) throw unreadable(`a text in ${name} is no text`);
  const broken = columns.flatMap(([column, kind]) =>
    kind.startsWith('json') ? `(${column} is not null and not json_valid(${column}))` : [],
  );
  if (broken.length === 0) return;
  if (db.prepare(`select 1 from ${name} where ${broken.join(' or ')} limit 1`).all().length > 0)
    throw unreadable(`a text in ${name} can't be read`);
}
