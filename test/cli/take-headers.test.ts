import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli, tempFolder } from '../helpers/run-cli.ts';
import { hasTerminals, runOnTerminal } from '../helpers/run-on-terminal.ts';

const LIST = 'Productnr;Naam;Soort;Prijs;Marge\n600001;Lunchbuffet;Buffet;12,50;31\n';
const MAP = 'Productnr=ExternalID;Naam=OmschrijvingIntern;Soort=ProductTypeID;Prijs=Verkoopprijs';

/** A folder with a price list whose headers are a kitchen's own, and ways to import it. */
function kitchen() {
  const folder = tempFolder();
  writeFileSync(join(folder, 'lijst.csv'), LIST);
  const options = { cwd: folder, env: { CATERSHEET_HOME: folder } };
  const command = ['import', 'lijst.csv', '--dry-run', '--no-color'];
  return {
    folder,
    run: (...flags: string[]) => runCli([...command, ...flags], options),
    answer: (keys: string, ...flags: string[]) =>
      runOnTerminal([...command, ...flags], { wanted: 'next time? [y/N]', keys }, options),
    again: () => runOnTerminal(command, [], options),
  };
}

describe('headers of one’s own without a terminal', () => {
  it.each([[[]], [['--yes']]])('are not taken, and the map to copy is printed (%s)', async (flags) => {
    const { run } = kitchen();
    const { code, stderr } = await run(...flags);
    expect(code).toBe(3);
    expect(stderr).toContain('lijst.csv holds no sheet to import');
    expect(stderr).toContain(`To use these headers, add --map "${MAP}".`);
    const mapped = await run('--map', MAP);
    expect(mapped.code).toBe(0);
    expect(mapped.stdout).toMatch(/rows {2}to create\n *lijst +1 +1\n/);
    expect(mapped.stdout).toContain('Columns not used: lijst: Marge\n');
  });

  it('are proposed for a file without those that are remembered for others, in a whole command', async () => {
    const { folder, run } = kitchen();
    writeFileSync(join(folder, 'catersheet.config.json'), JSON.stringify({ profiles: { eigen: {} } }));
    const profile = ['--profile', 'eigen'];
    expect((await run('--map', MAP, ...profile)).code).toBe(0);
    writeFileSync(join(folder, 'facturen.csv'), 'Factuurnr;Klant\n5501;Bakker\n5502;Smit\n');
    const options = { cwd: folder, env: { CATERSHEET_HOME: folder } };
    const invoices = ['invoices', 'facturen.csv', '--to', 'inv', ...profile];
    const { code, stderr } = await runCli(invoices, options);
    expect(code).toBe(3);
    const [, command = ''] = /Type it like this:\s+catersheet (.+)/.exec(stderr) ?? [];
    expect(command).toMatch(/^invoices facturen\.csv --to inv --profile eigen --map \S+=\S+$/);
    expect(stderr).not.toContain('Productnr');
    const obeyed = await runCli([...command.split(' '), '--dry-run'], options);
    expect(obeyed.code).toBe(0);
    expect(obeyed.stdout).not.toContain('Headers of the map that no sheet has');
  });

  it('stand in the JSON of a sheet that is imported without them', async () => {
    const { folder, run } = kitchen();
    writeFileSync(join(folder, 'lijst.csv'), 'ExternalID;Prijs;Marge\n30001;12,50;31\n');
    const document = JSON.parse((await run('--as', 'packages', '--json')).stdout);
    expect(document.counts).toMatchObject({ read: 1, unchanged: 1 });
    expect(document.proposals).toEqual([
      {
        sheet: 'lijst',
        resource: 'packages',
        columns: [{ header: 'Prijs', column: 'B', field: 'Verkoopprijs', sample: '12,50' }],
        undecided: [],
      },
    ]);
    expect(document.map).toBe('Prijs=Verkoopprijs');
  });
});

describe.skipIf(!hasTerminals)('headers of one’s own on a terminal (by way of python3)', () => {
  it('are taken with one answer, and next time nothing is asked', async () => {
    const { folder, run, answer } = kitchen();
    const { code, shown } = answer('y\r');
    expect(code).toBe(0);
    expect(shown).toContain('lijst, as Pakketten');
    expect(shown).toMatch(/Productnr +→ ExternalID \(Your own number\) +600001/);
    expect(shown).toMatch(/Prijs +→ Verkoopprijs \(Sales price\) +12,50/);
    expect(shown.indexOf('to create')).toBeGreaterThan(shown.indexOf('[y/N]'));
    const next = await run();
    expect(next.code).toBe(0);
    expect(next.stdout).toContain('Headers as remembered: Productnr = ExternalID, Naam = OmschrijvingIntern');
    // What was taken says nothing of a file that has the fields' own headers.
    writeFileSync(join(folder, 'lijst.csv'), 'ExternalID;Verkoopprijs;Prijs\n30001;12,50;99\n');
    const exact = await run('--as', 'packages');
    expect(exact.stdout).toContain('Columns not used: lijst: Prijs\n');
    expect(exact.stdout).not.toContain('more than one column');
    writeFileSync(join(folder, 'lijst.csv'), LIST);
    expect((await run('--map', 'none')).code).toBe(3);
    expect((await run()).code).toBe(3);
  });

  it('are chosen by a number where a word fits two fields, and who, when and why are asked next', () => {
    const { folder, env } = { folder: tempFolder(), env: tempFolder() };
    writeFileSync(
      join(folder, 'telling.csv'),
      'Productnr;Aantal geteld;Wie;Datum\n50001;3;12;31-3-2026 8:00\n',
    );
    const { code, shown } = runOnTerminal(
      ['import', 'telling.csv', '--dry-run', '--no-color'],
      [
        { wanted: 'next time? [y/N]', keys: 'y\r' },
        {
          wanted: 'Aantal geteld (B): 1 GeteldRekeneenheid, 2 GeteldProducteenheid, Enter none:',
          keys: '2\r',
        },
        { wanted: '(MutatieCategorieID)', keys: 'Telling\r' },
        { wanted: '(MutatieReden)', keys: 'Week\r' },
      ],
      { cwd: folder, env: { CATERSHEET_HOME: env } },
    );
    expect(shown).toMatch(/rows {2}to post\r?\n *telling +1 +1/);
    expect(code).toBe(0);
  });

  it('stay unused where the answer is no, which is asked once, and again after --map none', async () => {
    const { run, answer, again } = kitchen();
    const map = `To use these headers, add --map "${MAP}".`;
    const { code, shown } = answer('n\r');
    expect(code).toBe(3);
    expect(shown.replace(/\s+/g, ' ')).toContain(map);
    const second = again();
    expect(second.code).toBe(3);
    expect(second.shown).not.toContain('[y/N]');
    expect(second.shown.replace(/\s+/g, ' ')).toContain(map);
    await run('--map', 'none');
    expect(answer('y\r').code).toBe(0);
  });
});
