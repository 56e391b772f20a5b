import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeWorkbook, PACKAGE_HEADER, readBack } from '../helpers/make-workbook.ts';
import { hasProgram, tempFolder } from '../helpers/run-cli.ts';
import { hasTerminals, runOnTerminal } from '../helpers/run-on-terminal.ts';

/** Imports a file on a terminal into the embedded sandbox; each answer is given once its question is shown. */
async function imported(
  content: string | Parameters<typeof makeWorkbook>[1],
  answers: readonly (readonly [question: string, keys: string])[],
  ...flags: readonly string[]
) {
  const folder = tempFolder();
  const file = typeof content === 'string' ? 'lijst.csv' : 'lijst.xlsx';
  if (typeof content === 'string') writeFileSync(join(folder, file), content);
  else await makeWorkbook(join(folder, file), content);
  const presses = answers.map(([wanted, keys]) => ({ wanted, keys }));
  const options = { cwd: folder, env: { CATERSHEET_HOME: folder } };
  const { code, shown } = await runOnTerminal(['import', file, '--no-color', ...flags], presses, options);
  return { folder, code, shown: shown.replace(/\s+/g, ' ') };
}

const LUNCH = { Pakketten: [[...PACKAGE_HEADER], [600_000, 'Lunchbuffet', 1, 12.5, true]] };

describe.skipIf(!hasTerminals || !hasProgram)('on a terminal (by way of python3) the real program', () => {
  test('takes Enter for no: nothing is sent, and the way to send it after all is said', async () => {
    const { folder, code, shown } = await imported(LUNCH, [['[y/N]', '\r']]);
    expect([code, shown]).toEqual([0, expect.stringMatching(/Nothing was sent\..*To send it after all:/)]);
    const row = (await readBack(join(folder, 'lijst.result.xlsx'))).get('Pakketten')?.get(2);
    expect(row?.get(6)).not.toBe('created');
  });

  test('asks about rows without a key, tells warnings before it asks and after it sent, and sends at yes', async () => {
    const sheets = {
      Pakketten: [
        [...PACKAGE_HEADER],
        [null, 'Zomerbuffet', 1, '1.125', true],
        [null, 'Soep', 1, 6.75, true],
      ],
    };
    const { code, shown } = await imported(sheets, [
      ['Create them as new? [y/N]', 'y\r'],
      ['[y/N]', 'y\r'],
    ]);
    expect([code, shown]).toEqual([0, expect.stringMatching(/Sheet rows created Pakketten 2 2/)]);
    expect(shown.match(/Rows of Pakketten that name no record: 2\./g)).toHaveLength(1);
    expect(shown.match(/Read in a way you may not expect Pakketten Zomerbuffet: D2/g)).toHaveLength(2);
  });

  test('asks whether headers of one’s own stand for fields, and ends at Ctrl-C with 130 and one sentence', async () => {
    const { folder, code, shown } = await imported(
      'Productnr;Geteld kg;Wie;Datum;Soort;Reden\n50001;3;12;31-3-2026 8:00;telling;Week\n',
      [
        ['next time? [y/N]', 'y\r'],
        ['[y/N]', '\x03'],
      ],
    );
    expect(shown).toMatch(/rows to post lijst 1 1/);
    expect([code, shown]).toEqual([130, expect.stringMatching(/Interrupted: nothing was sent\. ?$/)]);
    expect(existsSync(join(folder, 'lijst.result.csv'))).toBe(false);
  });
});
