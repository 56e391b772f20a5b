import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import exceljs from 'exceljs';
import { expect, test } from 'vitest';
import { makeWorkbook, PACKAGE_HEADER, packageRows } from '../helpers/make-workbook.ts';
import { openTestService } from '../helpers/test-service.ts';

/** As fields stand in the interface, not as they stood in the file. */
const FIELDS = ['ExternalID', 'ProductTypeID', 'OmschrijvingIntern', 'Verkoopprijs', 'Actief'];
const RECIPES = [
  ['ExternalID', 'OmschrijvingIntern', 'ProductCategorieID', 'ProductEenheidWaardeID', 'Gewicht', 'OPK'],
  [500_000, '=Soep', 'Soepen', 201, 0.5, 4],
];

test('a plan whose file is gone says so before anything of it is sent, and its result is made from the plan', async () => {
  const service = await openTestService();
  const packages = [...packageRows(2), [600_002, 'Diner', 1, 'duur', true]];
  const sheets = { Pakketten: packages, Soepkaart: RECIPES };
  const file = await makeWorkbook(join(service.folder, 'in.xlsm'), sheets);
  const planned = await service.run(['import', file, '--dry-run', '--json', '--out', 'plan.xlsm']);
  const { run } = JSON.parse(planned.stdout) as { run: string };
  rmSync(file);
  // Nobody to ask: what the question would come with is said all the same, and nothing is sent.
  const asked = await service.run(['apply', run, '--lang', 'en']);
  expect(asked.code).toBe(2);
  expect(asked.stderr).toMatch(/in\.xlsm is gone\. What is sent is the plan, .* the result is made from it/);
  expect((await service.log()).counts['packages.create'] ?? 0).toBe(0);

  const args = ['apply', run, '--yes', '--lang', 'nl', '--report', 'uit.html'];
  const { document } = await service.runJson(args);
  expect(document.counts).toMatchObject({ created: 3, invalid: 1 });
  expect(document.result).toBe(join(service.folder, 'in.result.xlsx'));
  expect(document.notes).toContainEqual(
    expect.stringMatching(/^Het resultaat is gemaakt van het plan, want/),
  );
  expect(existsSync(join(service.folder, 'uit.html'))).toBe(true);
  const book = new exceljs.Workbook();
  await book.xlsx.readFile(document.result);
  expect(book.worksheets.map(({ name }) => name)).toEqual([
    'Resultaat',
    'Pakketten',
    'Soepkaart',
    'catersheet posted',
  ]);
  const rowsOf = (name: string) =>
    (book.getWorksheet(name)?.getSheetValues() ?? []).slice(1).map((row) => (row as unknown[]).slice(1));
  const [header, first, , third] = rowsOf('Pakketten');
  const own = ['#status', '#id', '#message', '#changes', '#at'];
  expect(header).toEqual(['#row', ...FIELDS, ...own]);
  expect(first?.slice(0, 8)).toEqual([
    2,
    600_000,
    1,
    'Lunchbuffet 600000',
    10,
    'Ja',
    'created',
    expect.any(Number),
  ]);
  expect(third?.slice(0, 9)).toEqual([
    ...[4, 600_002, undefined, undefined, 'duur', undefined, 'invalid', undefined],
    expect.stringContaining('D4 Verkoopprijs: gevonden "duur"'),
  ]);
  expect(rowsOf('Soepkaart')[1]?.slice(0, 4)).toEqual([2, 500_000, '=Soep', 101]);
  const cells = rowsOf('Resultaat').flat();
  expect(cells).toContainEqual(expect.stringContaining('in.xlsm is weg'));
  expect(cells).toContain('D4');
  expect(JSON.stringify(cells)).not.toContain(service.folder);
  // Once more, for what needs work: of rows that stand elsewhere than in the file, the others are hidden too.
  await service.run(['apply', run, '--yes', '--only', 'problems', '--out', 'fout.xlsx']);
  const only = new exceljs.Workbook();
  await only.xlsx.readFile(join(service.folder, 'fout.xlsx'));
  const hiddenIn = (name: string) =>
    [1, 2, 3, 4].map((number) => only.getWorksheet(name)?.getRow(number).hidden === true);
  expect(hiddenIn('Pakketten')).toEqual([false, true, true, false]);
  expect(hiddenIn('Soepkaart')).toEqual([false, false, false, false]);
});

test('the result of a CSV that was changed is a CSV, beside the one of the dry run', async () => {
  const service = await openTestService();
  const file = join(service.folder, 'Pakketten.csv');
  writeFileSync(
    file,
    `${PACKAGE_HEADER.join(';')}\n600000;Crème;1;12,5;ja\n600001;Thee;1;veel;ja\n`,
    'latin1',
  );
  const { document } = await service.runJson(['import', file, '--dry-run']);
  writeFileSync(file, 'x');
  const out = await service.runJson(['apply', document.run, '--yes', '--only', 'problems', '--out', 'p.csv']);
  const marks = '#status;#id;#message;#changes;#at';
  expect(readFileSync(join(service.folder, 'p.csv'), 'latin1')).toMatch(
    /^#row;ExternalID;.*#at\r\n3;600001;;;veel;;invalid;;.*\r\n$/s,
  );
  expect(out.document.counts).toMatchObject({ created: 1, invalid: 1 });
  // Once more, for the result: nothing is left to send.
  const again = await service.runJson(['apply', document.run, '--yes', '--lang', 'nl']);
  expect(again.document.result).toBe(join(service.folder, 'Pakketten.result-2.csv'));
  const text = readFileSync(again.document.result, 'latin1');
  expect(text).toContain(`#row;${FIELDS.join(';')};${marks}\r\n2;600000;1;Crème;12,5;Ja;created;`);
  expect(readFileSync(join(service.folder, 'Pakketten.result.csv'), 'latin1')).toContain(';create;');
});
