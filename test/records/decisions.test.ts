import { expect, it } from 'vitest';
import { applyIn, importIn, planIn } from '../../src/api/import-workbook.ts';
import type { BaselineRecord } from '../../src/files/baseline-sheet.ts';
import { importWorkbook } from '../../src/index.ts';
import type { ConflictDecision } from '../../src/records/planning.ts';
import { stockCount } from '../../src/resources/stock-count.ts';
import { openSession, withSession } from '../../src/session/open-session.ts';
import { serviceOnly } from '../helpers/service-options.ts';
import { openTestService, optionsFor } from '../helpers/test-service.ts';
import { changePackage, packageOf, serviceOf, withBaseline } from '../import/baseline/fixtures.ts';
import { openRows, writeRows } from './keyed-rows.ts';

const COLUMNS = ['ProductID', 'OmschrijvingIntern', 'Verkoopprijs', 'InterneOpmerking', '#action'];

/** Packages of which each row and someone else changed the price; the last row deletes its package. */
async function changedTwice() {
  const service = await openTestService();
  const ids = (await service.records('package')).slice(0, 5).map(({ id }) => Number(id));
  const records = await Promise.all(ids.map((id) => packageOf(service, id)));
  const base = records.map((values, at): BaselineRecord => {
    return { resource: 'packages', key: `id:${ids[at]}`, lmt: String(values.LMT), values };
  });
  const rows = records.map((values, at) => [
    ...[values.ProductID ?? null, values.OmschrijvingIntern ?? null, 40 + at, 'van hier'],
    at === 4 ? 'delete' : null,
  ]);
  const sheets = { Pakketten: [COLUMNS, ...rows] };
  const file = await withBaseline(`${service.folder}/export.xlsx`, sheets, serviceOf(service), base);
  for (const id of ids) await changePackage(service, id, { Verkoopprijs: 77 });
  const pricesNow = async () =>
    await Promise.all(ids.map(async (id) => (await packageOf(service, id)).Verkoopprijs ?? null));
  return { service, file, pricesNow };
}

const decided = (sheet: string, all: Readonly<Record<number, ConflictDecision['decide']>>) =>
  Object.entries(all).map(([row, decide]) => ({ sheet, row: Number(row), decide }));

it.each([
  ['skip', { 2: 'mine', 3: 'theirs', 4: 'skip', 6: 'mine' }, 'updated updated conflict conflict deleted'],
  ['theirs', { 2: 'mine', 4: 'skip', 6: 'skip' }, 'updated updated conflict updated conflict'],
  ['mine', { 3: 'theirs', 4: 'skip', 6: 'theirs' }, 'updated updated conflict updated skip'],
] as const)(
  'a decision on a row goes before --on-conflict %s, also when another session sends the plan',
  async (onConflict, rows, expected) => {
    const { service, file, pricesNow } = await changedTwice();
    const options = { ...optionsFor(service), allowDelete: true, onConflict };
    const first = await openSession(options, 'try');
    const { run } = await planIn(first, file, { ...options, decisions: decided('Pakketten', rows) });
    await first.close();
    const statuses: string[] = [];
    await withSession(options, 'wait', async (session) => {
      const end = await applyIn(session, run, options, { tell: () => {} });
      for await (const { outcome, planned } of end?.rows ?? [])
        statuses.push(outcome?.status ?? planned.action);
    });
    expect(statuses.join(' ')).toBe(expected);
    const prices = (await pricesNow()).slice(0, 4);
    const own = (row: 2 | 3 | 4 | 5): boolean =>
      ((rows as Readonly<Record<number, string>>)[row] ?? onConflict) === 'mine';
    expect(prices).toEqual(([2, 3, 4, 5] as const).map((row) => (own(row) ? 38 + row : 77)));
  },
);

it('a conflict tells what each field was, is now and was to be', async () => {
  const { service, file } = await changedTwice();
  const { document } = await service.runJson(['import', file, '--dry-run', '--allow-delete', '--lang', 'en']);
  const [first, ...others] = document.rows as unknown as {
    readonly conflict?: readonly { readonly field: string; readonly [other: string]: unknown }[];
  }[];
  expect(first?.conflict).toEqual([{ field: 'Verkoopprijs', was: expect.any(Number), now: 77, mine: 40 }]);
  // A row that deletes has no value of its own.
  const deleted = others.at(-1)?.conflict?.find(({ field }) => field === 'Verkoopprijs');
  expect(deleted).toEqual({ field: 'Verkoopprijs', was: expect.any(Number), now: 77 });
});

it('mutations of before a known count are decided one by one', async () => {
  const { service, folder, options } = await openRows();
  const product = service.add.product();
  service.add.stock(product, 24);
  const rest = { ProductID: product, MutatieCategorieID: 4901, MutatieReden: 'Week', WerknemerID: 12 };
  const counted = { GeteldRekeneenheid: 20, DatumTijd: '2026-10-02 08:00:00', ...rest };
  await importWorkbook(writeRows(`${folder}/telling.csv`, [counted]), { ...options, as: stockCount });
  const used = [1, 2, 3].map((amount) => ({
    ...{ AantalRekeneenheid: -amount, DatumTijd: `2026-10-02 0${amount}:00:00`, ...rest },
  }));
  const file = writeRows(`${folder}/gebruik.csv`, used);
  const statuses = await withSession(serviceOnly(options), 'wait', async (session) => {
    const wishes = {
      as: 'stock-mutations',
      out: `${folder}/r.csv`,
      decisions: decided('gebruik', { 2: 'mine', 3: 'theirs' }),
    };
    const { rows } = await importIn(session, file, wishes);
    const found: (string | undefined)[] = [];
    for await (const { outcome, planned } of rows) found.push(outcome?.status ?? planned.action);
    return found;
  });
  expect(statuses).toEqual(['created', 'unchanged', 'conflict']);
  expect(service.stockTotal(product)).toBe(19);
});
