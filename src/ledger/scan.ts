import { isUtf8 } from 'node:buffer';
import Database from 'libsql';
import { isStatusText } from '../core/plan.ts';
import { type Db, LAST_UNRELEASED, MIGRATIONS } from './schema.ts';

/** Texts that hold JSON, by table. */
const JSON_TEXTS = {
  runs: ['counts', 'details'],
  states: ['outcome', 'progress'],
  sent: ['fields'],
  conflicts: ['fields'],
  resends: ['body'],
} as const;

/** Texts that are one of a few words; what is asked for, and whether it is one. */
const WORDS: readonly (readonly [string, (word: string) => boolean])[] = [
  ["select distinct outcome ->> 'status' as word from states where outcome is not null", isStatusText],
  ['select distinct state as word from runs', isOneOf('planning planned applying done interrupted')],
  ['select distinct state as word from postings', isOneOf('sending done')],
];

function isOneOf(words: string): (word: string) => boolean {
  return (word) => words.split(' ').includes(word);
}

/** Marks what can't be read as SQLite marks it. */
export const unreadable = (what: string, cause?: unknown): Error =>
  Object.assign(new Error(what, { cause }), { code: 'SQLITE_CORRUPT' });

/** The number that a query answers. */
export function numberOf(db: Db, query: string): number {
  return Number(Object.values(db.prepare(query).all()[0] as object)[0]);
}

/** Throws what is wrong with a ledger, as SQLite does. */
export function checkWhole(db: Db): void {
  const found = findDamage(db, numberOf(db, 'pragma user_version'));
  if (found !== undefined) throw unreadable(found);
}

/**
 * What is wrong with a ledger, in the words of SQLite or of a programmer; undefined where nothing is. Texts
 * are asked for as bytes: the library ends the process over one that is no UTF-8, so this comes first.
 * Throws SQLite's own errors.
 */
function findDamage(db: Db, version: number): string | undefined {
  const [found] = db
    .prepare('select cast(integrity_check as blob) as said from pragma_integrity_check(1)')
    .all() as { said: ArrayBuffer }[];
  const said = Buffer.from(found?.said ?? new ArrayBuffer(0)).toString('latin1');
  if (said !== 'ok') return `${ownerOf(db, said)}${said.trim().split('\n').join(' ')}`;
  const model = new Database(':memory:');
  try {
    for (const migration of MIGRATIONS.slice(0, version - LAST_UNRELEASED)) model.exec(migration);
    if (schemaOf(db) !== schemaOf(model)) return 'other tables than those of a ledger';
    for (const { name } of model.prepare("select name from sqlite_master where type = 'table'").all() as {
      name: string;
    }[]) {
      const wrong = findWrongText(db, model, name);
      if (wrong !== undefined) return wrong;
    }
  } finally {
    model.close();
  }
  for (const [query, isWord] of WORDS)
    for (const { word } of db.prepare(query).all() as { word: unknown }[])
      if (!isWord(String(word))) return `no ledger holds ${JSON.stringify(word)}`;
  return undefined;
}

/** The table that a page of a tree belongs to. */
function ownerOf(db: Db, said: string): string {
  const tree = /^(?:\*\*\*.*\s+)?Tree (\d+)/.exec(said)?.[1];
  const query = 'select hex(tbl_name) as name from sqlite_master where rootpage = ?';
  const [found] = (tree === undefined ? [] : db.prepare(query).all(Number(tree))) as { name: string }[];
  return found === undefined ? '' : `table ${Buffer.from(found.name, 'hex').toString('latin1')}: `;
}

function schemaOf(db: Db): string {
  const query = 'select hex(sql) as sql from sqlite_master where sql is not null order by hex(name)';
  return JSON.stringify(db.prepare(query).all());
}

/** The texts of a table are looked at by what its rows begin with: a run, or a service. */
function findWrongText(db: Db, model: Db, table: string): string | undefined {
  const columns = model.prepare(`pragma table_info(${table})`).all() as { name: string; type: string }[];
  const texts = columns.filter(({ type }) => type === 'TEXT').map(({ name }) => name);
  const all = texts.map((name) => `coalesce(${name}, '')`).join(` || ' ' || `);
  const query = `select cast(group_concat(${all}) as blob) as texts from ${table} group by ${texts[0]}`;
  for (const row of db.prepare(query).iterate() as Iterable<{ texts: ArrayBuffer }>)
    if (!isUtf8(row.texts)) return `a text in ${table} is no text`;
  for (const name of JSON_TEXTS[table as keyof typeof JSON_TEXTS] ?? []) {
    const bad = `select 1 from ${table} where ${name} is not null and not json_valid(${name}) limit 1`;
    if (db.prepare(bad).all().length > 0) return `${name} in ${table} can't be read`;
  }
  return undefined;
}
