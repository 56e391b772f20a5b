import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { EXITS } from '../../src/core/errors.ts';
import { runCli } from '../helpers/run-cli.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const page = read('docs/commands.md');

test('an exit code says the same in the help, on the page of commands and on the page for scripts', async () => {
  const oneLine = (text: string): string => text.replace(/\s+/g, ' ');
  const help = oneLine((await runCli(['--help'])).stdout);
  const dutch = oneLine((await runCli(['--help', '--lang', 'nl'])).stdout);
  for (const { code, text } of Object.values(EXITS)) {
    expect(help).toContain(` ${code} ${text.en} `);
    expect(dutch).toContain(` ${code} ${text.nl} `);
    for (const where of [page, read('docs/json.md')]) expect(where).toContain(`| ${code} | ${text.en} |`);
  }
});
