import { expect, test } from 'vitest';
import { commandHelp } from '../../../src/cli/usage/command-help.ts';
import { programHelp } from '../../../src/cli/usage/program-help.ts';
import { shownWidth } from '../../../src/core/visible-text.ts';
import { COMMAND_LIST } from '../../../src/options/commands.ts';
import { runCli } from '../../helpers/run-cli.ts';

test('the help of every command fits the screen in both languages, with the same words at any width', async () => {
  for (const language of ['en', 'nl'] as const)
    for (const [name] of [[undefined], ...COMMAND_LIST] as const) {
      const at = async (width: number) =>
        name === undefined ? programHelp(language, width) : await commandHelp(name, language, width);
      const lines = await at(60);
      expect(lines.filter((line) => shownWidth(line) > 60)).toEqual([]);
      const words = (of: readonly string[]) =>
        of
          .join(' ')
          .replace(/ [\\`] /g, ' ')
          .split(/\s+/);
      expect(words(lines)).toEqual(words(await at(1000)));
    }
});

test('help and version are asked for by a word, a flag or a letter, and a misspelt command is not taken for none', async () => {
  for (const [word, flag] of [
    ['help import', 'import --help'],
    ['help', '--help'],
    ['-V', '--version'],
    ['--lang nl help import', 'import -h --lang nl'],
  ] as const) {
    const [first, second] = [await runCli(word.split(' ')), await runCli(flag.split(' '))];
    expect([first.code, first.stdout]).toEqual([0, second.stdout]);
  }
  expect(await runCli(['imprt', '--help'])).toEqual({
    code: 2,
    stdout: '',
    stderr: 'There is no command imprt.\nYou may mean: catersheet import --help\n',
  });
});
