import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { EXITS } from '../../src/core/errors.ts';
import { COMMAND_LIST } from '../../src/options/commands.ts';
import { kebab } from '../../src/options/option.ts';
import { OPTION_LIST } from '../../src/options/options.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const file = join(root, 'man/catersheet.1');
const page = readFileSync(file, 'utf8');
const has = (program: string, ...words: string[]): boolean => spawnSync(program, words).status === 0;
const hasMandoc = has('mandoc', '-T', 'ascii', '/dev/null');

test('the page of the manual has every command, flag and exit status', () => {
  const plain = page.replaceAll('\\-', '-').replace(/\\fR|\\fB/g, '');
  for (const [name] of COMMAND_LIST) expect(plain).toMatch(new RegExp(`^\\.SS catersheet ${name}\\b`, 'm'));
  for (const { commands, flag } of OPTION_LIST)
    if (commands.length > 0) expect(plain).toMatch(new RegExp(`^(-\\w, )?--${kebab(flag)}\\b`, 'm'));
  for (const { code } of Object.values(EXITS)) expect(plain).toContain(`.TP\n${code}\n`);
});

test.skipIf(!hasMandoc)('mandoc finds no error in the page', () => {
  const { status, stdout } = spawnSync('mandoc', ['-T', 'lint', '-W', 'error', file]);
  expect([status, stdout.toString()]).toEqual([0, '']);
});
