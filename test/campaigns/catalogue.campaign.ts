import { expect, it } from 'vitest';
import { openKitchen } from '../helpers/kitchen.ts';
import { makeWorkbook, packageRows } from '../helpers/make-workbook.ts';

const ROWS = 5000;

it(`${ROWS} new packages, the same again, 50 changed cells`, async () => {
  const kitchen = await openKitchen();
  const rows = packageRows(ROWS);
  const file = await makeWorkbook(`${kitchen.folder}/a.xlsx`, { Pakketten: rows });
  const first = await kitchen.runJson(['import', file, '--yes', '--concurrency', '16', '--out', 'r.xlsx']);
  const created = (await kitchen.log()).counts;
  console.log('all new', first.document.counts, created);
  expect(first.document.counts).toMatchObject({ read: ROWS, created: ROWS });
  expect((created['packages.create'] ?? 0) + (created['packages.update'] ?? 0)).toBeLessThanOrEqual(2 * ROWS);

  await kitchen.clearLog();
  const second = await kitchen.runJson(['import', file, '--yes', '--concurrency', '16', '--out', 'r.xlsx']);
  const reads = (await kitchen.log()).counts;
  console.log('same again', second.document.counts, reads);
  expect(second.document.counts).toMatchObject({ unchanged: ROWS });
  const total = Object.values(reads).reduce((sum, count) => sum + count, 0);
  const pages = Math.ceil((await kitchen.records('package')).length / 100);
  expect(total).toBeLessThanOrEqual(Math.min(ROWS, pages) + 5);

  await kitchen.clearLog();
  const changed = rows.map((row, index) =>
    index > 0 && index % 100 === 0 ? [...row.slice(0, 3), 999.5, row[4] ?? null] : row,
  );
  const third = await kitchen.runJson([
    'import',
    await makeWorkbook(`${kitchen.folder}/b.xlsx`, { Pakketten: changed }),
    '--yes',
    '--out',
    'r.xlsx',
  ]);
  const updates = (await kitchen.log()).counts;
  console.log('50 changed', third.document.counts, updates);
  expect(third.document.counts).toMatchObject({ updated: 50, unchanged: ROWS - 50 });
  expect(updates['packages.update']).toBe(50);
});

it('16 in flight against answers after 40 ms', async () => {
  const kitchen = await openKitchen();
  const file = await makeWorkbook(`${kitchen.folder}/a.xlsx`, { Pakketten: packageRows(2000) });
  await kitchen.runJson([
    'import',
    await makeWorkbook(`${kitchen.folder}/w.xlsx`, { Pakketten: packageRows(20, 900_000) }),
    '--yes',
    '--out',
    'r.xlsx',
  ]);
  const plan = await kitchen.runJson(['import', file, '--dry-run', '--out', 'r.xlsx']);
  expect(plan.document.counts).toMatchObject({ created: 2000 });
  await kitchen.faults({ latencyMs: 40 });
  await kitchen.clearLog();
  const started = performance.now();
  const { document } = await kitchen.runJson([
    'import',
    file,
    '--yes',
    '--concurrency',
    '16',
    '--out',
    'r.xlsx',
  ]);
  const whole = Math.round(performance.now() - started);
  const writes = (await kitchen.log()).requests.filter(
    ({ endpoint }) => endpoint === 'packages.create' || endpoint === 'packages.update',
  );
  const average = averageInFlight(writes);
  console.log('in flight while applying', average, 'writes', writes.length, 'whole run', whole, 'ms');
  expect(document.counts).toMatchObject({ created: 2000 });
  expect(average).toBeGreaterThanOrEqual(15);
});

/** Time-weighted, from the first write's arrival to the last one's: after that is the tail. */
function averageInFlight(writes: readonly { readonly at: number; readonly ms: number }[]): number {
  const first = Math.min(...writes.map(({ at }) => at));
  const last = Math.max(...writes.map(({ at }) => at));
  const busy = writes.reduce((sum, { at, ms }) => sum + Math.min(at + ms, last) - at, 0);
  return Math.round((busy / (last - first)) * 100) / 100;
}
