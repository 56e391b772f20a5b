import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeWorkbook, PACKAGE_HEADER, readBack } from '../helpers/make-workbook.ts';
import { openTestService } from '../helpers/test-service.ts';

test('a plan whose file is gone says so before anything of it is sent, and its result is made from the plan', async () => {
  const service = await openTestService();
  const file = await makeWorkbook(join(service.folder, 'in.xlsm'), {
    Pakketten: [[...PACKAGE_HEADER], [600_000, '=Soep', 1, 10, true], [600_002, 'Diner', 1, 'duur', true]],
  });
  const { run } = (await service.runJson(['import', file, '--dry-run', '--out', 'plan.xlsm'])).document;
  rmSync(file);
  // Nobody to ask: what the question would come with is said all the same, and nothing is sent.
  const asked = await service.run(['apply', run]);
  expect([asked.code, asked.stderr]).toEqual([
    2,
    expect.stringMatching(/in\.xlsm is gone\. What is sent is the plan, /),
  ]);
  expect((await service.log()).requests.map(({ endpoint }) => endpoint)).not.toContain('packages.create');

  const { document } = await service.runJson(['apply', run, '--yes', '--report', 'uit.html']);
  expect(document).toMatchObject({
    counts: { created: 1, invalid: 1 },
    result: join(service.folder, 'in.result.xlsx'),
  });
  expect(document.notes).toContainEqual(expect.stringMatching(/^The result is made from the plan, /));
  expect(existsSync(join(service.folder, 'uit.html'))).toBe(true);
  const sheets = await readBack(document.result);
  const row = (sheet: string, number: number) => [...(sheets.get(sheet)?.get(number)?.values() ?? [])];
  expect(row('Pakketten', 2)).toEqual(expect.arrayContaining([2, 600_000, '=Soep', 10, 'created']));
  expect(row('Pakketten', 3)).toEqual(expect.arrayContaining([3, 600_002, 'duur', 'invalid']));
  expect(JSON.stringify(row('Result', 2))).not.toContain(service.folder);
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
  await service.runJson(['apply', document.run, '--yes', '--only', 'problems', '--out', 'p.csv']);
  const read = (name: string) => readFileSync(join(service.folder, name), 'latin1');
  expect(read('p.csv')).toMatch(/^#row;ExternalID;.*#at\r\n3;600001;;;veel;;invalid;;.*\r\n$/s);
  // Once more, for the result: nothing is left to send.
  const again = await service.runJson(['apply', document.run, '--yes', '--lang', 'nl']);
  expect(again.document.result).toBe(join(service.folder, 'Pakketten.result-2.csv'));
  expect(read('Pakketten.result-2.csv')).toContain('\r\n2;600000;1;Crème;12,5;Ja;created;');
  expect(read('Pakketten.result.csv')).toContain(';create;');
});
