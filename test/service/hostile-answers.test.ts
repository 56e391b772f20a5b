import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Bilingual } from '../../src/core/language.ts';
import { packages } from '../../src/resources/packages.ts';
import { open } from './open.ts';
import { json, type ScriptedServer, startServer, text } from './scripted-server.ts';

let server: ScriptedServer;
beforeEach(async () => {
  server = await startServer();
});
afterEach(() => server.stop());

const { create, findById, list } = packages.requests;
const body = { ProductTypeID: 1, OmschrijvingIntern: 'Lunch Klassiek', Verkoopprijs: 14.5 };
const reads = { params: { ID: 5 } };

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
    server.script(text(answer));
    const service = open(server.baseUrl);
    const told = { attempts: 1, reason: expect.stringContaining(reason) };
    const kind = answer === FLAT ? 'too-large' : 'malformed';
    await expect(service.send(findById, reads)).rejects.toMatchObject({ kind, ...told });
    const page = service.send(list, { body: { LMT: '2027-01-01 00:00:00' } });
    await expect(page).rejects.toMatchObject({ kind, ...told });
    const lost = { kind: 'lost', mayHaveTakenEffect: true, ...told };
    await expect(service.send(create, { body })).rejects.toMatchObject(lost);
    await service.close();
  });

  test('is read at 64 levels, and its own members do not change what objects are', async () => {
    const inner = '['.repeat(63) + ']'.repeat(63);
    server.script(
      text(`{"ProductID":5,"Volume":1e400,"__proto__":{"polluted":1},"x":${inner},"x":${inner}}`),
    );
    const service = open(server.baseUrl);
    await expect(service.send(findById, reads)).resolves.toMatchObject({ ProductID: 5 });
    expect({}).not.toHaveProperty('polluted');
    await service.close();
  });

  test('holds its words in one short line, also where they are ten megabytes or a million fields', async () => {
    const fields = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`F${at}`, ['wrong']]));
    const long = 'nee '.repeat(2_500_000);
    server.script(
      json({ message: long, errors: fields }, 422),
      json({ data: { success: false, message: long } }),
    );
    const service = open(server.baseUrl);
    const refused = await service.send(create, { body }).catch((error) => error);
    expect(refused.words.length).toBeLessThanOrEqual(300);
    expect(Object.keys(refused.fields).length).toBeLessThanOrEqual(100);
    const answer = await service.send(create, { body });
    expect(answer).toMatchObject({ success: false, message: expect.stringMatching(/^nee .{100,300}…$/) });
    await service.close();
  });
});

describe('a pause that the service asks for', () => {
  const asks = (after: string, status = 429) => json({}, status, { 'retry-after': after });
  const answered = json({ ProductID: 5, success: true });

  test('is told with its reason and its end when it is longer than some seconds, once', async () => {
    const told: Bilingual[] = [];
    server.script(asks('120'), asks('1'), answered);
    const service = open(server.baseUrl, { onWait: (text) => void told.push(text) });
    await service.send(findById, reads);
    expect(told.map(({ en }) => en)).toEqual([
      expect.stringMatching(
        /^The service asks for a pause of 2 minutes \(.*429\)\); waiting until \d\d:\d\d:\d\d/,
      ),
    ]);
    await service.close();
  });

  test.each([
    ['1000000000', 'more than a year'],
    [new Date(4_080_000_000_000).toUTCString(), 'more than a year'],
    ['9'.repeat(400), 'more than a year'],
    ['7200', '2 hours'],
  ])('of more than five minutes ends the work, with what to do: %s', async (after, length) => {
    server.script(asks(after));
    const service = open(server.baseUrl);
    const stop = {
      exit: 4,
      message: expect.stringContaining(`pause of ${length}`),
    };
    await expect(service.send(create, { body })).rejects.toMatchObject(stop);
    await expect(service.send(findById, reads)).rejects.toMatchObject(stop);
    expect(server.received).toHaveLength(1);
    await service.close();
  });

  test('leaves a create in doubt that was turned away for longer than is waited', async () => {
    server.script(asks('1000000000', 503));
    const service = open(server.baseUrl);
    await expect(service.send(create, { body })).rejects.toMatchObject({ mayHaveTakenEffect: true });
    await expect(service.send(findById, reads)).rejects.toMatchObject({ exit: 4 });
    await service.close();
  });

  test.each(['-5', 'soon', '', '1e9'])('that makes no sense is none: %j', async (after) => {
    server.script(asks(after), answered);
    const service = open(server.baseUrl);
    await expect(service.send(findById, reads)).resolves.toMatchObject({ ProductID: 5 });
    await service.close();
  });
});
