import { describe, expect, test } from 'vitest';
import { commandHelp } from '../../../src/cli/usage/command-help.ts';
import { programHelp } from '../../../src/cli/usage/program-help.ts';
import { shownWidth } from '../../../src/core/visible-text.ts';
import { COMMAND_LIST } from '../../../src/options/commands.ts';
import { runCli } from '../../helpers/run-cli.ts';

const WIDTHS = [60, 80, 160] as const;
const LANGUAGES = ['en', 'nl'] as const;

/** The help of a command, or of the program where none is named. */
const helpOf = async (
  name: (typeof COMMAND_LIST)[number][0] | undefined,
  language: 'en' | 'nl',
  width: number,
) => (name === undefined ? programHelp(language, width) : await commandHelp(name, language, width));

describe.each([undefined, ...COMMAND_LIST.map(([name]) => name)])('the help of %s', (name) => {
  test.each(WIDTHS)('fits %i columns in both languages, and breaks at words', async (width) => {
    for (const language of LANGUAGES) {
      const lines = await helpOf(name, language, width);
      expect(lines.filter((line) => shownWidth(line) > width || line !== line.trimEnd())).toEqual([]);
      // Whatever the width, the words are the same.
      const words = (of: readonly string[]): string[] =>
        of
          .join(' ')
          .replace(/ [\\`] /g, ' ')
          .split(/\s+/);
      expect(words(lines)).toEqual(words(await helpOf(name, language, 1000)));
    }
  });
});

test('the flags of a command itself come before those that others have too', async () => {
  const lines = await commandHelp('import', 'en', 80);
  const titles = lines.filter((line) => /^\S.*:$/.test(line));
  expect(titles).toEqual(['Flags:', 'How the file is read:', 'Service:', 'Run:', 'Output:', 'Examples:']);
  const place = (flag: string): number => lines.findIndex((line) => line.includes(`--${flag}`));
  const places = ['dry-run', 'map', 'base-url', 'concurrency', 'quiet', 'version'].map(place);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places).not.toContain(-1);
});

test.each([
  { args: ['help', 'import'], same: ['import', '--help'] },
  { args: ['help', 'ledger', '--lang', 'nl'], same: ['ledger', '-h', '--lang', 'nl'] },
  { args: ['help'], same: ['--help'] },
])('catersheet $args says what $same says', async ({ args, same }) => {
  const [help, flag] = [await runCli(args), await runCli(same)];
  expect([help.code, flag.code]).toEqual([0, 0]);
  expect(help.stdout).toBe(flag.stdout);
  expect(help.stdout.length).toBeGreaterThan(500);
});

test('-V is the version, and -q is quiet', async () => {
  const [letter, word] = [await runCli(['-V']), await runCli(['--version'])];
  expect(letter).toEqual(word);
  expect(letter.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  const quiet = await runCli(['runs', '-q', '--ledger', ':memory:']);
  const loud = await runCli(['runs', '--quiet', '--ledger', ':memory:']);
  expect(quiet).toEqual(loud);
});

test('a misspelt command with --help is not taken for none', async () => {
  const { code, stdout, stderr } = await runCli(['imprt', '--help']);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toBe('There is no command imprt.\nYou may mean: catersheet import --help\n');
});
