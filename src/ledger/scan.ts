import { isUtf8 } from 'node:buffer';
import Database from 'libsql';
import { isStatusText } from '../core/plan.ts';
import { LAST_UNRELEASED, MIGRATIONS } from './schema.ts';
import type { Db } from './writer.ts';

/** Texts that hold JSON, by table. */
const JSON_TEXTS = {
  runs: ['counts', 'details'],
  states: ['outcome', 'progress'],
  sent: ['fields'],
  conflicts: ['fields'],
  resends: ['body', 'late'],
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

/**
 * What is wrong with a ledger, in the words of SQLite or of a programmer; undefined where nothing is. Texts
 * are asked for as bytes: the library ends the process over one that is no UTF-8, so this comes first.
 * Throws SQLite's own errors.
 */
export function findDamage(db: Db, version: number): string | undefined {
  const [found] = db
    .prepare('select cast(integrity_check as blob) as said from pragma_integrity_check(1)')
    .all() as { said: ArrayBuffer }[];
  const said = Buffer.from(found?.said ?? new ArrayBuffer(0)).toString('latin1');
  if (said !== 'ok') return said.trim().split('\n')[0] ?? '';
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
