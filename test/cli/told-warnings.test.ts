import { expect, it } from 'vitest';
import { makeWorkbook, PACKAGE_HEADER } from '../helpers/make-workbook.ts';
import { runCli, tempFolder } from '../helpers/run-cli.ts';
import { hasTerminals, runOnTerminal } from '../helpers/run-on-terminal.ts';

const TOLD =
  /Read in a way you may not expect: 2 rows +Pakketten Zomerbuffet \(ExternalID 650001\): D2 .*; and 1 more \(D3 Lentebuffet\)/;

/** A folder with two rows with a warning, and one without. */
async function kitchen() {
  const folder = tempFolder();
  await makeWorkbook(`${folder}/a.xlsx`, {
    Pakketten: [
      [...PACKAGE_HEADER],
      [650_001, 'Zomerbuffet', 1, '1.125', true],
      [650_002, 'Lentebuffet', 1, '1.250', true],
      [650_003, 'Herfstbuffet', 1, 12.5, true],
    ],
  });
  return { cwd: folder, env: { CATERSHEET_HOME: folder } };
}

const flat = (text: string): string => text.replace(/\s+/g, ' ');

it('the summary says how many rows have warnings, and of each kind the first cell', async () => {
  const { stdout } = await runCli(['import', 'a.xlsx', '--yes'], await kitchen());
  expect(flat(stdout)).toMatch(TOLD);
});

it.skipIf(!hasTerminals)(
  'warnings are told before the question and once more at the end (by way of python3)',
  async () => {
    const { code, shown } = runOnTerminal(
      ['import', 'a.xlsx', '--no-color'],
      { wanted: '[y/N]', keys: 'y\r' },
      await kitchen(),
    );
    expect(code).toBe(0);
    const [before = '', after = ''] = shown.split('[y/N]');
    expect(flat(before)).toMatch(TOLD);
    expect(flat(after)).toMatch(TOLD);
  },
);
