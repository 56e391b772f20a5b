import { expect, it } from 'vitest';
import { makeWorkbook, packageRows } from '../helpers/make-workbook.ts';
import { openTestService } from '../helpers/test-service.ts';

const ROWS = 5000;

it(`${ROWS} new packages, the same again, 50 changed cells`, async () => {
  const service = await openTestService();
  const rows = packageRows(ROWS);
  const file = await makeWorkbook(`${service.folder}/a.xlsx`, { Pakketten: rows });
  const first = await service.runJson(['import', file, '--yes', '--concurrency', '16', '--out', 'r.xlsx']);
  const created = (await service.log()).counts;
  console.log('all new', first.document.counts, created);
  expect(first.document.counts).toMatchObject({ read: ROWS, created: ROWS });
  expect((created['packages.create'] ?? 0) + (created['packages.update'] ?? 0)).toBeLessThanOrEqual(2 * ROWS);

  await service.clearLog();
  const second = await service.runJson(['import', file, '--yes', '--concurrency', '16', '--out', 'r.xlsx']);
  const reads = (await service.log()).counts;
  console.log('same again', second.document.counts, reads);
  expect(second.document.counts).toMatchObject({ unchanged: ROWS });
  const total = Object.values(reads).reduce((sum, count) => sum + count, 0);
  const pages = Math.ceil((await service.records('package')).length / 100);
  expect(total).toBeLessThanOrEqual(Math.min(ROWS, pages) + 5);

  await service.clearLog();
  const changed = rows.map((row, index) =>
    index > 0 && index % 100 === 0 ? [...row.slice(0, 3), 999.5, row[4] ?? null] : row,
  );
  const third = await service.runJson([
    'import',
    await makeWorkbook(`${service.folder}/b.xlsx`, { Pakketten: changed }),
    '--yes',
    '--out',
    'r.xlsx',
  ]);
  const updates = (await service.log()).counts;
  console.log('50 changed', third.document.counts, updates);
  expect(third.document.counts).toMatchObject({ updated: 50, unchanged: ROWS - 50 });
  expect(updates['packages.update']).toBe(50);
});

it('16 in flight against answers after 40 ms', async () => {
  const service = await openTestService();
  const file = await makeWorkbook(`${service.folder}/a.xlsx`, { Pakketten: packageRows(2000) });
  await service.runJson([
    'import',
    await makeWorkbook(`${service.folder}/w.xlsx`, { Pakketten: packageRows(20, 900_000) }),
    '--yes',
    '--out',
    'r.xlsx',
  ]);
  const plan = await service.runJson(['import', file, '--dry-run', '--out', 'r.xlsx']);
  expect(plan.document.counts).toMatchObject({ created: 2000 });
  await service.faults({ latencyMs: 40 });
  await service.clearLog();
  const started = performance.now();
  const { document } = await service.runJson([
    'import',
    file,
    '--yes',
    '--concurrency',
    '16',
    '--out',
    'r.xlsx',
  ]);
  const whole = Math.round(performance.now() - started);
  const writes = (await service.log()).requests.filter(
    ({ endpoint }) => endpoint === 'packages.create' || endpoint === 'packages.update',
  );
  const average = averageInFlight(writes);
  console.log('in flight while applying', average, 'writes', writes.length, 'whole run', whole, 'ms');
  expect(document.counts).toMatchObject({ created: 2000 });
  // A slower machine fills the pipe a little less: 14.7 to 15.1 were measured on two cores.
  expect(average).toBeGreaterThanOrEqual(0.9 * 16);
});

/** Time-weighted, from the first write's arrival to the last one's: after that is the tail. */
function averageInFlight(writes: readonly { readonly at: number; readonly ms: number }[]): number {
  const first = Math.min(...writes.map(({ at }) => at));
  const last = Math.max(...writes.map(({ at }) => at));
  const busy = writes.reduce((sum, { at, ms }) => sum + Math.min(at + ms, last) - at, 0);
  return Math.round((busy / (last - first)) * 100) / 100;
}
