import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importWorkbook, planImport, type RowDocument, resources } from '../../src/index.ts';
import { readBack } from '../helpers/make-workbook.ts';
import { openTestService, optionsFor, type TestService } from '../helpers/test-service.ts';

const HEADER = 'ExternalID;OmschrijvingIntern;ProductTypeID;ProductCategorieID;Verkoopprijs';

function write({ folder }: TestService, name: string, ...lines: string[]): string {
  const file = join(folder, name);
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

test('a row that is invalid says what it is about in the JSON, the report, the terminal and in runs', async () => {
  const service = await openTestService();
  write(service, 'Pakketten.csv', HEADER, '700000;Lunch;Buffet;10;12,50', '700001;Kaasplank;Bufet;10;9');
  const args = ['import', 'Pakketten.csv', '--report', 'verslag.html', '--yes'];
  const { document } = await service.runJson(args);
  const { stdout } = await service.run(args);
  const about = 'Kaasplank (ExternalID 700001)';
  expect(document.rows[1]).toMatchObject({
    status: 'invalid',
    key: { ExternalID: 700001 },
    label: 'Kaasplank',
  });
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`Pakketten ${about}: C3 ProductTypeID: found "Bufet"`);
  expect(readFileSync(join(service.folder, 'verslag.html'), 'utf8')).toContain(
    '<strong>Kaasplank</strong><span class="ids">ExternalID 700001</span>',
  );
  const { stdout: runs, stderr: next } = await service.run(['runs', document.run]);
  expect(next).toContain(`To take this run back:\n  catersheet undo ${document.run}`);
  expect((await service.run(['runs'])).stderr).toMatch(
    /To see the rows of a run:\n {2}catersheet runs \d{8}-/,
  );
  expect(runs.replaceAll(/\s+/g, ' ')).toContain(`Pakketten 3 ${about}: invalid: C3 ProductTypeID`);
  expect(runs).toContain('Pakketten 2 Lunch (ExternalID 700000): created (');
});

test('rows with one problem are told together where it has one cause, and each of the first by its record', async () => {
  const service = await openTestService();
  const prices = ['"1.50"', '-', '2.50', 'n.v.t.', '3.75'];
  const rows = prices.map((price, at) => `${700_001 + at};Buffet ${at + 1};1;10;${price}`);
  write(service, 'Pakketten.csv', HEADER, ...rows);
  const args = ['import', 'Pakketten.csv', '--dry-run', '--report', 'verslag.html', '--out', 'uit.xlsx'];
  const { stdout } = await service.run(args);
  const told = stdout.replaceAll(/\s+/g, ' ');
  expect(told).toMatch(
    /Pakketten Buffet 1 \(ExternalID 700001\): E2 Verkoopprijs: [^;]*--locale[^;]*; and 2 more \(E4 Buffet 3, E6 Buffet 5\)/,
  );
  expect(told).toMatch(
    /Pakketten Buffet 2 \(ExternalID 700002\): E3 Verkoopprijs: [^;]*leave the cell empty[^;]*; and 1 more \(E5 Buffet 4\)/,
  );
  const summary = [...((await readBack(join(service.folder, 'uit.xlsx'))).get('Result')?.values() ?? [])].map(
    (cells) => [...cells.values()].join(' | '),
  );
  const three = 'Buffet 1 (ExternalID 700001); Buffet 3 (ExternalID 700003); Buffet 5 (ExternalID 700005)';
  expect(summary).toContainEqual(expect.stringContaining(`| 3 | E2 | E4 | E6 | ${three} | Verkoopprijs: `));
  expect(summary).toContainEqual(
    expect.stringMatching(/\| 2 \| E3 \| E5 \| .*Buffet 4 \(ExternalID 700004\) \| .*leave the cell empty/),
  );
  const page = readFileSync(join(service.folder, 'verslag.html'), 'utf8');
  expect(page).toMatch(/>E5<\/a> Buffet 4 \(ExternalID 700004\)/);
});

test('the rows of a plan and of --json=all hold what a person sees: key, name and changes as data', async () => {
  const service = await openTestService();
  const options = optionsFor(service);
  const file = write(service, 'Pakketten.csv', HEADER, '700000;Lunch;1;10;12,50', '700001;Diner;1;10;34,50');
  const { rows: made } = await importWorkbook(file, options);
  expect(made[0]).toMatchObject({
    ...{ status: 'created', key: { ExternalID: 700000 }, label: 'Lunch' },
    changes: expect.arrayContaining([
      { field: 'OmschrijvingIntern', from: null, to: 'Lunch' },
      { field: 'ProductTypeID', from: null, to: 1, toName: 'Buffet' },
    ]),
  });
  const id = made[0]?.id;
  const changed = write(service, 'Prijzen.csv', 'ProductID;Verkoopprijs', `${id};13`, `${made[1]?.id};34,5`);
  const plan = await planImport(changed, {
    ...options,
    as: resources.find(({ name }) => name === 'packages'),
  });
  const planned: RowDocument[] = [];
  for await (const row of plan.rows()) planned.push(row);
  expect(planned).toEqual([
    {
      ...{ sheet: 'Prijzen', row: 2, status: 'update', key: { ProductID: id }, label: 'Lunch', id },
      changes: [{ field: 'Verkoopprijs', from: 12.5, to: 13 }],
    },
    // The file does not name it: the record does.
    expect.objectContaining({ status: 'unchanged', label: 'Diner' }),
  ]);
});

test.each([
  ['arrangements', 'PartijID;ArrangementID;Aantal', '9001;2;wat', { PartijID: 9001, ArrangementID: 2 }],
  ['trips', 'RitID;RetourRit', '8001;wat', { RitID: 8001 }],
  ['events', 'ExternalID;Datum;RelatieID', '31;2027-05-01;wat', { ExternalID: 31 }],
  [
    'stock-mutations',
    '#key;ProductID;AantalRekeneenheid;WerknemerID;DatumTijd;MutatieCategorieID;MutatieReden',
    'week 3;7001;wat;12;2026-03-31 07:45;4901;op',
    { ProductID: 7001, '#key': 'week 3' },
  ],
  [
    'stock-count',
    'Product.ExternalID;GeteldRekeneenheid;WerknemerID;DatumTijd;MutatieCategorieID;MutatieReden',
    '50001;wat;12;2026-03-31 07:45;4901;op',
    { 'Product.ExternalID': 50001 },
  ],
])('an invalid row of %s has its keys', async (as, header, line, key) => {
  const service = await openTestService();
  write(service, 'rijen.csv', header, line);
  const { document } = await service.runJson(['import', 'rijen.csv', '--as', as, '--dry-run']);
  expect(document.rows).toEqual([expect.objectContaining({ status: 'invalid', key })]);
});
