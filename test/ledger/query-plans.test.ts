import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { expect, onTestFinished, test } from 'vitest';
import { openLedger } from '../../src/ledger/sqlite-ledger.ts';
import { removeFolder } from '../helpers/remove-folder.ts';

/** All statements that an open ledger has prepared. */
async function statements(file: string): Promise<string[]> {
  const found: string[] = [];
  const real = Database.prototype.prepare;
  Database.prototype.prepare = function prepare(this: Database.Database, sql: string) {
    found.push(sql);
    return real.call(this, sql);
  } as typeof real;
  try {
    await openLedger(file).close();
  } finally {
    Database.prototype.prepare = real;
  }
  return [...new Set(found)].filter((sql) => /^\s*(with|select|insert|replace|update|delete)\b/.test(sql));
}

/** What has a row for each record, row or posting: a ledger of years has millions of them. */
const LARGE = 'keys|postings|states|writes|sent|chunks';
const WHOLE = new RegExp(`SCAN (${LARGE})\\b`);
/** All of a service's records of a kind, by an index that has more to find them by. */
const KIND = new RegExp(`SEARCH (${LARGE}) USING .*\\(service=\\? AND resource=\\?\\)`);

/** Statements that may look through many: asked once a run, or for a few runs together. */
const MAY = [
  // The postings of a period, for a count.
  'select fingerprint, run, seq, state, at, id from postings where service = ? and resource in',
  // Those who prune wait for it.
  'select run, seq from writes where run in (select value from json_each(:runs))',
];

test('no statement of a ledger looks through all records, rows or postings to find one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'catersheet-plans-'));
  onTestFinished(() => removeFolder(folder));
  const file = join(folder, 'ledger.db');
  const all = await statements(file);
  expect(all.length).toBeGreaterThan(40);
  const db = new Database(file);
  const slow = all.filter((sql) => {
    const plan = db.prepare(`explain query plan ${sql}`).all() as { detail: string }[];
    const isOne = / limit 1$/.test(sql);
    return plan.some(({ detail }) => WHOLE.test(detail) || (KIND.test(detail) && !isOne));
  });
  db.close();
  const found = slow.map((sql) => sql.replace(/\s+/g, ' ').trim());
  expect(found.filter((sql) => !MAY.some((start) => sql.startsWith(start)))).toEqual([]);
  expect(found).toHaveLength(MAY.length);
});
