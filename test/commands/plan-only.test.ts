import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openKitchen } from '../helpers/kitchen.ts';
import { makeWorkbook, packageRows } from '../helpers/make-workbook.ts';

test('a plan whose file is gone says so before anything of it is sent', async () => {
  const kitchen = await openKitchen();
  const file = await makeWorkbook(join(kitchen.folder, 'in.xlsx'), { Pakketten: packageRows(2) });
  const planned = await kitchen.run(['import', file, '--dry-run', '--json', '--out', 'plan.xlsx']);
  const { run } = JSON.parse(planned.stdout) as { run: string };
  rmSync(file);
  // Nobody to ask: what the question would come with is said all the same, and nothing is sent.
  const asked = await kitchen.run(['apply', run, '--lang', 'en']);
  expect(asked.code).toBe(2);
  expect(asked.stderr).toMatch(/There is no result workbook: .*in\.xlsx is gone\. What is sent is the plan/);
  expect((await kitchen.log()).counts['packages.create'] ?? 0).toBe(0);
  const sent = await kitchen.run(['apply', run, '--yes', '--lang', 'en', '--report', 'uit.html']);
  expect((await kitchen.log()).counts['packages.create']).toBe(2);
  expect(sent.stderr).toContain(`catersheet runs ${run} shows what became of every row`);
  expect(existsSync(join(kitchen.folder, 'uit.html'))).toBe(true);
});
