import { Writable } from 'node:stream';
import { inspect } from 'node:util';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { firstPage } from '../../src/service/pages.ts';
import { openService } from '../../src/service/service.ts';
import { list, quickTime, TOKEN } from './open.ts';
import { type Behaviour, cut, html, json, text, useServer } from './scripted-server.ts';

const { baseUrl, open, script } = useServer();

const echo = `Authorization: Bearer ${TOKEN}`;

/** Everything of an error that could end up on a screen or in a file. */
function everything(error: unknown): string {
  return `${inspect(error, { depth: 20, showHidden: true })} ${JSON.stringify(error)} ${(error as Error).stack}`;
}

const behaviours: readonly [string, Behaviour][] = [
  ['an echo broken over the length limit', text('x'.repeat(290) + TOKEN, 400)],
  ['a page that echoes it', html(echo, 500)],
  ['a text that is no JSON', text(echo)],
  ['a cut answer', cut],
  [
    'bytes that are no HTTP',
    (_response, _received, socket) => socket.end(`HTTP/1.1 200 OK\r\n${echo}\u0000\r\n\r\n`),
  ],
  ['a record of another shape', json({ ProductID: { [TOKEN]: TOKEN } })],
];

test.each(behaviours)('the token stays secret with %s', async (_, behaviour) => {
  script(behaviour);
  let log = '';
  const sink = new Writable({
    write(chunk, _encoding, done) {
      log += String(chunk);
      done();
    },
  });
  const service = open({ log: pino({ level: 'trace' }, sink) });
  const errors = [
    await service.create().catch((error: unknown) => error),
    await service.read().catch((error: unknown) => error),
    await firstPage(service, list, { LMT: '2027-01-01 00:00:00' })
      .then(async (first) => {
        for await (const page of first.all(2)) expect(page.data).toBeInstanceOf(Array);
      })
      .catch((error: unknown) => error),
  ];
  await service.close();
  const shown =
    errors
      .filter((error) => error instanceof Error)
      .map(everything)
      .join('\n') + log;
  for (const secret of [TOKEN, encodeURIComponent(TOKEN), Buffer.from(TOKEN).toString('base64')]) {
    expect(shown).not.toContain(secret);
  }
  // Half a token is half a secret.
  expect(shown).not.toContain(TOKEN.slice(0, 8));
  expect(log).toContain('packages.create');
  expect(log).not.toContain('Van Dijk');
});

test.each(['', ' ', 'two words', 'line\nend', 'naïef', 'null\u0000'])(
  'a token that cannot be one is refused without being shown: %j',
  (token) => {
    const options = {
      baseUrl: baseUrl(),
      concurrency: 1,
      timeout: 1000,
      retries: 0,
      log: pino({ level: 'silent' }),
      time: quickTime(),
    };
    try {
      openService({ ...options, token });
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ exit: 2 });
      if (token.length > 1) expect(everything(error)).not.toContain(token);
    }
  },
);
