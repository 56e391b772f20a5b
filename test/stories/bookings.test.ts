import { join } from 'node:path';
import { BigNumber } from 'bignumber.js';
import Papa from 'papaparse';
import { expect, test } from 'vitest';
import { recordsOf, sheetsOf } from '../finance/finance-period.ts';
import { openProgram } from './program.ts';

test('what a period is booked as, line by line, adds up to the workbook to the cent', async () => {
  const { service, run, json, read, folder } = await openProgram();
  const { add } = service;
  const lunch = add.package({ OmschrijvingIntern: '=1+1 lunch', Verkoopprijs: 12.345 });
  const [party, free] = [
    add.event({ PartijOmschrijving: 'Kerst; borrel', FactuurRelatieID: 4002, KostenplaatsID: 7 }),
    add.event({ PartijOmschrijving: 'Proef', GeenOmzet: true }),
  ] as const;
  add.link(party, lunch, { Aantal: 3 });
  add.link(free, lunch, { Aantal: 2 });
  add.trip({ PartijID: party, Verkoopprijs: 80.1, BTWID: 3, GrootboekrekeningID: 8010 });
  add.trip({ PartijID: party, Datum: '2026-12-19 00:00:00.000' });
  add.trip({ PartijID: free, Verkoopprijs: 50 });
  add.trip({ Verkoopprijs: 25 });
  const period = ['export', 'finance', '--from', '2026-12-01', '--to', '2026-12-31', '--all'];
  const made = await run([...period, '--format', 'csv', '--lang', 'nl', '--json']);
  expect(made.code).toBe(0);
  const { file, format, sums, sheets, notes } = JSON.parse(made.stdout);
  expect([format, sheets]).toEqual(['csv', [{ key: 'bookings', sheet: 'Boekingen', rows: 3 }]]);
  // 3 × 12.345 and 80.1; events without revenue and trips of no event count for nothing.
  expect(sums.revenue).toBe('117.135');
  const { data } = Papa.parse<Record<string, string>>(read(file), { header: true, skipEmptyLines: true });
  const total = (of: readonly (string | number)[]): string =>
    BigNumber.sum(0, ...of.map((one) => String(one || 0).replace(',', '.'))).toFixed();
  expect(total(data.map(({ Totaal = '' }) => Totaal))).toBe(sums.revenue);
  // What is left out or empty is said of the file that was written, which has one sheet.
  const told = [
    /^Evenementen zonder omzet.*: 1\.$/,
    /^Ritten van evenementen.*: 1\.$/,
    /^Totaal: 1 × .*Boekingen!/,
  ];
  expect(notes).toEqual(told.map((one) => expect.stringMatching(one)));
  // A column of one member is called as the interface calls it.
  const event = { PartijID: `${party}`, PartijOmschrijving: 'Kerst; borrel', KostenplaatsID: '7' };
  expect(data).toMatchObject([
    // A text that looks like a formula stays a text.
    {
      ...event,
      Dag: '2026-12-18',
      Boeking: "'=1+1 lunch",
      Aantal: '3',
      Prijs: '12,3450',
      Totaal: '37,0350',
    },
    {
      ...event,
      Bron: 'Rit',
      Totaal: '80,1',
      BTWID: '3',
      GrootboekrekeningID: '8010',
    },
    { ...event, Dag: '2026-12-19', Bron: 'Rit', Totaal: '' },
  ]);
  expect(data.map((one) => one.FactuurRelatieID)).toEqual(['4002', '4002', '4002']);

  // Someone drops it on an import: what it says of the events is what they are.
  const taken = await json('import', file, '--dry-run');
  expect(taken.document.counts).toMatchObject({ read: 3, unchanged: 3 });

  const book = await run([...period, '--lang', 'nl', '--out', 'omzet.xlsx']);
  expect(book.code).toBe(0);
  const workbook = await sheetsOf(join(folder, 'omzet.xlsx'));
  const lines = recordsOf(workbook.get('Boekingen'));
  expect(lines).toHaveLength(3);
  expect(lines.map((one) => one['Factuurrelatienr.'])).toEqual([4002, 4002, 4002]);
  expect(total(lines.map((one) => one.Totaal as number))).toBe(sums.revenue);
  const overview = [...(workbook.get('Overzicht')?.values() ?? [])].map((row) => [...row.values()]);
  const amountOf = (name: RegExp) => overview.find((row) => name.test(String(row[0])))?.at(-1);
  expect(amountOf(/^Hetzelfde/)).toBe(amountOf(/^Omzet van de/));

  const refused = await run([...period, '--out', 'omzet.ndjson']);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('.xlsx or .csv')]);
});
