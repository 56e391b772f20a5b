import type Database from 'libsql';
import { FOLDED, folding, making, VERSION } from './tables.ts';

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
