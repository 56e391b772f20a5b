import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Database from 'libsql';
import { describe, expect, test } from 'vitest';
import { systemTime } from '../../src/core/time.ts';
import { listCopies } from '../../src/ledger/copies.ts';
import { openAnyLedger } from '../../src/ledger/open-ledger.ts';
import { postgresFolder, usePostgres } from '../helpers/postgres.ts';
import { tempFolder } from '../helpers/run-cli.ts';

/** Ledgers that version 0.2 made: four packages and four recipes were created, and one package was updated. */
const kept = (name: string): Buffer =>
  gunzipSync(readFileSync(new URL(`before/${name}.gz`, import.meta.url)));

const server = usePostgres();

async function inFile(): Promise<string> {
  const file = join(tempFolder(), 'ledger.db');
  writeFileSync(file, kept('ledger-0.2.db'));
  return file;
}

async function inDatabase(): Promise<string> {
  const address = await server.database();
  await server.ask(kept('ledger-0.2.sql').toString('utf8'), new URL(address).pathname.slice(1));
  return address;
}

const PLACES: readonly (readonly [string, () => Promise<string>])[] = [
  ['a file', inFile],
  ...(postgresFolder() === undefined ? [] : [['a database', inDatabase] as const]),
];

describe.each(PLACES)('a ledger of version 0.2 in %s', (kind, make) => {
  test('tells all that it told, of a file beside a copy of how it was', async () => {
    const place = await make();
    const { ledger } = await openAnyLedger(place, systemTime);
    const runs = await ledger.listRuns(9);
    expect(runs.map(({ state, counts }) => [state, counts?.created, counts?.updated])).toEqual([
      ['done', 0, 1],
      ['done', 4, 0],
      ['done', 4, 0],
    ]);
    const [{ run = '', service = '' } = {}, , { run: first = '' } = {}] = runs;
    const packages = [service, 'packages'] as const;
    const rows = await ledger.readRows(first, { after: -1, limit: 9 });
    expect(rows.map(({ planned, outcome }) => [planned.external, outcome?.status])).toEqual(
      [70_001, 70_002, 70_003, 70_004].map((external) => [external, 'created']),
    );
    const fingerprints = rows.map(({ planned }) => planned.steps[0]?.fingerprint ?? '');
    const posted = await ledger.findPostings(...packages, fingerprints);
    expect([...posted.values()].map(({ state, id }) => [state, id])).toEqual(
      rows.map(({ outcome }) => ['done', outcome?.id]),
    );
    const counted = await ledger.findPostings(service, 'stock-count', ['telling:1:b']);
    expect(counted.get('telling:1:b')).toMatchObject({ fingerprint: 'telling:1:a', state: 'done', id: 99 });
    const price = rows[2]?.outcome?.id ?? 0;
    const written = await ledger.findWrites(...packages, [`id:${price}`]);
    expect(written.get(`id:${price}`)).toMatchObject({ run, action: 'update', done: true });
    expect(await ledger.findSent(...packages, 7)).toEqual({ Volume: 2.5 });
    expect(await ledger.findResends(...packages)).toEqual([
      { fingerprint: 'external:70001', run, body: { OmschrijvingIntern: 'Zomerbuffet' } },
    ]);
    expect(await ledger.findConflicts(...packages)).toHaveLength(1);
    expect(await ledger.findUnsettled(...packages)).toHaveLength(1);
    const pruning = { at: '2027-12-01 00:00:00', since: '2027-01-01 00:00:00' };
    const pruned = await ledger.pruneRuns([first], { ...pruning, posted: [], updated: new Set() });
    expect(pruned.get(first)).toEqual({ removed: 1, kept: 3 });
    await ledger.close();
    const copies = listCopies(place).map((copy) => {
      const db = new Database(copy, { readonly: true });
      const [found] = db.prepare('pragma user_version').all();
      db.close();
      return found;
    });
    expect(copies).toEqual(kind === 'a file' ? [{ user_version: 11 }] : []);
  });
});

/** What a program of version 0.2 that is at work asks before it looks at the version of the tables. */
const ASKED_BEFORE = [
  `select l.run from catersheet.leases l join catersheet.runs r on r.run = l.run
   where l.name = 'sending' and l.until >= clock_timestamp() and r.service = 'x' and exists (
     select 1 from catersheet.parts p where p.run = l.run and not p.done and not exists (
       select 1 from catersheet.leases m where m.name = p.member and m.until >= clock_timestamp()))`,
  `insert into catersheet.pace_members as m (service, program, rate, concurrency, joined, heard, wants, share)
   values ('x', 'oud', 1, 1, 0, 0, 0, 0) on conflict (service, program) do update set heard = excluded.heard`,
  'select key, w.run, w.seq, s.status from catersheet.writes w join catersheet.states s using (run, seq)',
  'select fingerprint, run, body, late from catersheet.resends',
];

test.skipIf(postgresFolder() === undefined)(
  'what a worker of version 0.2 asks is answered while a newer program has brought the tables up to date',
  async () => {
    const place = await inDatabase();
    const name = new URL(place).pathname.slice(1);
    const { ledger } = await openAnyLedger(place, systemTime);
    await ledger.rememberResend('x', 'packages', { fingerprint: 'external:1', run: 'r', body: {} });
    await ledger.close();
    const answers = [];
    for (const text of ASKED_BEFORE) answers.push(await server.ask(text, name));
    // No part of a run is left for it, and what it does not know is as it would have written it.
    expect([answers[0], answers[3]]).toEqual([
      [],
      [
        expect.objectContaining({ late: '[]' }),
        { fingerprint: 'external:1', run: 'r', body: '{}', late: '[]' },
      ],
    ]);
  },
);
