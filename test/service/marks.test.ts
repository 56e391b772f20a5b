import { expect, test } from 'vitest';
import { OutOfDate } from '../../src/service/service.ts';
import { body, create, open as openAt, update } from './open.ts';
import { json, reset, useServer } from './scripted-server.ts';

const { open, received, script } = useServer();

const done = json({ ProductID: 1, success: true });

/** What is told of a write, with how many requests had arrived by then. */
function listener() {
  const told: string[] = [];
  const note = (what: string): void => void told.push(`${what} ${received.length}`);
  const marks = {
    ready: async () => note('ready'),
    sending: () => note('sending'),
    unsent: async () => note('unsent'),
    doubted: async () => note('doubted'),
  };
  return { told, marks };
}

test('a write that waits for the pace is told of only once it may go out', async () => {
  script(done);
  const writes = Array.from({ length: 8 }, () => listener());
  const slow = { now: () => 0, steady: () => 0, sleep: () => new Promise<void>(() => {}) };
  const held = open({ rate: 1, concurrency: 8, time: slow });
  for (const { marks } of writes) void held.send(create, { body, marks }).catch(() => {});
  await expect.poll(() => received.length).toBe(1);
  expect(writes.map(({ told }) => told)).toEqual([['ready 0', 'sending 0'], ...Array(7).fill([])]);
  await held.close();
});

test('a create that is turned away with 429 is told as unsent while it waits to be sent again', async () => {
  script(json({}, 429, { 'retry-after': '1' }), done);
  const { told, marks } = listener();
  await open().send(create, { body, marks });
  expect(told).toEqual(['ready 0', 'sending 0', 'unsent 1', 'ready 1', 'sending 1']);
});

test('an update that was lost once stays told as sent, and as in doubt', async () => {
  script(reset, json({}, 429), done);
  const { told, marks } = listener();
  await open().send(update, { body: { ...body, ProductID: 5 }, marks });
  expect(told.filter((one) => one.startsWith('unsent'))).toEqual([]);
  expect(told).toContain('doubted 1');
});

test.each([
  ['there is no connection', 'http://127.0.0.1:1/', 'ECONNREFUSED'],
  ['the name of the service is not known', 'https://systeem.invalid/', 'ENOTFOUND|EAI_AGAIN'],
])('a write is never told as sent where %s', async (_, baseUrl, code) => {
  const service = openAt(baseUrl);
  const { told, marks } = listener();
  const failed = await service.send(create, { body, marks }).catch((error: unknown) => error);
  expect(String((failed as Error).cause)).toMatch(new RegExp(code));
  expect(told).toEqual(['ready 0', 'unsent 0', 'ready 0', 'unsent 0', 'ready 0']);
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
  script(done);
  const service = open();
  const { marks } = listener();
  const full = { ...marks, ...failing };
  await expect(service.send(create, { body, marks: full })).rejects.toThrow('disk full');
  expect(received).toHaveLength(0);
  await service.create();
  expect(received).toHaveLength(1);
});

test('a write leaves only while it may, asked at each try right before its bytes; a read is not asked', async () => {
  script(reset, done, done, json({ ProductID: 5 }));
  let may = 2;
  const mayWrite = (): void => {
    if (may-- <= 0) throw new Error('another has the right to send');
  };
  const service = open({ mayWrite });
  const write = () => service.update();
  await write();
  expect(received).toHaveLength(2);
  await expect(write()).rejects.toThrow('another has the right to send');
  expect(received).toHaveLength(2);
  await service.read();
  expect(received).toHaveLength(3);
});

test('a write that is out of date is looked at again before it goes out, at each try', async () => {
  script(json({}, 429, { 'retry-after': '1' }), done);
  const service = open();
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
      told.push(`renew ${received.length}`);
      isOld = false;
    },
  };
  await service.send(update, { body: { ...body, ProductID: 5 }, marks: dated });
  expect(told).toEqual(['ready 0', 'sending 0', 'unsent 1', 'renew 1', 'ready 1', 'sending 1']);
});
