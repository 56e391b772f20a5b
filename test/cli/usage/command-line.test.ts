import { writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { changedCommand } from '../../../src/cli/usage/command-line.ts';
import { StopError } from '../../../src/core/errors.ts';
import { kindsOf } from '../../../src/export/selection-options.ts';
import { fileKind } from '../../../src/files/file-kind.ts';
import { checkTarget } from '../../../src/import/results/result-place.ts';
import { events } from '../../../src/resources/events.ts';
import { earlyLanguage } from '../../../src/session/spoken-language.ts';
import { tempFolder } from '../../helpers/run-cli.ts';

/** The stop that some work ends with. */
async function stopOf(work: () => unknown): Promise<StopError> {
  const thrown = await Promise.resolve()
    .then(work)
    .then(
      () => undefined,
      (error: unknown) => error,
    );
  expect(thrown).toBeInstanceOf(StopError);
  return thrown as StopError;
}

/** A command line, what its command finds in it, and the line as it should be. */
const CHANGED: readonly (readonly [string, () => unknown, string])[] = [
  ['export events', () => kindsOf([events], {}, 'nl'), 'export events --from D --to D'],
  [
    'export events --from 2026-02-30 --to 2026-03-31',
    () => kindsOf([events], { from: '2026-02-30', to: '2026-03-31' }, 'nl'),
    'export events --from D --to 2026-03-31',
  ],
  [
    'export events --from 2026-11-01 --to 2026-11-30 --since last',
    () => kindsOf([events], { from: '2026-11-01', to: '2026-11-30', since: 'last' }, 'nl'),
    'export events --from 2026-11-01 --to 2026-11-30',
  ],
  [
    'import wek.xlsx -y',
    async () => {
      const folder = tempFolder();
      for (const name of ['week.xlsx', 'wek.txt', 'omzet.xlsx']) writeFileSync(join(folder, name), '');
      try {
        fileKind(join(folder, 'wek.xlsx'), false);
      } catch (cause) {
        const error = cause as StopError;
        const [[from = '', to = ''] = []] = Object.entries(error.change?.instead ?? {});
        const change = { instead: { [basename(from)]: basename(to) } };
        throw new StopError(error.exit, error.texts.message, { change });
      }
    },
    'import week.xlsx --yes',
  ],
  [
    'import a.xlsx -o weg/b.xlsx',
    () => checkTarget('a.xlsx', 'weg/b.xlsx'),
    `import a.xlsx --out ${join(homedir(), 'b.xlsx')}`,
  ],
  ['import a.xlsx -yo b.txt', () => checkTarget('a.xlsx', 'b.txt'), 'import a.xlsx --yes --out b.xlsx'],
];

describe('flags that exclude each other, or lack another', () => {
  test.each(CHANGED)('catersheet %s', async (line, work, command) => {
    const { change } = await stopOf(work);
    expect(change && changedCommand(line.split(' '), change)?.en).toBe(`catersheet ${command}`);
  });
});

test('wrong usage and help are in the language of the machine until a profile or a flag says another', () => {
  const home = tempFolder();
  const file = join(home, 'catersheet.config.json');
  const spoken = (words: string, LANG = 'en_US.UTF-8') =>
    earlyLanguage(words.split(' '), { CATERSHEET_HOME: home, LANG });
  expect([spoken('imprt'), spoken('imprt', 'nl_NL.UTF-8')]).toEqual(['en', 'nl']);
  writeFileSync(
    file,
    JSON.stringify({ profile: 'zaak', profiles: { zaak: { lang: 'nl' }, uk: { lang: 'en' } } }),
  );
  const lines = ['imprt', '--profile=zaak', 'imprt --profile uk', 'imprt --lang en'];
  expect(lines.map((line) => spoken(line))).toEqual(['nl', 'nl', 'en', 'en']);
});
