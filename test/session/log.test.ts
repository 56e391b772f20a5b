import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemTime } from '../../src/core/time.ts';
import { openLog } from '../../src/session/log.ts';
import { tempFolder } from '../helpers/run-cli.ts';

const SECRET = 'geheim-7f3a';

async function written(write: (log: ReturnType<typeof openLog>['log']) => void): Promise<string> {
  const folder = tempFolder();
  const file = join(folder, 'een.log');
  const { log, close } = openLog({ file, folder, verbose: false, time: systemTime });
  write(log);
  await close();
  return readFileSync(file, 'utf8');
}

test.each([
  'token',
  'authorization',
  'Authorization',
  'Email',
  'Mobiel',
  'Achternaam',
  'IbanNr',
  'Chauffeur',
])('a log never says what %s is, in a line, in a part of it, or for all lines', async (name) => {
  const text = await written((log) => {
    log.info({ [name]: SECRET, row: 7 }, 'rij');
    log.warn({ contact: { [name]: SECRET, id: 12 } }, 'deel');
    log.child({ [name]: SECRET, part: 'service' }).info('kind');
  });
  expect(text).not.toContain(SECRET);
  const lines = text.trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { [name]: '…', row: 7, msg: 'rij' },
    { contact: { [name]: '…', id: 12 }, msg: 'deel' },
    { [name]: '…', part: 'service', msg: 'kind' },
  ]);
});

test('a log leaves what it is given as it was', async () => {
  const given = { token: SECRET, contact: { Email: SECRET } };
  await written((log) => log.info(given, 'rij'));
  expect(given).toEqual({ token: SECRET, contact: { Email: SECRET } });
});
