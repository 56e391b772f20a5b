import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { EXITS } from '../../src/core/errors.ts';
import { FUNCTIONS, kebab } from '../../src/options/option.ts';
import { OPTION_LIST } from '../../src/options/options.ts';
import { runCli } from '../helpers/run-cli.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const page = read('docs/commands.md');

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
