import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli, tempFolder } from '../helpers/run-cli.ts';
import { hasTerminals, runOnTerminal } from '../helpers/run-on-terminal.ts';

const SCANNED = 'Product.ExternalID;GeteldProducteenheid\n50001;3\n50003;4\n';
const FLAGS = '--set WerknemerID=… --set DatumTijd=… --set MutatieCategorieID=… --set MutatieReden=…';

/** A folder with a count, and ways to import it. */
function store(text: string) {
  const folder = tempFolder();
  writeFileSync(join(folder, 'telling.csv'), text);
  const options = { cwd: folder, env: { CATERSHEET_HOME: folder } };
  const command = ['import', 'telling.csv', '--dry-run', '--no-color'];
  return {
    run: (...flags: string[]) => runCli([...command, ...flags], options),
    answer: (presses: readonly [string, string][], ...flags: string[]) =>
      runOnTerminal(
        [...command, ...flags],
        presses.map(([wanted, keys]) => ({ wanted, keys: `${keys}\r` })),
        options,
      ),
  };
}

describe('a count that does not say who, when and why, without a terminal', () => {
  it.each([
    ['en', 'To give all rows that lack it one value, add'],
    ['nl', 'Om alle rijen waar iets ontbreekt één waarde te geven: voeg'],
  ])('says the flags that do, in one line (%s)', async (language, words) => {
    const { code, stderr } = await store(SCANNED).run('--as', 'stock-count', '--lang', language);
    expect(code).toBe(3);
    expect(stderr).toContain(`${words} ${FLAGS}`);
  });

  it('says of the columns that are empty too, and nothing where a row has them', async () => {
    const head = 'ProductID;GeteldRekeneenheid;WerknemerID;DatumTijd;MutatieCategorieID;MutatieReden';
    const some = await store(
      `${head}\n7001;900;;30-3-2026 18:00;4901;Week\n7003;1;12;30-3-2026;4901;Week\n`,
    ).run();
    expect(some.stdout).toContain('to give all rows that lack it one value, add --set WerknemerID=…\n');
    const whole = await store(`${head}\n7001;900;12;30-3-2026 18:00;4901;Week\n`).run();
    expect(whole.stdout).toMatch(/to post\n/);
    expect(whole.stdout).not.toContain('--set');
  });
});

describe.skipIf(!hasTerminals)('the same on a terminal (by way of python3)', () => {
  const WHO: [string, string] = ['Employee (WerknemerID), such as 12:', '12'];
  const WHEN: [string, string] = ['When (DatumTijd), such as', 'yesterday 18:00'];
  const WHAT: [string, string] = ['(MutatieCategorieID), one of Telling, Derving', 'telling'];
  const WHY: [string, string] = ['Reason (MutatieReden), such as', 'Weektelling'];

  it('asks each once for all rows, and again where an answer can’t be read', () => {
    const { answer } = store(SCANNED);
    const { code, shown } = answer([
      [WHO[0], 'Jan'],
      WHO,
      [WHEN[0], 'someday'],
      WHEN,
      [WHAT[0], 'Feest'],
      WHAT,
      WHY,
    ]);
    expect(shown.replace(/\s+/g, ' ')).toContain(
      'No row of telling says this. One answer goes for all rows; Enter leaves it empty.',
    );
    expect(shown).toContain('found "Jan", expected a whole number');
    expect(shown).toContain('found "someday", expected a date');
    expect(shown).toContain('That is none of them.');
    expect(shown).toMatch(/rows {2}to post\r?\n *telling +2 +2\r?\n/);
    expect(code).toBe(0);
  });

  it('leaves what a row or --set says, and asks only for the rest', () => {
    const text = 'ProductID;GeteldRekeneenheid;WerknemerID;MutatieReden\n7001;900;14;\n7003;800;;\n';
    const { answer } = store(text);
    const { shown } = answer([WHEN, WHY], '--set', 'MutatieCategorieID=4901', '--set', 'WerknemerID=12');
    expect(shown).toContain('When (DatumTijd)');
    expect(shown).not.toContain('(MutatieCategorieID)');
    expect(shown).not.toContain('Employee');
    expect(shown).toContain('empty cells that --set filled: MutatieReden (2), WerknemerID (1)');
    expect(shown).toMatch(/telling +2 +2\r?\n/);
  });
});
