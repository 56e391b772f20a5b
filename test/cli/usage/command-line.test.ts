import { writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { changedCommand } from '../../../src/cli/usage/command-line.ts';
import { StopError } from '../../../src/core/errors.ts';
import { kindsOf } from '../../../src/export/selection-options.ts';
import { fileKind } from '../../../src/files/file-kind.ts';
import { financeRequest } from '../../../src/finance/export-finance.ts';
import { checkTarget } from '../../../src/import/results/result-place.ts';
import { events } from '../../../src/resources/events.ts';
import { earlyLanguage } from '../../../src/session/spoken-language.ts';
import { hasProgram, runCli, tempFolder } from '../../helpers/run-cli.ts';

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

const FINANCE = { locale: 'nl', language: 'nl' } as const;

/** A command line, what its command finds in it, and the line as it should be. */
const CHANGED: readonly (readonly [string, () => unknown, string])[] = [
  ['export events', () => kindsOf([events], {}, 'nl'), 'export events --from D --to D'],
  [
    'export events --to 2026-11-30',
    () => kindsOf([events], { to: '2026-11-30' }, 'nl'),
    'export events --to 2026-11-30 --from D',
  ],
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
  ['export finance', () => financeRequest({}, FINANCE), 'export finance --from D --to D'],
  [
    'import wek.xlsx -y',
    () => {
      const folder = tempFolder();
      for (const name of ['week.xlsx', 'wek.txt', 'omzet.xlsx']) writeFileSync(join(folder, name), '');
      return fileKind(join(folder, 'wek.xlsx'), false).catch((error: StopError) => {
        const [[from = '', to = ''] = []] = Object.entries(error.change?.instead ?? {});
        const change = { instead: { [basename(from)]: basename(to) } };
        throw new StopError(error.exit, error.texts.message, { change });
      });
    },
    'import week.xlsx -y',
  ],
  [
    'import a.xlsx -o weg/b.xlsx',
    () => checkTarget('a.xlsx', 'weg/b.xlsx'),
    `import a.xlsx --out ${join(homedir(), 'b.xlsx')}`,
  ],
  ['import a.xlsx -yo b.txt', () => checkTarget('a.xlsx', 'b.txt'), 'import a.xlsx --out b.xlsx -y'],
];

describe('flags that exclude each other, or lack another', () => {
  test.each(CHANGED)('catersheet %s', async (line, work, command) => {
    const { change } = await stopOf(work);
    expect(change && changedCommand(line.split(' '), change)?.en).toBe(`catersheet ${command}`);
  });
});

test.skipIf(!hasProgram)(
  'where nobody can be asked, the command is shown with what answers the question',
  async () => {
    const folder = tempFolder();
    const options = { cwd: folder, env: { CATERSHEET_HOME: folder } };
    writeFileSync(join(folder, 'telling.csv'), 'Product.ExternalID;GeteldProducteenheid\n50001;3\n');
    const orders = await runCli(['orders', 'send', '881'], options);
    expect([orders.code, orders.stderr]).toEqual([
      2,
      expect.stringMatching(/terminal to ask on\.\n.*: catersheet orders send 881 --yes\n$/),
    ]);
    const count = await runCli(['import', 'telling.csv', '--lang', 'nl'], options);
    const set = ['WerknemerID', 'DatumTijd', 'MutatieCategorieID', 'MutatieReden'];
    const flags = set.map((field) => `--set ${field}=…`).join(' ');
    expect(count.stderr).toContain(
      `Typ het zo:\n  catersheet import telling.csv --lang nl --as stock-count ${flags}\n`,
    );
  },
);

test('wrong usage and help are in the language of the profile in use', () => {
  const home = tempFolder();
  const environment = { CATERSHEET_HOME: home, LANG: 'en_US.UTF-8' };
  const file = join(home, 'catersheet.config.json');
  const spoken = (...words: string[]) => earlyLanguage(words, environment);
  expect(spoken('imprt')).toBe('en');
  writeFileSync(
    file,
    JSON.stringify({ profile: 'zaak', profiles: { zaak: { lang: 'nl' }, uk: { lang: 'en' } } }),
  );
  expect([spoken('imprt'), spoken('imprt', '--profile', 'uk'), spoken('--profile=zaak')]).toEqual([
    'nl',
    'en',
    'nl',
  ]);
  expect(spoken('imprt', '--lang', 'en')).toBe('en');
});
