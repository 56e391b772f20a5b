import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import exceljs from 'exceljs';
import { expect, test } from 'vitest';
import { type ImportWorkbookOptions, importWorkbook } from '../../../src/index.ts';
import { openTestService } from '../../helpers/test-service.ts';

const HEADER = 'ExternalID;OmschrijvingIntern;ProductTypeID;ProductCategorieID;Verkoopprijs;Offertetekst';
const LONG = 'Met bediening, servies en linnen. '.repeat(20).trim();
const NEW = `700001;Diner;Buffet;Salades;34,50;"${LONG}"`;

test('#changes shows numbers as the file writes them, and of a new record what it is made with', async () => {
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
  expect(update?.getCell(10).value).toBe('Verkoopprijs: 12,5 → 13,75');
  const made = create?.getCell(10);
  expect(made?.value).toMatch(
    /^ProductTypeID: 1; OmschrijvingIntern: Diner; .*Verkoopprijs: 34,5; .*Offertetekst: Met bediening[^;]{40,50}…; .*ExternalID: 700001/,
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
  expect(readFileSync(out, 'utf8')).toMatch(/;updated;\d+;;Verkoopprijs: 12,5 → 13,75;/);
});
