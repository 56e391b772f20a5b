import { expect, test } from 'vitest';
import { applyPlan, importWorkbook, planImport } from '../../src/index.ts';
import { makeWorkbook } from '../helpers/make-workbook.ts';
import { openTestService, optionsFor } from '../helpers/test-service.ts';
import { changePackage, packageOf } from '../import/baseline/fixtures.ts';

const HEADER = ['ProductID', 'Verkoopprijs', 'Offertetekst', '#action'];

test('what a colleague changed between plan and apply stays a conflict until it is decided', async () => {
  const service = await openTestService();
  const options = optionsFor(service, { allowDelete: true });
  const [a = 0, b = 0, c = 0, d = 0] = (await service.records('package')).map((record) => Number(record.id));
  const file = `${service.folder}/prijzen.xlsx`;
  const write = (...rows: (string | number | null)[][]) =>
    makeWorkbook(file, { Pakketten: [HEADER, ...rows] });
  const rowsOf = (priceOfD: number) => [
    ...[
      [a, 61.5, 'Van ons'],
      [b, null, null, 'delete'],
      [c, 63],
      [d, priceOfD],
    ],
  ];
  const outcome = async (more = {}) => {
    const { rows, counts } = await importWorkbook(file, { ...options, ...more });
    const said = rows.map(({ status, issues = [] }) => [status, ...issues.map(({ code }) => code)].join(' '));
    return { rows, said, counts };
  };
  const priceOf = async (id: number) => (await packageOf(service, id)).Verkoopprijs;

  await write(...rowsOf(64));
  const plan = await planImport(file, options);
  for (const id of [a, b, d]) await changePackage(service, id, { Verkoopprijs: 70 });
  const applied = await applyPlan(plan, optionsFor(service));
  expect(applied.rows.map(({ status }) => status)).toEqual(['conflict', 'conflict', 'updated', 'conflict']);

  // Before, this second import saw the colleague's price as any other and sent the sheet's over it.
  await write(...rowsOf(65));
  const again = await outcome();
  expect(again.said).toEqual(['conflict changed-since-plan', 'conflict', 'unchanged', 'updated']);
  const { issues = [], message } = again.rows[0] ?? {};
  expect(issues[0]).toMatchObject({ cell: 'B2', code: 'changed-since-plan' });
  expect(issues[0]?.message).toMatch(/is now 70,00; --on-conflict mine sends yours, theirs leaves it/);
  expect(message).toContain(`changed here and on the service since run ${plan.run} planned it`);
  expect(again.rows[1]?.message).toContain(`someone else changed it since run ${plan.run} planned it`);
  expect(await Promise.all([a, d].map(priceOf))).toEqual([70, 65]);

  // Theirs leaves the price, sends the rest, and decides for this once.
  expect((await outcome({ onConflict: 'theirs' })).said).toEqual([
    ...['updated', 'skipped', 'unchanged', 'unchanged'],
  ]);
  expect(await packageOf(service, a)).toMatchObject({ Verkoopprijs: 70, Offertetekst: 'Van ons' });
  expect((await outcome({ dryRun: true })).said.slice(0, 2)).toEqual([
    ...['conflict changed-since-plan', 'conflict'],
  ]);

  expect((await outcome({ onConflict: 'mine' })).said).toEqual([
    'updated',
    'deleted',
    'unchanged',
    'unchanged',
  ]);
  expect(await priceOf(a)).toBe(61.5);
  // Decided and forgotten: what someone else does from now on is compared as ever.
  await changePackage(service, a, { Verkoopprijs: 71 });
  expect((await outcome({ dryRun: true })).said[0]).toBe('update');
});
