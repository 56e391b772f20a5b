import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ImportWorkbookOptions } from '../../src/index.ts';
import { serviceOnly } from '../helpers/service-options.ts';
import { rewriteSheet } from '../import/baseline/fixtures.ts';
import { type Cell, openWorld } from '../promises/world.ts';
import { told, wordsOf } from './told.ts';

/** An export of five packages of which each row and a colleague changed the price; the last row deletes. */
async function changedTwice() {
  const { service, folder, machine, exportRecords, importWorkbook } = openWorld({ company: 'lookups' });
  const ids = [0, 1, 2, 3, 4].map((at) => service.add.package({ OmschrijvingIntern: `P ${at}` }));
  const file = join(folder, 'uit.xlsx');
  await exportRecords('packages', { ...serviceOnly(machine()), out: file });
  await rewriteSheet(file, 'Pakketten', (rows) =>
    rows.map((row, at) => ({ ...row, Verkoopprijs: 40 + at, '#action': at === 4 ? 'delete' : null })),
  );
  for (const id of ids) service.other.change('package', id, { Verkoopprijs: 77 });
  const run = async (more: object) =>
    await importWorkbook(file, {
      ...machine(),
      allowDelete: true,
      out: join(folder, 'r.xlsx'),
      ...more,
    } as ImportWorkbookOptions);
  return { run, prices: () => ids.map((id) => service.packages.get(id)?.Verkoopprijs ?? null) };
}

test.each([
  [
    'skip',
    { 2: 'mine', 3: 'theirs', 6: 'mine' },
    'updated unchanged conflict conflict deleted',
    [40, 77, 77, 77, null],
  ],
  [
    'theirs',
    { 2: 'mine', 4: 'skip', 6: 'skip' },
    'updated unchanged conflict unchanged conflict',
    [40, 77, 77, 77, 77],
  ],
  [
    'mine',
    { 3: 'theirs', 4: 'skip', 6: 'theirs' },
    'updated unchanged conflict updated skipped',
    [40, 77, 77, 43, 77],
  ],
] as const)(
  'a decision on a row goes before --on-conflict %s',
  async (onConflict, decided, expected, prices) => {
    const { run, prices: now } = await changedTwice();
    const decisions = Object.entries(decided).map(([row, decide]) => ({
      sheet: 'Pakketten',
      row: Number(row),
      decide,
    }));
    const shown = await run({ dryRun: true });
    expect(shown.rows[0]?.conflict).toEqual([{ field: 'Verkoopprijs', was: 12.5, now: 77, mine: 40 }]);
    // A row that deletes has no value of its own.
    expect(shown.rows[4]?.conflict).toContainEqual({ field: 'Verkoopprijs', was: 12.5, now: 77 });
    const { rows } = await run({ onConflict, decisions });
    expect(rows.map(({ status }) => status).join(' ')).toBe(expected);
    expect(now()).toEqual(prices);
  },
);

test('what a colleague changed between plan and apply stays a conflict until it is decided, and is then forgotten', async () => {
  const { service, sheet, machine, planImport, applyPlan, importWorkbook } = openWorld();
  const options = { ...machine(), as: 'packages', allowDelete: true };
  const ids = [1, 2, 3].map(() => service.add.package());
  const rows = (last: number) => [
    ['ProductID', 'Verkoopprijs', 'Offertetekst', '#action'],
    ...[
      [ids[0], 61, 'Van ons'],
      [ids[1], null, null, 'delete'],
      [ids[2], last],
    ].map((row) => row as Cell[]),
  ];
  const { run } = await planImport(sheet(rows(64)), options);
  for (const id of ids) service.other.change('package', id, { Verkoopprijs: 70 });
  const applied = await applyPlan(run, {
    ...serviceOnly(machine()),
    ledger: options.ledger,
    allRows: true,
    out: options.out,
  });
  expect(applied.counts).toMatchObject({ conflict: 3 });
  const again = async (more: object = {}) => await importWorkbook(sheet(rows(65)), { ...options, ...more });
  const asked = await again();
  expect(told(asked.rows)).toEqual(['conflict, B2 changed-by-both', 'conflict', 'updated']);
  expect(wordsOf(asked.rows)).toMatch(/is now 70,00\. Choose which of the two stays\./);
  // Theirs leaves the price, sends the rest, and decides for this once.
  expect(told((await again({ onConflict: 'theirs' })).rows)).toEqual(['updated', 'skipped', 'unchanged']);
  expect(service.packages.get(ids[0] ?? 0)).toMatchObject({ Verkoopprijs: 70, Offertetekst: 'Van ons' });
  expect(told((await again({ onConflict: 'mine' })).rows)).toEqual(['updated', 'deleted', 'unchanged']);
  service.other.change('package', ids[0] ?? 0, { Verkoopprijs: 71 });
  expect(told((await again()).rows)[0]).toBe('updated');
});

describe('what somebody else did just so between plan and apply is done, and no conflict', () => {
  test.each([
    ['packages', 'package', 'ProductID', 'Verkoopprijs', 15],
    ['recipes', 'recipe', 'ProductID', 'OPK', 5],
    ['events', 'event', 'PartijID', 'AantalGasten', 5],
    ['trips', 'trip', 'RitID', 'Chauffeur', 'Anna'],
    ['arrangements', 'link', 'PartijID', 'Aantal', 12],
  ] as const)('%s', async (as, kind, id, field, value) => {
    const { service, sheet, machine, planImport, applyPlan } = openWorld();
    const party = service.add.event({ Datum: '2027-03-05' });
    const product = service.add.package();
    const ids = [1, 2, 3].map(() =>
      kind === 'link' ? service.add.link(party, service.add.package(), { Aantal: 3 }) : service.add[kind](),
    );
    const own = (one: number): Cell[] =>
      kind === 'link' ? [party, Number(service.links.get(one)?.ArrangementID ?? product)] : [one];
    const deletes = as !== 'events';
    const header = [id, ...(kind === 'link' ? ['ArrangementID'] : []), field, '#action'];
    const rows = ids.map((one, at) => [
      ...own(one),
      ...(at === 2 && deletes ? [null, 'delete'] : [value, null]),
    ]);
    const options = { ...machine(), as };
    const { run } = await planImport(sheet([header, ...rows]), { ...options, allowDelete: true });
    service.other.change(kind, ids[0] ?? 0, { [field]: value });
    if (deletes) service.other.remove(kind, ids[2] ?? 0);
    const { as: _, ...sending } = options;
    const done = await applyPlan(run, sending);
    expect(told(done.rows)).toEqual(['unchanged', 'updated', deletes ? 'unchanged' : 'updated']);
  });
});
