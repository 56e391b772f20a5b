import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import exceljs from 'exceljs';
import { expect, test } from 'vitest';
import { importWorkbook } from '../../../src/index.ts';
import { openTestService } from '../../helpers/test-service.ts';

const CSV = `ExternalID;OmschrijvingIntern;ProductTypeID;Verkoopprijs;Actief
00700;Buffet;1;1.234;ja
700001;Lunch;1;12,50;ja
700002;Diner;1;12 kg;misschien
`;

test('what was read in an unexpected way is in the JSON, in #message and on its cell; strict sends none of it', async () => {
  const service = await openTestService();
  const file = join(service.folder, 'Pakketten.csv');
  writeFileSync(file, CSV);
  const out = join(service.folder, 'uit.xlsx');
  const options = {
    ...{ baseUrl: service.url, token: service.token, out, allRows: true, dryRun: true },
    ...{ ledger: join(service.folder, 'ledger.db'), log: join(service.folder, 'run.log') },
  };
  const { counts, rows } = await importWorkbook(file, { ...options, lang: 'nl' });
  expect(counts).toMatchObject({ created: 2, invalid: 1 });
  expect(rows.map(({ issues = [] }) => issues.map(({ code, cell }) => `${cell} ${code}`))).toEqual([
    ['A2 integer-written-oddly', 'D2 number-grouping'],
    [],
    ['D4 number-expected', 'E4 boolean-expected'],
  ]);
  expect(rows[0]?.message).toContain('D2 Verkoopprijs: gevonden "1.234"');
  const workbook = new exceljs.Workbook();
  await workbook.xlsx.readFile(out);
  const sheet = workbook.getWorksheet('Pakketten');
  expect(JSON.stringify(sheet?.getCell('D2').note)).toContain('gelezen als 1234');
  expect(sheet?.getCell('D2').fill).toMatchObject({ fgColor: { argb: 'FFFFEB9D' } });
  expect(sheet?.getCell('E4').fill).toMatchObject({ fgColor: { argb: 'FFFFC7CF' } });
  expect(sheet?.getCell('D3').note).toBeUndefined();
  const strict = await importWorkbook(file, { ...options, strict: true });
  expect(strict.counts).toMatchObject({ created: 1, invalid: 2 });
});
