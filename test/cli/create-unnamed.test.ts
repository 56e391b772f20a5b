import { describe, expect, it } from 'vitest';
import { makeWorkbook } from '../helpers/make-workbook.ts';
import { tempFolder } from '../helpers/run-cli.ts';
import { hasTerminals, runOnTerminal } from '../helpers/run-on-terminal.ts';

/** Two rows that name no record, imported on a terminal; answers are by what is asked. */
async function imported(answers: readonly [asked: string, answer: string][], ...flags: string[]) {
  const folder = tempFolder();
  await makeWorkbook(`${folder}/zomer.xlsx`, {
    Pakketten: [
      ['ProductTypeID', 'OmschrijvingIntern', 'Verkoopprijs', 'ProductID', 'ExternalID'],
      [1, 'Zomerbuffet', 24.5],
      [2, 'Koude komkommersoep', 6.75],
    ],
  });
  const { code, shown } = runOnTerminal(
    ['import', 'zomer.xlsx', '--no-color', ...flags],
    answers.map(([wanted, answer]) => ({ wanted, keys: `${answer}\r` })),
    { cwd: folder, env: { CATERSHEET_HOME: folder } },
  );
  return { code, shown: shown.replace(/\s+/g, ' ') };
}

describe.skipIf(!hasTerminals)('rows that name no record, on a terminal (by way of python3)', () => {
  it('are asked about once, and sent as new where the answer is yes', async () => {
    const { code, shown } = await imported([
      ['Create them as new? [y/N]', 'y'],
      ['[y/N]', 'y'],
    ]);
    expect(code).toBe(0);
    expect(shown.split('2 rows of Pakketten name no record.')).toHaveLength(2);
    expect(shown).toMatch(/Sheet rows created Pakketten 2 2/);
  });

  it('are asked about in a dry run too, in Dutch, and stay invalid where the answer is no', async () => {
    const asked = '2 rijen van Pakketten noemen geen record. Als nieuw aanmaken? [j/N]';
    const { code, shown } = await imported([[asked, 'n']], '--dry-run', '--lang', 'nl');
    expect(code).toBe(5);
    expect(shown).toMatch(/Werkblad rijen ongeldig Pakketten 2 2/);
    expect(shown).toContain('--set "#action=create"');
  });
});
