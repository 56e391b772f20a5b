import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTestService } from '../helpers/test-service.ts';

const LIST = 'Productnr;Naam;Soort;Prijs;Marge\n600001;Lunchbuffet;Buffet;12,50;31\n';
const MAP = 'Productnr=ExternalID;Naam=OmschrijvingIntern;Soort=ProductTypeID;Prijs=Verkoopprijs';
/** A file whose name says nothing may hold other things by these headers too. */
const PROPOSED = MAP.replaceAll(/(?<=^|;)/g, 'packages:');
const FIELDS = 'WerknemerID, DatumTijd, MutatieCategorieID, MutatieReden';

test('headers of one’s own are not taken unasked: the map to copy is said, kept for the profile, and forgotten again', async () => {
  const { folder, run, runJson } = await openTestService();
  writeFileSync(join(folder, 'lijst.csv'), LIST);
  writeFileSync(join(folder, 'facturen.csv'), 'Factuurnr;Klant\n5501;Bakker\n5502;Smit\n');
  writeFileSync(join(folder, 'catersheet.config.json'), JSON.stringify({ profiles: { keuken: {} } }));
  const profile = ['--profile', 'keuken'];
  const planned = (...flags: string[]) => run(['import', 'lijst.csv', '--dry-run', ...profile, ...flags]);
  for (const flags of [[], ['--yes']]) {
    const { code, stderr } = await planned(...flags);
    expect([code, stderr]).toEqual([
      3,
      expect.stringContaining(`To use these headers, say which column each is (--map "${PROPOSED}").`),
    ]);
  }
  const mapped = await runJson([
    'import',
    'lijst.csv',
    '--dry-run',
    ...profile,
    '--map',
    `${MAP};Merk=Actief`,
  ]);
  expect(mapped.document).toMatchObject({
    counts: { read: 1, created: 1 },
    notes: ['Headers of the map that no sheet has: Merk'],
    sheets: [{ notes: ['columns not used: Marge'] }],
  });
  const applied = await runJson(['apply', mapped.document.run, '--yes']);
  expect([applied.document.counts.created, applied.document.notes]).toEqual([1, mapped.document.notes]);
  expect((await planned()).stdout).toContain(
    'Headers as remembered for profile keuken: Productnr = ExternalID',
  );
  // What is remembered for one file is not proposed for another.
  const invoices = await run(['invoices', 'facturen.csv', '--to', 'inv', ...profile]);
  const [, map = ''] = /\(--map "(.+?)"\)/.exec(invoices.stderr) ?? [];
  expect(map).toMatch(/^\S+=\S+$/);
  const again = await run(['invoices', 'facturen.csv', '--to', 'inv', ...profile, '--map', map, '--dry-run']);
  expect(again.code).toBe(0);
  for (const flags of [['--map', 'none'], []]) expect((await planned(...flags)).code).toBe(3);
});

test('where nobody can be asked, the flags that answer for all rows are said in one line', async () => {
  const { folder, run } = await openTestService();
  writeFileSync(join(folder, 'telling.csv'), 'Product.ExternalID;GeteldProducteenheid\n50001;3\n50003;4\n');
  const flags = '--set WerknemerID=… --set DatumTijd=… --set MutatieCategorieID=… --set MutatieReden=…';
  const { code, stderr } = await run(['import', 'telling.csv', '--as', 'stock-count', '--lang', 'nl']);
  expect([code, stderr]).toEqual([
    3,
    expect.stringContaining(`één waarde te geven: vul ${FIELDS} in (${flags})`),
  ]);
  const head = 'ProductID;GeteldRekeneenheid;WerknemerID;DatumTijd;MutatieCategorieID;MutatieReden';
  const rows = ['7001;900;;30-3-2026 18:00;4901;Week', '7003;1;12;30-3-2026;4901;Week'];
  writeFileSync(join(folder, 'telling.csv'), [head, ...rows].join('\n'));
  const some = await run(['import', 'telling.csv', '--dry-run']);
  expect(some.stdout).toContain('fill in WerknemerID (--set WerknemerID=…)\n');
  // Of a row of totals nothing is asked for.
  const places = ['#plaats;ProductID;GeteldRekeneenheid', 'Koelcel;7001;900', 'Totaal;;900'];
  writeFileSync(join(folder, 'telling.csv'), places.join('\n'));
  const given = ['WerknemerID=12', 'DatumTijd=30-3-2026', 'MutatieCategorieID=Telling', 'MutatieReden=Week'];
  const whole = await run(['import', 'telling.csv', '--dry-run', ...given.flatMap((one) => ['--set', one])]);
  expect(whole.stdout).not.toContain('=…');
});

test('the command that goes on after --map none does not forget what was taken since', async () => {
  const { folder, run } = await openTestService();
  writeFileSync(join(folder, 'lijst.csv'), 'ExternalID;OmschrijvingIntern;Verkoopprijs\n50001;Soep;twaalf\n');
  const { code, stdout } = await run([
    'import',
    'lijst.csv',
    '--as',
    'recipes',
    '--dry-run',
    '--map',
    'none',
  ]);
  expect([code, stdout]).toEqual([
    5,
    expect.stringMatching(/import lijst\.result\.csv --as recipes --dry-run\n/),
  ]);
});

test('two headers that a map gives one column stop the row in which they differ, which says how one is chosen', async () => {
  const { folder, run } = await openTestService();
  writeFileSync(join(folder, 'lijst.csv'), 'A;B;Naam;Verkoopprijs\n50001;50002;Soep;4\n');
  const map = 'A=ExternalID;B=ExternalID';
  const { code, stdout } = await run(['import', 'lijst.csv', '--as', 'packages', '--dry-run', '--map', map]);
  const issue =
    /B2 ExternalID: Columns A, B are for the same field .*50001 \/ 50002.* \(--map "HEADER \(D\)=FIELD"\)/;
  expect([code, stdout]).toEqual([5, expect.stringMatching(issue)]);
  expect(stdout).toMatch(/--map "Naam=OmschrijvingIntern"/);
});
