import { inspect } from 'node:util';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { TOKEN } from './open.ts';
import { type Behaviour, cut, html, json, text, useServer } from './scripted-server.ts';

const { open, script } = useServer();

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
  const service = open({
    log: pino(
      { level: 'trace' },
      {
        write(line) {
          log += line;
        },
      },
    ),
  });
  const ends = await Promise.allSettled([service.create(), service.read()]);
  await service.close();
  const shown = ends.map((end) => ('reason' in end ? everything(end.reason) : '')).join('\n') + log;
  // Half a token is half a secret.
  for (const secret of [TOKEN.slice(0, 8), encodeURIComponent(TOKEN), Buffer.from(TOKEN).toString('base64')])
    expect(shown).not.toContain(secret);
  expect(log).toContain('packages.create');
  expect(log).not.toContain('Klassiek');
});

test.each(['', ' ', 'two words', 'line\nend', 'naïef', 'null\u0000'])(
  'a token that cannot be one is refused without being shown: %j',
  (token) => {
    let refused: unknown;
    try {
      open({ token });
    } catch (error) {
      refused = error;
    }
    expect(refused).toMatchObject({ exit: 2 });
    if (token.length > 1) expect(everything(refused)).not.toContain(token);
  },
);
