import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EXIT, StopError } from '../../src/core/errors.ts';
import { packages } from '../../src/resources/packages.ts';
import { RequestError } from '../../src/service/request-error.ts';
import type { Service } from '../../src/service/service.ts';
import { open } from './open.ts';
import {
  type Behaviour,
  cut,
  html,
  json,
  reset,
  type ScriptedServer,
  startServer,
  text,
} from './scripted-server.ts';

const { create, update, findById } = packages.requests;
const body = { ProductTypeID: 1, OmschrijvingIntern: 'Lunch Klassiek', Verkoopprijs: 14.5 };

/** One request of each effect: a read, a write that may be repeated, a create. */
const senders = {
  none: (service: Service) => service.send(findById, { params: { ID: 5 } }),
  same: (service: Service) => service.send(update, { body: { ...body, ProductID: 5 } }),
  each: (service: Service) => service.send(create, { body }),
} as const;

let server: ScriptedServer;
beforeEach(async () => {
  server = await startServer();
});
afterEach(() => server.stop());

async function failure(service: Service, effect: keyof typeof senders): Promise<RequestError> {
  const error = await senders[effect](service).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof RequestError) return error;
  throw new Error(`no RequestError but ${String(error)}`);
}

const validation = {
  message: 'The given data was invalid.',
  errors: { Verkoopprijs: ['must be a number', 'must be at least 0'], Volume: 'too much' },
};
const status = (code: number): Behaviour => json({ message: 'no' }, code);
const moved = (code: number): Behaviour => text('', code, { location: '/elsewhere' });

/**
 * What happens → for each effect: the error's kind, attempts (of 3), and whether it may have taken effect.
 */
type Expected = readonly [kind: string, attempts: number, mayHaveTakenEffect: boolean];
type Case = [string, Behaviour, { none: Expected; same: Expected; each: Expected }];
const table: readonly Case[] = [
  ['400', status(400), same('refused', 1)],
  ['404', status(404), same('missing', 1)],
  ['409', status(409), same('conflict', 1)],
  ['422', json(validation, 422), same('refused', 1)],
  ['408', status(408), turnedAway(3)],
  ['425', status(425), turnedAway(3)],
  ['429', status(429), same('busy', 3)],
  ['503', status(503), turnedAway(3)],
  ['500', status(500), doubtful(1)],
  ['500 as a page', html('Server Error', 500), doubtful(3)],
  ['504', status(504), doubtful(3)],
  ['a reset after the request was read', reset, doubtful(3)],
  ['a cut answer', cut, doubtful(3)],
  ['a page with 200', html('Log in', 200), unreadable(3)],
  ['broken JSON with 200', text('{"ProductID": 5, "suc'), unreadable(3)],
  ['302 to a login', text('', 302, { location: 'https://elsewhere.example/login?secret=1' }), redirected()],
  ...[303, 307].map((code): Case => [`${code}`, moved(code), redirected()]),
];

function same(kind: string, attempts: number): { none: Expected; same: Expected; each: Expected } {
  return { none: [kind, attempts, false], same: [kind, attempts, false], each: [kind, attempts, false] };
}
/** The answer got lost: a read is unharmed, a repeatable write is repeated, a create is not. */
function doubtful(attempts: number): { none: Expected; same: Expected; each: Expected } {
  return { none: ['lost', attempts, false], same: ['lost', attempts, true], each: ['lost', 1, true] };
}
/** A proxy may say so after the service did the work: a write is in doubt. */
function turnedAway(attempts: number): { none: Expected; same: Expected; each: Expected } {
  return { ...doubtful(attempts), none: ['busy', attempts, false] };
}
/** A service may point elsewhere after it did the work, whichever way it says so. */
function redirected(): { none: Expected; same: Expected; each: Expected } {
  const doubted: Expected = ['redirected', 1, true];
  return { ...same('redirected', 1), same: doubted, each: doubted };
}
function unreadable(attempts: number): { none: Expected; same: Expected; each: Expected } {
  return { ...doubtful(attempts), none: ['malformed', attempts, false] };
}

describe.each(table)('the failure "%s"', (_, behaviour, expected) => {
  test.each(Object.entries(expected) as [keyof typeof senders, Expected][])(
    'to a request with effect %s comes to %j',
    async (effect, outcome) => {
      server.script(behaviour);
      const service = open(server.baseUrl);
      const error = await failure(service, effect);
      expect([error.kind, error.attempts, error.mayHaveTakenEffect]).toEqual(outcome);
      expect(server.received).toHaveLength(error.attempts);
      expect(error.message).not.toContain('secret=1');
      await service.close();
    },
  );
});

describe('a service that cannot be reached', () => {
  test.each(['none', 'same', 'each'] as const)(
    'is tried again when it refuses a connection for effect %s, which is certainly not done',
    async (effect) => {
      const closed = await startServer();
      await closed.stop();
      const service = open(closed.baseUrl);
      expect(await failure(service, effect)).toMatchObject({
        kind: 'unreachable',
        attempts: 3,
        mayHaveTakenEffect: false,
        status: null,
        reason: 'the connection is refused',
      });
      await service.close();
    },
  );

  test('is named unreachable when its host does not exist', { timeout: 290_000 }, async () => {
    const service = open('https://keuken.invalid', { retries: 0 });
    expect(await failure(service, 'each')).toMatchObject({ kind: 'unreachable', mayHaveTakenEffect: false });
    await service.close();
  });

  test('is judged lost when it does not speak HTTP', async () => {
    const odd = createServer((socket) => {
      socket.on('error', () => {});
      socket.end('SSH-2.0-OpenSSH_9.6\r\n');
    });
    odd.listen(0, '127.0.0.1');
    await once(odd, 'listening');
    const service = open(`http://127.0.0.1:${(odd.address() as AddressInfo).port}`);
    expect(await failure(service, 'none')).toMatchObject({ kind: 'lost', attempts: 3 });
    await service.close();
    odd.close();
  });
});

describe('a request of several attempts', () => {
  test('may have taken effect when an update was lost first and cannot be sent later', async () => {
    server.script(reset, status(503), status(503));
    const service = open(server.baseUrl);
    expect(await failure(service, 'same')).toMatchObject({
      kind: 'lost',
      status: 503,
      mayHaveTakenEffect: true,
      attempts: 3,
    });
    await service.close();
  });

  test('keeps a definite answer after a lost one, with the doubt', async () => {
    server.script(reset, status(404));
    const service = open(server.baseUrl);
    expect(await failure(service, 'same')).toMatchObject({
      kind: 'missing',
      mayHaveTakenEffect: true,
      attempts: 2,
    });
    await service.close();
  });

  test('took no effect when it is refused after a lost answer', async () => {
    server.script(reset, json(validation, 422));
    const service = open(server.baseUrl);
    expect(await failure(service, 'same')).toMatchObject({ kind: 'refused', mayHaveTakenEffect: false });
    await service.close();
  });

  test('is not sent a third time when a create was turned away and then lost', async () => {
    server.script(status(429), reset, json({ ProductID: 1 }));
    const service = open(server.baseUrl);
    expect(await failure(service, 'each')).toMatchObject({
      kind: 'lost',
      attempts: 2,
      mayHaveTakenEffect: true,
    });
    await service.close();
  });
});

describe('the service’s own words', () => {
  test.each([
    [
      json(validation, 422),
      'The given data was invalid.',
      { Verkoopprijs: ['must be a number', 'must be at least 0'], Volume: ['too much'] },
    ],
    [json({ errors: 'mislukt', message: 'Geen rechten.' }, 403), 'Geen rechten.', {}],
    [json({ errors: 'mislukt' }, 400), 'mislukt', {}],
    [json({ errors: { Volume: ['te groot'] } }, 422), 'te groot', { Volume: ['te groot'] }],
    [json({ errors: [{ field: 'Volume', message: 'te groot' }] }, 422), 'te groot', { Volume: ['te groot'] }],
    [json({ error: { message: 'Gone fishing', code: 7 } }, 400), 'Gone fishing', {}],
    [json([{ message: 'in een lijst' }], 400), 'in een lijst', {}],
    [json('just text', 400), 'just text', {}],
    [json(null, 400), null, {}],
    [text('plain\n  text\u001b[31m', 400), 'plain text [31m', {}],
    [text('', 400), null, {}],
    [html('Niet <b>gevonden</b> &amp; weg', 400), 'Niet gevonden weg', {}],
    [text('x'.repeat(5000), 400), `${'x'.repeat(299)}…`, {}],
  ] as const)('%#', async (behaviour, words, fields) => {
    server.script(behaviour as Behaviour);
    const service = open(server.baseUrl);
    expect(await failure(service, 'same')).toMatchObject({ kind: 'refused', words, fields });
    await service.close();
  });
});

describe('a refused token', () => {
  test('ends the service: nothing more is sent', async () => {
    server.script(json({ errors: 'failed', message: 'Unauthenticated.' }, 401));
    const service = open(server.baseUrl, { concurrency: 1 });
    const sends = ['none', 'same', 'each', 'none'].map((effect) =>
      senders[effect as 'none'](service).catch((error: unknown) => error),
    );
    for (const error of await Promise.all(sends)) {
      expect(error).toBeInstanceOf(StopError);
      expect(error).toMatchObject({
        exit: EXIT.service,
        message: expect.stringContaining('Unauthenticated.'),
      });
    }
    expect(server.received).toHaveLength(1);
    await expect(senders.none(service)).rejects.toThrow(StopError);
    expect(server.received).toHaveLength(1);
    await service.close();
  });
});
