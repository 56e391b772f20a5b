import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { EXIT, StopError } from '../../../src/core/errors.ts';
import { t } from '../../../src/core/language.ts';
import { systemTime } from '../../../src/core/time.ts';
import { openDatabaseLedger } from '../../../src/ledger/postgres/pg-ledger.ts';
import { isKept, keepMarks, PartsStream, pourInto, settle } from '../../../src/queue/export-files.ts';
import { type AskedExport, ExportQueue, type TakenExport } from '../../../src/queue/export-jobs.ts';
import { type Mark, mayFollow } from '../../../src/queue/export-marks.ts';
import { postgresFolder, usePostgres } from '../../helpers/postgres.ts';

const MISSING = postgresFolder() === undefined;
const server = usePostgres();

const SERVICE = 'https://planner.example/';
const ASKED: AskedExport = {
  what: ['packages'],
  service: SERVICE,
  options: {},
  lang: 'en',
  locale: 'nl',
  terminal: false,
};

/** The queue of exports of a ledger, with one that was handed over. */
async function openQueue() {
  const address = await server.database();
  const { ledger } = await openDatabaseLedger(address, systemTime);
  const queue = await ExportQueue.open(address, SERVICE);
  onTestFinished(async () => {
    await queue.close();
    await ledger.close();
  });
  const job = randomUUID();
  await queue.handOver(job, ASKED);
  const name = new URL(address).pathname.slice(1);
  const ask = (sql: string) => server.ask(sql, name);
  /** Lets so many seconds go by since each worker was heard of. */
  const silence = (seconds: number) =>
    ask(`update catersheet_queue.job set started_on = started_on - interval '${seconds} s',
      data = data || jsonb_build_object('heard', (data->>'heard')::timestamptz - interval '${seconds} s')
      where state = 'active'`);
  return { address, queue, ledger, job, ask, silence };
}

/** The file as it was made, to be delivered. */
async function madeOf(queue: ExportQueue, job: string) {
  const state = await queue.stateOf(job);
  return state.state === 'made' ? state.made : expect.fail(state.state);
}

const taken = async (queue: ExportQueue, worker: string): Promise<TakenExport> => {
  return (await queue.take(worker)) ?? expect.fail('nothing was there to take');
};

const sinkFor = (take: (bytes: Buffer) => void): Writable =>
  new Writable({
    write(bytes: Buffer, _, done) {
      take(bytes);
      done();
    },
  });

/** Writes so many bytes that nothing can pack, and answers their checksum. */
async function fill(stream: Writable, megabytes: number): Promise<string> {
  const hash = createHash('sha256');
  for (let at = 0; at < megabytes * 16; at++) {
    const bytes = randomBytes(65_536);
    hash.update(bytes);
    if (!stream.write(bytes)) await new Promise((resolve) => stream.once('drain', resolve));
  }
  stream.end();
  await finished(stream);
  return hash.digest('hex');
}

describe.skipIf(MISSING)('with PostgreSQL, the file of an export', () => {
  test('of 200 MB goes through the database and is whole, in little memory', async () => {
    const { queue, job } = await openQueue();
    const one = await taken(queue, 'a');
    const before = process.memoryUsage().rss;
    let most = before;
    const look = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20);
    onTestFinished(() => clearInterval(look));
    const stream = new PartsStream(queue, one);
    const sha256 = await fill(stream, 200);
    expect(stream.sum).toEqual({ size: 200 * 1024 * 1024, sha256 });
    await keepMarks(queue, one, []);
    await queue.end(one, { made: { result: '{}', ...stream.sum } });
    const hash = createHash('sha256');
    const sink = sinkFor((bytes) => void hash.update(bytes));
    expect(await pourInto(queue, job, await madeOf(queue, job), { stream: sink })).toBe('whole');
    expect(hash.digest('hex')).toBe(sha256);
    expect((most - before) / 1024 / 1024).toBeLessThan(120);
  });

  test('that is empty is delivered too, and one of which a part is gone is not', async () => {
    const { queue, job, ask } = await openQueue();
    const one = await taken(queue, 'a');
    const stream = new PartsStream(queue, one);
    stream.end();
    await finished(stream);
    await keepMarks(queue, one, []);
    const made = { result: '{}', ...stream.sum };
    const sink = () => sinkFor(() => {});
    expect(made.size).toBe(0);
    expect(await pourInto(queue, job, made, { stream: sink() })).toBe('whole');
    const next = new PartsStream(queue, one);
    await fill(next, 3);
    await ask('delete from catersheet.export_parts where part = 1');
    expect(await pourInto(queue, job, { result: '{}', ...next.sum }, { stream: sink() })).toBe('gone');
  });

  test('is that of the worker who lives: one that was silent may add nothing, nor end it', async () => {
    const { queue, job, silence } = await openQueue();
    const first = await taken(queue, 'a');
    expect(await queue.beat(first, null)).toBe(true);
    expect(await queue.keepPart(first, 0, Buffer.from('van a'))).toBe(true);
    await silence(9);
    expect(await queue.take('b')).toBeUndefined();
    await silence(2);
    const second = await taken(queue, 'b');
    expect(second).toMatchObject({ job, deaths: 1 });
    expect(await queue.beat(first, null)).toBe(false);
    expect(await queue.keepPart(first, 1, Buffer.from('van a'))).toBe(false);
    await queue.giveBack(first);
    await queue.end(first, new StopError(EXIT.fault, t('oud', 'oud')));
    const stream = new PartsStream(queue, second);
    stream.end('van b');
    await finished(stream);
    await keepMarks(queue, second, []);
    await queue.end(second, { made: { result: '{}', ...stream.sum } });
    const parts: Buffer[] = [];
    const sink = sinkFor((bytes) => void parts.push(bytes));
    expect(await pourInto(queue, job, await madeOf(queue, job), { stream: sink })).toBe('whole');
    expect(Buffer.concat(parts).toString()).toBe('van b');
  });

  test('moves its marks once: a second one who delivers it changes nothing', async () => {
    const { queue, ledger, job } = await openQueue();
    const one = await taken(queue, 'a');
    const name = 'export of packages';
    const value = JSON.stringify({ from: '2027-01-02 00:00:00.000', held: {} });
    const stream = new PartsStream(queue, one);
    stream.end('x');
    await finished(stream);
    await keepMarks(queue, one, [{ service: SERVICE, name, value, before: null }]);
    expect(await isKept(queue, job)).toBe(true);
    const fact = { service: SERVICE, name: 'asked export 1', value: `after ${job}` };
    await Promise.all([settle(queue, job, fact), settle(queue, job, fact)]);
    expect(await ledger.findFact(SERVICE, name)).toBe(value);
    expect(await ledger.findFact(SERVICE, fact.name)).toBe(fact.value);
    expect(await isKept(queue, job)).toBe(false);
    const later = JSON.stringify({ from: '2027-02-02 00:00:00.000', held: {} });
    await ledger.rememberFact(SERVICE, name, later);
    await settle(queue, job, fact);
    expect(await ledger.findFact(SERVICE, name)).toBe(later);
  });
});

test('a mark follows what its export went on from, or what is not as far', () => {
  const markAt = (from: string): string => JSON.stringify({ from, held: {} });
  const mark = (before: string | null): Mark => ({
    ...{ service: SERVICE, name: 'export of packages', value: markAt('2027-01-10 00:00:00.000'), before },
  });
  const other = markAt('2027-02-01 00:00:00.000');
  expect(mayFollow(mark(null), undefined)).toBe(true);
  expect(mayFollow(mark(null), other)).toBe(false);
  expect(mayFollow(mark(null), markAt('2027-01-01 00:00:00.000'))).toBe(true);
  // A service that was put back: its clock may say less than before.
  expect(mayFollow(mark(createHash('sha256').update(other).digest('hex')), other)).toBe(true);
});
