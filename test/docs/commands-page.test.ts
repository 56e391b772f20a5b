import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXITS } from '../../src/core/errors.ts';
import { FUNCTIONS, kebab } from '../../src/options/option.ts';
import { OPTION_LIST } from '../../src/options/options.ts';
import { hasProgram, runCli } from '../helpers/run-cli.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const page = read('docs/commands.md');

let made = '';

// What makes the page loads the built program.
beforeAll(() => {
  if (!hasProgram) return;
  made = mkdtempSync(join(tmpdir(), 'catersheet-docs-'));
  execFileSync(process.execPath, [join(root, 'scripts/commands-page.mjs'), made]);
});

afterAll(() => hasProgram && rmSync(made, { recursive: true, force: true }));

test.skipIf(!hasProgram).each(['docs/commands.md', 'docs/json.md', 'README.md'])(
  'the tables in %s are as `npm run docs` makes them from the option table',
  (file) => {
    expect(read(file)).toBe(readFileSync(join(made, file), 'utf8'));
  },
);

describe('the page of commands has all that the tables have', () => {
  test('every flag of every command', () => {
    const missing = OPTION_LIST.filter(
      ({ commands, flag }) => commands.length > 0 && !page.includes(`\`--${kebab(flag)}`),
    );
    expect(missing).toEqual([]);
  });

  test('every option and every function of the library', () => {
    const options = OPTION_LIST.filter(
      ({ functions, name }) => functions.length > 0 && !page.includes(`| \`${name}\` |`),
    );
    expect(options).toEqual([]);
    const own = FUNCTIONS.filter((name) => OPTION_LIST.some(({ functions }) => functions.includes(name)));
    expect(own).toEqual(FUNCTIONS);
  });
});

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
