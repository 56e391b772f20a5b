import { describe, expect, test } from 'vitest';
import type { Bilingual } from '../../src/core/language.ts';
import { list } from './open.ts';
import { json, text, useServer } from './scripted-server.ts';

const { open, received, script } = useServer();

const LEVELS = 90_000;
const DEEP = '['.repeat(LEVELS) + ']'.repeat(LEVELS);
const FLAT = `[${'{},'.repeat(1_100_000)}{}]`;

describe('an answer that would end the program', () => {
  test.each([
    ['lists in lists', DEEP, 'nested'],
    ['data in data', `${'{"data":'.repeat(LEVELS)}{}${'}'.repeat(LEVELS)}`, 'nested'],
    ['a deep member of a record', `{"ProductID":5,"success":true,"x":${DEEP}}`, 'nested'],
    ['a million records and more', FLAT, 'more values'],
  ])('is told for a read and leaves a write in doubt: %s', async (_, answer, reason) => {
    script(text(answer));
    const service = open();
    const told = { attempts: 1, reason: expect.stringContaining(reason) };
    const kind = answer === FLAT ? 'too-large' : 'malformed';
    await expect(service.read()).rejects.toMatchObject({ kind, ...told });
    const page = service.send(list, { body: { LMT: '2027-01-01 00:00:00' } });
    await expect(page).rejects.toMatchObject({ kind, ...told });
    const lost = { kind: 'lost', mayHaveTakenEffect: true, ...told };
    await expect(service.create()).rejects.toMatchObject(lost);
  });

  test('is read at 64 levels, and its own members do not change what objects are', async () => {
    const inner = '['.repeat(63) + ']'.repeat(63);
    script(text(`{"ProductID":5,"Volume":1e400,"__proto__":{"polluted":1},"x":${inner},"x":${inner}}`));
    await expect(open().read()).resolves.toMatchObject({ ProductID: 5 });
    expect({}).not.toHaveProperty('polluted');
  });

  test('holds its words in one short line, also where they are ten megabytes or a million fields', async () => {
    const fields = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`F${at}`, ['wrong']]));
    const long = 'nee '.repeat(2_500_000);
    script(json({ message: long, errors: fields }, 422), json({ data: { success: false, message: long } }));
    const service = open();
    const refused = await service.create().catch((error) => error);
    expect(refused.words.length).toBeLessThanOrEqual(300);
    expect(Object.keys(refused.fields).length).toBeLessThanOrEqual(100);
    const answer = await service.create();
    expect(answer).toMatchObject({ success: false, message: expect.stringMatching(/^nee .{100,300}…$/) });
  });
});

describe('a pause that the service asks for', () => {
  const asks = (after: string, status = 429) => json({}, status, { 'retry-after': after });
  const answered = json({ ProductID: 5, success: true });

  test('is told with its reason and its end when it is longer than some seconds, once', async () => {
    const told: Bilingual[] = [];
    script(asks('120'), asks('1'), answered);
    const service = open({ onWait: (text) => void told.push(text) });
    await service.read();
    expect(told.map(({ en }) => en)).toEqual([
      expect.stringMatching(
        /^The service asks for a pause of about 2 minutes \(.*429\)\); waiting until \d\d:\d\d:\d\d/,
      ),
    ]);
  });

  test.each(['1000000000', new Date(4_080_000_000_000).toUTCString(), '9'.repeat(400), '7200'])(
    'of more than five minutes ends the work, with what to do: %s',
    async (after) => {
      script(asks(after));
      const service = open();
      const stop = { exit: 4, message: expect.stringContaining('asks for a pause of about') };
      await expect(service.create()).rejects.toMatchObject(stop);
      await expect(service.read()).rejects.toMatchObject(stop);
      expect(received).toHaveLength(1);
    },
  );

  test('leaves a create in doubt that was turned away for longer than is waited', async () => {
    script(asks('1000000000', 503));
    const service = open();
    await expect(service.create()).rejects.toMatchObject({ mayHaveTakenEffect: true });
    await expect(service.read()).rejects.toMatchObject({ exit: 4 });
  });
});
