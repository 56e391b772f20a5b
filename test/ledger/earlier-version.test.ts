import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Database from 'libsql';
import { describe, expect, test } from 'vitest';
import { systemTime } from '../../src/core/time.ts';
import { listCopies } from '../../src/ledger/copies.ts';
import { putBack } from '../../src/ledger/ledger-files.ts';
import { openAnyLedger } from '../../src/ledger/open-ledger.ts';
import { postgresFolder, usePostgres } from '../helpers/postgres.ts';
import { endProgram, endWithTest } from '../helpers/programs.ts';
import { tempFolder } from '../helpers/run-cli.ts';

/**
 * Ledgers that version 0.2 made: four packages and four recipes were created, and one package was updated. And those
 * with tables of version 20: three packages and an event were created.
 */
const kept = (name: string): Buffer =>
  gunzipSync(readFileSync(new URL(`before/${name}.gz`, import.meta.url)));

const server = usePostgres();

async function inFile(name: string): Promise<string> {
  const file = join(tempFolder(), 'ledger.db');
  writeFileSync(file, kept(`${name}.db`));
  return file;
}

async function inDatabase(name: string): Promise<string> {
  const address = await server.database();
  await server.ask(kept(`${name}.sql`).toString('utf8'), new URL(address).pathname.slice(1));
  return address;
}

const PLACES: readonly (readonly [string, (name: string) => Promise<string>])[] = [
  ['a file', inFile],
  ...(postgresFolder() === undefined ? [] : [['a database', inDatabase] as const]),
];

/** The versions of a ledger's copies. */
const copiesOf = (place: string): unknown[] =>
  listCopies(place).map((copy) => {
    const db = new Database(copy, { readonly: true });
    const [found] = db.prepare('pragma user_version').all();
    db.close();
    return found;
  });

describe.each(PLACES)('a ledger of version 0.2 in %s', (kind, make) => {
  test('tells all that it told, of a file beside a copy of how it was', async () => {
    const place = await make('ledger-0.2');
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
    const [applied, resend] = [{ Volume: { sent: 2.5, held: 2.5 } }, { OmschrijvingIntern: 'Zomerbuffet' }];
    expect([...(await ledger.recall(...packages, 'applied'))]).toEqual([['id:7', applied]]);
    expect([...(await ledger.recall(...packages, 'resend')).values()]).toEqual([
      { fingerprint: 'external:70001', run, body: resend },
    ]);
    expect([...(await ledger.recall(...packages, 'conflict')).keys()]).toEqual(['id:7']);
    expect([...(await ledger.recall(...packages, 'unsettled')).keys()]).toEqual(['id:8']);
    const pruning = { at: '2027-12-01 00:00:00', since: '2027-01-01 00:00:00' };
    const pruned = await ledger.pruneRuns([first], { ...pruning, posted: [], updated: new Set() });
    expect(pruned.get(first)).toEqual({ removed: 1, kept: 3 });
    await ledger.close();
    expect(copiesOf(place)).toEqual(kind === 'a file' ? [{ user_version: 11 }] : []);
  });
});

describe.each(PLACES)('a ledger with tables of version 20 in %s', (kind, make) => {
  test('remembers in one place what it remembered of records in five', async () => {
    const place = await make('ledger-20');
    const { ledger } = await openAnyLedger(place, systemTime);
    const runs = await ledger.listRuns(9);
    expect(runs.map(({ state }) => state)).toEqual(['done', 'done']);
    const { service = '', run = '' } = runs.find(({ counts }) => counts?.created === 3) ?? {};
    const packages = [service, 'packages'] as const;
    const unread = (value: string | null) => ({ sent: value, held: value });
    expect([...(await ledger.recall(service, 'events', 'applied'))]).toEqual([
      [
        'id:5003',
        {
          Bijzonderheden: { sent: 'à "la" carte', held: 'à' },
          Starttijd: unread('2027-03-05 09:00:00'),
          Eindtijd: unread('2027-03-05 17:00:00'),
        },
      ],
      ['id:7', { Starttijd: unread(null), Eindtijd: unread('2027-03-05 17:00:00.000') }],
    ]);
    expect([...(await ledger.recall(...packages, 'applied'))]).toEqual([
      ['id:1007', { OmschrijvingIntern: { sent: 'Lunch 1', held: 'Lunch' } }],
    ]);
    const fields = { Verkoopprijs: { from: 12.5, to: null } };
    expect([...(await ledger.recall(...packages, 'conflict')).values()]).toEqual([
      { key: 'id:7', run, lmt: '2027-04-01 "8"', fields },
      { key: 'id:8', run, lmt: null, fields: {} },
    ]);
    const rows = await ledger.readRows(run, { after: -1, limit: 9 });
    const written = await ledger.findWrites(...packages, ['id:1007', 'id:1009', 'id:1010']);
    expect([...written]).toEqual(
      [0, 2].map((at) => [`id:${1007 + at}`, { ...rows[at]?.planned, run, done: true }]),
    );
    expect((await ledger.recall(...packages, 'write')).get('id:1007')?.at).toMatch(/^2027-03-01T/);
    expect([...(await ledger.recall(...packages, 'unsettled'))]).toEqual([
      ['id:8', { key: 'id:8', run, seq: 1, at: '2026-11-29T03:00:00.000Z' }],
    ]);
    expect([...(await ledger.recall(...packages, 'resend'))]).toEqual([
      [
        `external:900001 ${run}`,
        { fingerprint: 'external:900001', run, body: { OmschrijvingIntern: 'Zomer "buffet"', Volume: null } },
      ],
    ]);
    await ledger.close();
    expect(copiesOf(place)).toEqual(kind === 'a file' ? [{ user_version: 20 }] : []);
    // Once, and not again.
    const again = await openAnyLedger(place, systemTime);
    expect((await again.ledger.recall(...packages, 'conflict')).size).toBe(2);
    await again.ledger.close();
  });
});

test('a record of which nothing was held otherwise is remembered by what no read tells of it', async () => {
  const file = await inFile('ledger-20');
  const db = new Database(file);
  db.exec(`insert into applied (service, resource, key, fields) values ('x', 'events', 'id:9', '{}');
    insert into sent (service, resource, id, fields) values ('x', 'events', 9, '{"Starttijd":"2027-03-05 09:00:00"}')`);
  db.close();
  const { ledger } = await openAnyLedger(file, systemTime);
  const starts = { sent: '2027-03-05 09:00:00', held: '2027-03-05 09:00:00' };
  expect([...(await ledger.recall('x', 'events', 'applied'))]).toEqual([['id:9', { Starttijd: starts }]]);
  await ledger.close();
});

/** Another program that has the lock of a ledger for so long, ms. */
async function lockFor(file: string, time: number) {
  const script = `
    const db = new (require('libsql'))(process.argv[1]);
    db.exec('begin exclusive');
    console.log('locked');
    setTimeout(() => db.close(), Number(process.argv[2]));
  `;
  const other = spawn(process.execPath, ['-e', script, `${file}-lock`, String(time)]);
  endWithTest(other);
  await once(other.stdout, 'data');
  return other;
}

test('a file is brought up to date while another program looks for a moment whether it is in use', async () => {
  const file = await inFile('ledger-20');
  await lockFor(file, 300);
  await (await openAnyLedger(file, systemTime)).ledger.close();
  expect(copiesOf(file)).toEqual([{ user_version: 20 }]);
});

test('a file is left to a program of an earlier version that is at work with it until that is done', async () => {
  const file = await inFile('ledger-20');
  const other = await lockFor(file, 600_000);
  const refused = { exit: 2, message: expect.stringContaining('an older catersheet that is at work') };
  await expect(openAnyLedger(file, systemTime)).rejects.toMatchObject(refused);
  expect(copiesOf(file)).toEqual([]);
  await endProgram(other);
  await (await openAnyLedger(file, systemTime)).ledger.close();
  expect(copiesOf(file)).toEqual([{ user_version: 20 }]);
});

test('a copy that is put back knows what a ledger of an earlier version sent after it', async () => {
  const [file, copy] = [await inFile('ledger-20'), await inFile('ledger-20')];
  const db = new Database(copy);
  const { changes } = db.prepare('delete from postings where state = ?').run('done');
  db.close();
  expect(putBack(file, copy)).toMatchObject({ carried: changes, lost: [] });
  const { ledger } = await openAnyLedger(file, systemTime);
  const [{ service = '', run = '' } = {}] = (await ledger.listRuns(9)).filter(
    ({ counts }) => counts?.created === 3,
  );
  const name = 'external:900001';
  const posted = await ledger.findPostings(service, 'packages', [name]);
  expect(posted.get(name)).toMatchObject({ run, state: 'done', id: 1007 });
  await ledger.close();
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
    const place = await inDatabase('ledger-0.2');
    const name = new URL(place).pathname.slice(1);
    const { ledger } = await openAnyLedger(place, systemTime);
    await ledger.close();
    const answers = [];
    for (const text of ASKED_BEFORE) answers.push(await server.ask(text, name));
    // No part of a run is left for it, and what it does not know is as it would have written it.
    expect([answers[0], answers[3]]).toEqual([[], [expect.objectContaining({ late: '[]' })]]);
  },
);
