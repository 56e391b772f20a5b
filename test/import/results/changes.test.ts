import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import exceljs from 'exceljs';
import { expect, test } from 'vitest';
import { type ImportWorkbookOptions, importWorkbook } from '../../../src/index.ts';
import { openTestService } from '../../helpers/test-service.ts';

const HEADER = 'ExternalID;OmschrijvingIntern;ProductTypeID;ProductCategorieID;Verkoopprijs;Offertetekst';
const LONG = 'Met bediening, servies en linnen. '.repeat(20).trim();
const NEW = `700001;Diner;Buffet;Salades;34,50;"${LONG}"`;

test('#changes shows prices as the file writes them, and of a new record what it is made with', async () => {
  const { folder, url: baseUrl, token } = await openTestService();
  const file = join(folder, 'Pakketten.csv');
  const options = {
    ...{ baseUrl, token, ledger: join(folder, 'ledger.db'), log: join(folder, 'run.log') },
    ...{ lang: 'en', allRows: true, locale: 'nl', out: join(folder, 'uit.xlsx') },
  } satisfies ImportWorkbookOptions;
  writeFileSync(file, `${HEADER}\n700000;Lunch;Buffet;Salades;12,50;\n`);
  await importWorkbook(file, options);
  writeFileSync(file, `${HEADER}\n700000;Lunch;;;13,75;\n${NEW}\n700002;Brunch;Feest;Salade;1;\n`);
  const planned = await importWorkbook(file, { ...options, dryRun: true });
  expect(planned.counts).toMatchObject({ created: 1, updated: 1, invalid: 1 });
  const book = new exceljs.Workbook();
  await book.xlsx.readFile(options.out);
  const [update, create] = [2, 3].map((row) => book.getWorksheet('Pakketten')?.getRow(row));
  expect(update?.getCell(10).value).toBe('Verkoopprijs: 12,50 → 13,75');
  const made = create?.getCell(10);
  expect(made?.value).toMatch(
    /^ProductTypeID: Buffet \(1\); OmschrijvingIntern: Diner; .*Verkoopprijs: 34,50; .*Offertetekst: Met bediening[^;]{40,50}…; .*ExternalID: 700001/,
  );
  // On one line: what it says stands in the row, and nothing of it is a change.
  expect(made?.alignment?.wrapText).not.toBe(true);
  expect(create?.height ?? 15).toBe(15);
  expect(create?.getCell(5).fill).toMatchObject({ pattern: 'none' });
  expect(planned.rows[2]?.issues?.map(({ message }) => message)).toEqual([
    expect.stringMatching(/\(the names are: Buffet, Arrangement, (\w| )+, (\w| )+\)$/),
    expect.stringMatching(/\(nearest names: Salades\)$/),
  ]);
  const out = join(folder, 'uit.csv');
  await importWorkbook(file, { ...options, out });
  expect(readFileSync(out, 'utf8')).toMatch(/;updated;\d+;;Verkoopprijs: 12,50 → 13,75;/);
});

test('a category that changes stands by name and number in the result, the report and runs, at no request more', async () => {
  const service = await openTestService();
  const header = 'ExternalID;OmschrijvingIntern;ProductTypeID;ProductCategorieID;Verkoopprijs;Actief';
  const write = (...rows: string[]) =>
    writeFileSync(join(service.folder, 'P.csv'), `${header}\n${rows.join('\n')}\n`);
  const args = ['P.csv', '--as', 'packages', '--out', 'uit.csv', '--report', 'uit.html'];
  write('700000;Lunch;1;10;12,50;ja', '700001;Diner;1;10;34,50;ja');
  await service.run(['import', ...args, '--yes']);
  await service.clearLog();
  write('700000;Lunch;1;11;13;nee', '700001;Diner;1;10;34,50;ja');
  const { stdout } = await service.run(['import', ...args, '--yes', '--lang', 'nl']);
  const change = /ProductCategorieID: ([\w ]+ \(10\)) → ([\w ]+ \(11\))/;
  const told = readFileSync(join(service.folder, 'uit.csv'), 'utf8');
  const [, from, to] = change.exec(told) ?? [];
  expect(told).toMatch(/Verkoopprijs: 12,50 → 13,00\n(.*\n)*Actief: Ja → Nee/);
  expect(readFileSync(join(service.folder, 'uit.html'), 'utf8')).toContain(
    `${from}</del> → <ins>${to}</ins>`,
  );
  const [run = ''] = /\d{8}-\d{6}-\w{4}/.exec(stdout) ?? [];
  const { stdout: dutch } = await service.run(['runs', run, '--lang', 'nl']);
  expect(dutch).toContain('P 2 Lunch (ExternalID 700000): gewijzigd');
  expect(dutch.replaceAll(/\s+/g, ' ')).toContain(
    `Verkoopprijs: 12,50 → 13,00; Actief: Ja → Nee; ProductCategorieID: ${from} → ${to}`,
  );
  // The list was read to check the new id; that of the types, of which no id changes, was not.
  const { requests } = await service.log();
  const lists = requests.filter(({ endpoint }) => endpoint?.startsWith('lookups.') === true);
  expect(lists.map(({ endpoint }) => endpoint)).toEqual(['lookups.productcategory']);
});
