import { afterEach, beforeEach, expect, test } from 'vitest';
import { packages } from '../../src/resources/packages.ts';
import { OutOfDate } from '../../src/service/exchange.ts';
import { open } from './open.ts';
import { json, reset, type ScriptedServer, startServer } from './scripted-server.ts';

let server: ScriptedServer;
beforeEach(async () => {
  server = await startServer();
});
afterEach(() => server.stop());

const { create, update } = packages.requests;
const body = { ProductTypeID: 1, OmschrijvingIntern: 'Lunch Klassiek', Verkoopprijs: 14.5 };
const done = json({ ProductID: 1, success: true });

/** What is told of a write, with how many requests had arrived by then. */
function listener() {
  const told: string[] = [];
  const note = (what: string): void => void told.push(`${what} ${server.received.length}`);
  const marks = {
    ready: async () => note('ready'),
    sending: () => note('sending'),
    unsent: async () => note('unsent'),
    doubted: async () => note('doubted'),
  };
  return { told, marks };
}

test('a write that waits for the pace is told of only once it may go out', async () => {
  server.script(done);
  const writes = Array.from({ length: 8 }, () => listener());
  const slow = { now: () => 0, steady: () => 0, sleep: () => new Promise<void>(() => {}) };
  const held = open(server.baseUrl, { rate: 1, concurrency: 8, time: slow });
  for (const { marks } of writes) void held.send(create, { body, marks }).catch(() => {});
  await expect.poll(() => server.received.length).toBe(1);
  expect(writes.map(({ told }) => told)).toEqual([['ready 0', 'sending 0'], ...Array(7).fill([])]);
  await held.close();
});

test('a create that is turned away with 429 is told as unsent while it waits to be sent again', async () => {
  server.script(json({}, 429, { 'retry-after': '1' }), done);
  const service = open(server.baseUrl);
  const { told, marks } = listener();
  await service.send(create, { body, marks });
  expect(told).toEqual(['ready 0', 'sending 0', 'unsent 1', 'ready 1', 'sending 1']);
  await service.close();
});

test('an update that was lost once stays told as sent, and as in doubt', async () => {
  server.script(reset, json({}, 429), done);
  const service = open(server.baseUrl);
  const { told, marks } = listener();
  await service.send(update, { body: { ...body, ProductID: 5 }, marks });
  expect(told.filter((one) => one.startsWith('unsent'))).toEqual([]);
  expect(told).toContain('doubted 1');
  await service.close();
});

test.each([
  ['there is no connection', 'http://127.0.0.1:1/', 'ECONNREFUSED'],
  ['the name of the service is not known', 'https://systeem.invalid/', 'ENOTFOUND|EAI_AGAIN'],
])('a write is never told as sent where %s', async (_, baseUrl, code) => {
  const service = open(baseUrl);
  const { told, marks } = listener();
  const failed = await service.send(create, { body, marks }).catch((error: unknown) => error);
  expect(String((failed as Error).cause)).toMatch(new RegExp(code));
  expect(told).toEqual(['ready 0', 'unsent 0', 'ready 0', 'unsent 0', 'ready 0']);
  await service.close();
});

const FULL = new Error('disk full');

test.each([
  ['before an attempt', { ready: () => Promise.reject(FULL) }],
  [
    'as its bytes go out',
    {
      sending() {
        throw FULL;
      },
    },
  ],
])('a write whose marking fails %s is not sent', async (_, failing) => {
  server.script(done);
  const service = open(server.baseUrl);
  const { marks } = listener();
  const full = { ...marks, ...failing };
  await expect(service.send(create, { body, marks: full })).rejects.toThrow('disk full');
  expect(server.received).toHaveLength(0);
  await service.send(create, { body });
  expect(server.received).toHaveLength(1);
  await service.close();
});

test('a write leaves only while it may, asked at each try right before its bytes; a read is not asked', async () => {
  server.script(reset, done, done, json({ ProductID: 5 }));
  let may = 2;
  const mayWrite = (): void => {
    if (may-- <= 0) throw new Error('another has the right to send');
  };
  const service = open(server.baseUrl, { mayWrite });
  const write = () => service.send(update, { body: { ...body, ProductID: 5 } });
  await write();
  expect(server.received).toHaveLength(2);
  await expect(write()).rejects.toThrow('another has the right to send');
  expect(server.received).toHaveLength(2);
  await service.send(packages.requests.findById, { params: { ID: 5 } }).catch(() => {});
  expect(server.received).toHaveLength(3);
  await service.close();
});

test('a write that is out of date is looked at again before it goes out, at each try', async () => {
  server.script(json({}, 429, { 'retry-after': '1' }), done);
  const service = open(server.baseUrl);
  const { told, marks } = listener();
  let isOld = false;
  const dated = {
    ...marks,
    async ready() {
      if (isOld) throw new OutOfDate();
      await marks.ready();
    },
    async unsent() {
      isOld = true;
      await marks.unsent();
    },
    async renew() {
      told.push(`renew ${server.received.length}`);
      isOld = false;
    },
  };
  await service.send(update, { body: { ...body, ProductID: 5 }, marks: dated });
  expect(told).toEqual(['ready 0', 'sending 0', 'unsent 1', 'renew 1', 'ready 1', 'sending 1']);
  await service.close();
});
