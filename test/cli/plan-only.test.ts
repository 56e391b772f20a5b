import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeWorkbook, PACKAGE_HEADER } from '../helpers/make-workbook.ts';
import { openTestService } from '../helpers/test-service.ts';

test('a plan whose file is gone says so before anything of it is sent, and has no result but its run and report', async () => {
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
    expect.stringMatching(/in\.xlsm is gone\. What is sent is the plan, .* no result\./),
  ]);
  expect((await service.log()).requests.map(({ endpoint }) => endpoint)).not.toContain('packages.create');

  const { code, document } = await service.runJson(['apply', run, '--yes', '--report', 'uit.html']);
  expect(code).toBe(5);
  expect(document).toMatchObject({ counts: { created: 1, invalid: 1 }, result: null });
  expect(document).not.toHaveProperty('resultError');
  expect(document.notes).toContainEqual(
    expect.stringMatching(new RegExp(`^There is no result, .*catersheet runs ${run}`)),
  );
  expect(existsSync(join(service.folder, 'in.result.xlsm'))).toBe(false);
  const report = readFileSync(join(service.folder, 'uit.html'), 'utf8');
  expect(report).toContain('duur');
  expect(report).not.toContain('Correct the red cells');
  const shown = await service.runJson(['runs', run]);
  expect(shown.document.rows).toMatchObject([
    { row: 2, status: 'created' },
    { row: 3, status: 'invalid' },
  ]);
});

test('a plan whose CSV was changed is sent as it was planned; the result of its dry run stays', async () => {
  const service = await openTestService();
  const file = join(service.folder, 'Pakketten.csv');
  const text = `${PACKAGE_HEADER.join(';')}\n600000;Thee;1;12,5;ja\n`;
  writeFileSync(file, text);
  const { document } = await service.runJson(['import', file, '--dry-run']);
  writeFileSync(file, text.replace('12,5', '99'));
  const sent = await service.runJson(['apply', document.run, '--yes', '--out', 'uit.csv']);
  expect([sent.code, sent.document.counts.created, sent.document.result]).toEqual([0, 1, null]);
  expect(existsSync(join(service.folder, 'uit.csv'))).toBe(false);
  expect(readFileSync(document.result, 'utf8')).toContain(';create;');
});
