import { join } from 'node:path';
import exceljs from 'exceljs';
import { expect, test } from 'vitest';
import { importWorkbook } from '../../../src/index.ts';
import { makeWorkbook, packageRows, readBack } from '../../helpers/make-workbook.ts';
import { openTestService } from '../../helpers/test-service.ts';

const CHANGE = 'FFDDEBF6';
const BAD = 'FFFFC7CF';

/** The paper under the cells of a sheet's rows, by address. */
async function papers(file: string): Promise<Record<string, string>> {
  const book = new exceljs.Workbook();
  await book.xlsx.readFile(file);
  const found: Record<string, string> = {};
  const { columnCount = 0 } = book.getWorksheet('Pakketten') ?? {};
  book.getWorksheet('Pakketten')?.eachRow((row, number) => {
    for (let column = 1; column <= columnCount; column++) {
      const { fill, address } = row.getCell(column);
      const paper = fill?.type === 'pattern' ? fill.fgColor?.argb : undefined;
      if (number > 1 && paper !== undefined && column <= 5) found[address] = paper;
    }
  });
  return found;
}

test('a dry run colours the cells that would change, and the result of the run itself does not', async () => {
  const service = await openTestService();
  const { folder, url: baseUrl, token } = service;
  const options = { baseUrl, token, ledger: join(folder, 'ledger.db'), log: join(folder, 'run.log') };
  const [header = [], ...rows] = packageRows(4);
  const price = header.indexOf('Verkoopprijs');
  await importWorkbook(
    await makeWorkbook(join(service.folder, 'a.xlsx'), { Pakketten: [header, ...rows] }),
    options,
  );
  const changed = rows.map((row, at) => {
    if (at === 1) return row.with(price, 12.25);
    return at === 3 ? row.with(price, 'duur') : row;
  });
  const letter = String.fromCharCode(65 + price);
  const file = await makeWorkbook(join(service.folder, 'b.xlsx'), { Pakketten: [header, ...changed] });
  const planned = await importWorkbook(file, { ...options, dryRun: true });
  expect(planned.counts).toMatchObject({ updated: 1, unchanged: 2, invalid: 1 });
  const before = await papers(planned.result as string);
  expect(before).toEqual({ [`${letter}3`]: CHANGE, [`${letter}5`]: BAD });
  // The report itself is a workbook to import: its own colours go.
  const done = await importWorkbook(planned.result as string, options);
  expect(done.counts).toMatchObject({ updated: 1, unchanged: 2, invalid: 1 });
  expect(await papers(done.result as string)).toEqual({ [`${letter}5`]: BAD });
});

test('what needs attention stands in the summary under its headers', async () => {
  const service = await openTestService();
  const { folder, url: baseUrl, token } = service;
  const [header = [], ...rows] = packageRows(4);
  const file = await makeWorkbook(join(folder, 'a.xlsx'), {
    Pakketten: [header, ...rows.map((row) => row.with(header.indexOf('Verkoopprijs'), 'duur'))],
  });
  const files = { ledger: join(folder, 'ledger.db'), log: join(folder, 'run.log') };
  const { result } = await importWorkbook(file, { baseUrl, token, ...files, lang: 'en', dryRun: true });
  const summary = [...((await readBack(result as string)).get('Result')?.values() ?? [])];
  const heads = summary.findIndex((cells) => [...cells.values()].includes('What'));
  const [columns, first] = summary.slice(heads, heads + 2);
  const under = Object.fromEntries([...(columns ?? [])].map(([column, head]) => [head, first?.get(column)]));
  expect(under).toMatchObject({
    ...{ Sheet: 'Pakketten', Column: 'D', Code: 'number-expected' },
    What: expect.stringContaining('found "duur"'),
  });
});
