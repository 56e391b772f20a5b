import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { expect, it } from 'vitest';
import { listCopies } from '../../../src/ledger/copies.ts';
import { makeWorkbook, packageRows } from '../../helpers/make-workbook.ts';
import { openTestService } from '../../helpers/test-service.ts';

it('a large ledger is copied once a week, and two copies are kept', async () => {
  const service = await openTestService();
  const file = await makeWorkbook(join(service.folder, 'a.xlsx'), { Pakketten: packageRows(2) });
  await service.run(['import', file, '--yes']);
  const ledger = join(service.folder, 'ledger.db');
  const db = new Database(ledger);
  const many = 'with recursive n (i) as (select 1 union all select i + 1 from n where i < 260)';
  db.exec(`${many} insert into facts select 'x', i, printf('%.*c', 1000000, 'x') from n`);
  db.close();
  const copies = listCopies(ledger);
  for (const copy of copies) rmSync(copy);
  const dry = async (): Promise<string> =>
    (await service.run(['import', file, '--dry-run', '--out', 'b.xlsx'])).stderr;
  expect(await dry()).toContain('The ledger is copied, once a week');
  const [today = ''] = listCopies(ledger);
  expect(listCopies(ledger)).toHaveLength(1);
  const at = (days: number): string =>
    join(
      `${ledger}.copies`,
      `${new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)}T09-00-00.db`,
    );
  rmSync(today);
  for (const days of [6, 20, 30]) copyFileSync(file, at(days));
  expect(await dry()).not.toContain('is copied');
  expect(listCopies(ledger)).toEqual([6, 20, 30].map(at));
  rmSync(at(6));
  copyFileSync(file, at(7));
  await dry();
  expect(listCopies(ledger)).toHaveLength(2);
  expect(listCopies(ledger)[1]).toBe(at(7));
});
