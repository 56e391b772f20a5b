import { describe, expect, test } from 'vitest';
import { EXIT, StopError } from '../../src/core/errors.ts';
import { RequestError } from '../../src/service/request-error.ts';
import { open as openAt } from './open.ts';
import { type Behaviour, cut, html, json, reset, text, useServer } from './scripted-server.ts';

const { open, received, script } = useServer();

type Effect = 'read' | 'update' | 'create';

async function failure(effect: Effect, service = open()): Promise<RequestError> {
  const error = await service[effect]().then(
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
type Ends = Readonly<Record<Effect, Expected>>;
type Case = [string, Behaviour, Ends];
const table: readonly Case[] = [
  ['400', status(400), same('refused', 1)],
  ['404', status(404), same('missing', 1)],
  ['409', status(409), same('conflict', 1)],
  ['422', json(validation, 422), same('refused', 1)],
  ['408', status(408), doubtful(3, 'busy')],
  ['425', status(425), doubtful(3, 'busy')],
  ['429', status(429), same('busy', 3)],
  ['503', status(503), doubtful(3, 'busy')],
  ['500', status(500), doubtful(1)],
  ['500 as a page', html('Server Error', 500), doubtful(3)],
  ['504', status(504), doubtful(3)],
  ['a reset after the request was read', reset, doubtful(3)],
  ['a cut answer', cut, doubtful(3)],
  ['a page with 200', html('Log in', 200), doubtful(3, 'malformed')],
  ['broken JSON with 200', text('{"ProductID": 5, "suc'), doubtful(3, 'malformed')],
  ['302 to a login', text('', 302, { location: 'https://elsewhere.example/login?secret=1' }), redirected()],
  ...[303, 307].map((code): Case => [`${code}`, moved(code), redirected()]),
];

function same(kind: string, attempts: number): Ends {
  const end: Expected = [kind, attempts, false];
  return { read: end, update: end, create: end };
}
/** The answer got lost: a read is unharmed, a repeatable write is repeated, a create is not. */
function doubtful(attempts: number, kind = 'lost'): Ends {
  return { read: [kind, attempts, false], update: ['lost', attempts, true], create: ['lost', 1, true] };
}
/** A service may point elsewhere after it did the work, whichever way it says so. */
function redirected(): Ends {
  const doubted: Expected = ['redirected', 1, true];
  return { ...same('redirected', 1), update: doubted, create: doubted };
}

describe.each(table)('the failure "%s"', (_, behaviour, expected) => {
  test.each(Object.entries(expected) as [Effect, Expected][])(
    'to a request with effect %s comes to %j',
    async (effect, outcome) => {
      script(behaviour);
      const error = await failure(effect);
      expect([error.kind, error.attempts, error.mayHaveTakenEffect]).toEqual(outcome);
      expect(received).toHaveLength(error.attempts);
      expect(error.message).not.toContain('secret=1');
    },
  );
});

describe('a service that cannot be reached', () => {
  test.each(['read', 'update', 'create'] as const)(
    'is tried again when it refuses a connection for a %s, which is certainly not done',
    async (effect) => {
      expect(await failure(effect, openAt('http://127.0.0.1:1/'))).toMatchObject({
        ...{ kind: 'unreachable', attempts: 3, mayHaveTakenEffect: false, status: null },
        reason: 'the connection is refused',
      });
    },
  );

  test('is judged lost when it does not speak HTTP', async () => {
    script((_response, _received, socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'));
    expect(await failure('read')).toMatchObject({ kind: 'lost', attempts: 3 });
  });
});

test.each<[string, Effect, Behaviour[], object]>([
  [
    'may have taken effect when an update was lost first and cannot be sent later',
    'update',
    [reset, status(503), status(503)],
    { kind: 'lost', status: 503, mayHaveTakenEffect: true, attempts: 3 },
  ],
  [
    'keeps a definite answer after a lost one, with the doubt',
    'update',
    [reset, status(404)],
    { kind: 'missing', mayHaveTakenEffect: true, attempts: 2 },
  ],
  [
    'took no effect when it is refused after a lost answer',
    'update',
    [reset, json(validation, 422)],
    { kind: 'refused', mayHaveTakenEffect: false },
  ],
  [
    'is not sent a third time when a create was turned away and then lost',
    'create',
    [status(429), reset, json({ ProductID: 1 })],
    { kind: 'lost', mayHaveTakenEffect: true, attempts: 2 },
  ],
])('a request of several attempts %s', async (_, effect, behaviours, told) => {
  script(...behaviours);
  expect(await failure(effect)).toMatchObject(told);
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
    script(behaviour as Behaviour);
    expect(await failure('update')).toMatchObject({ kind: 'refused', words, fields });
  });
});

test('a refused token ends the service: nothing more is sent', async () => {
  script(json({ errors: 'failed', message: 'Unauthenticated.' }, 401));
  const service = open({ concurrency: 1 });
  const stop = { exit: EXIT.service, message: expect.stringContaining('Unauthenticated.') };
  const sends = (['read', 'update', 'create', 'read'] as const).map((effect) =>
    expect(service[effect]()).rejects.toMatchObject(stop),
  );
  await Promise.all(sends);
  await expect(service.read()).rejects.toThrow(StopError);
  expect(received).toHaveLength(1);
});
