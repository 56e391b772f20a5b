import { join } from 'node:path';
import { expect, test } from 'vitest';
import { financeText } from '../../src/cli/view/summaries.ts';
import { decimalOf, ZERO } from '../../src/core/codecs/number.ts';
import { exportFinance as runFinance } from '../../src/finance/export-finance.ts';
import { exportFinance } from '../../src/index.ts';
import { finance } from '../../src/resources/finance.ts';
import { openSession } from '../../src/session/open-session.ts';
import { readWorkbook } from '../../src/workbook/read-workbook.ts';
import { plannerService } from '../export/planner-service.ts';
import { decimal, PERIOD, servedPeriod } from './finance-period.ts';

const MONTH = { from: '2027-02-01', to: '2027-02-28' };

/** An event with one arrangement linked to it twice, at two prices. */
async function twiceLinked() {
  const service = await plannerService();
  const line = (ArrangementID: number, VerkoopPrijs: number) => ({
    ...{ PartijID: 7, ArrangementID, Datum: '2027-02-05', VerkoopPrijs, Aantal: 1 },
  });
  const event = { PartijID: 7, Datum: '2027-02-05 00:00:00', StatusID: 3, LocatieID: 2 };
  Object.assign(service, { events: [event], links: { 7: [line(70, 10), line(70, 20), line(71, 5)] } });
  return service;
}

/** The rows of a sheet, as the texts of their cells. */
async function rowsOf(file: string, name: string): Promise<string[]> {
  const found: string[] = [];
  for (const sheet of await readWorkbook(file)) {
    if (sheet.name !== name) continue;
    for await (const { cells } of sheet.rows) found.push(cells.map(({ value }) => value).join(' | '));
  }
  return found;
}

/** An amount in ten-thousandths, as the documents have it. */
const plain = (units: bigint): string => decimalOf(decimal(units))?.toFixed() ?? '';

test('arrangements with the same id are told apart by their content, and a change names its columns', async () => {
  const service = await twiceLinked();
  const out = join(service.folder, 'omzet.xlsx');
  const options = { ...service.options, ...MONTH, out, overwrite: true };
  const first = await exportFinance(options);
  const [one, two, three] = service.links[7] ?? [];
  service.links[7] = [three, two, one].map((line) => line ?? {});
  const swapped = await exportFinance(options);
  expect([swapped.hash, swapped.changes?.records]).toEqual([first.hash, []]);
  service.links[7] = [{ ...one, ArrangementNaam: 'Soep', Datum: '2027-02-06' }, three ?? {}];
  Object.assign(service.events[0] ?? {}, { LocatieID: 3 });
  const last = await exportFinance({ ...options, lang: 'nl' });
  expect(last.changes?.records).toEqual([
    {
      ...{ sheet: 'events', key: '7', what: 'changed', was: '35', now: '15' },
      changes: [
        { field: 'LocatieID', from: 2, to: 3 },
        { field: 'arrangements', from: '35', to: '15' },
      ],
    },
    {
      ...{ sheet: 'lines', key: '7/70', what: 'changed', was: '10', now: '10' },
      label: 'Soep',
      changes: [
        { field: 'Datum', from: '2027-02-05 00:00:00', to: '2027-02-06 00:00:00' },
        { field: 'ArrangementNaam', from: null, to: 'Soep' },
      ],
    },
    { sheet: 'lines', key: '7/70', what: 'removed', changes: [], was: '20', now: null },
  ]);
  const manifest = await rowsOf(out, 'Verantwoording');
  expect(manifest).toContain(
    'Evenementen | 7 · gewijzigd | 35 | 15 | -20 | Locatie: 2 → 3; Arrangementen: 35,00 → 15,00',
  );
  expect(manifest).toContain(
    'Arrangementen | Soep (7/70) · gewijzigd | 10 | 10 | 0 | Dag: 05-02-2027 → 06-02-2027; Arrangement: (leeg) → Soep',
  );
  expect(manifest).toContain('Arrangementen | 7/70 · weg | 20 | -20');
});

test('--json gives the totals and what was left out of them, the text the period and sums to the cent', async () => {
  const { service, period } = await servedPeriod();
  service.trips.push({ RitID: 990, PartijID: null, Datum: '2026-12-01 00:00:00', Verkoopprijs: -12.345 });
  service.trips.push({ RitID: 991, PartijID: 1, Datum: '2026-12-01 00:00:00', Verkoopprijs: 5, DEL: '1' });
  const session = await openSession(service.options);
  const out = join(service.folder, 'omzet.xlsx');
  const request = { ...PERIOD, out, definition: finance, language: 'nl' } as const;
  const result = await runFinance(session.context, request);
  await session.close();
  const { totals, counted, sheets, sums, notes } = result;
  const sum = (name: string): string => plain(period.sums.get(name) ?? 0n);
  const byKey = (list: readonly { readonly key: unknown; readonly amount: string }[]) =>
    Object.fromEntries(list.map(({ key, amount }) => [key, amount]));
  const months = ['2026-11', '2026-12', '2027-01', '2027-02'];
  expect(Object.entries(byKey(totals.months))).toEqual(months.map((one) => [one, sum(`month ${one}`)]));
  expect(byKey(totals.locations)).toEqual({
    ...{ 1: sum('location 1'), 2: sum('location 2'), 3: sum('location 3'), null: sum('location 0') },
  });
  expect(byKey(totals.types)).toEqual({ 421: sum('type 421'), 422: sum('type 422'), null: sum('type null') });
  expect(byKey(totals.managers)).toEqual({
    ...{ 10: sum('manager 10'), 11: sum('manager 11'), null: sum('manager ') },
  });
  expect(totals.months[1]).toMatchObject({ name: 'dec 2026', count: expect.any(Number) });
  expect(totals.locations.map(({ name }) => name)).toContain('De *Zaal?');
  const count = (list: readonly { readonly count: number }[]) =>
    list.reduce((all, one) => all + one.count, 0);
  expect(Object.values(totals).map(count)).toEqual([50, 50, 50, 50]);
  expect(sheets.map(({ key, rows }) => [key, rows])).toEqual([
    ...[
      ['events', 50],
      ['lines', 80],
      ['trips', 31],
    ],
    ['mutations', 0],
    ['bookings', expect.any(Number)],
  ]);
  expect(counted).toMatchObject({
    uncounted: { lines: expect.any(Number), tripPrices: 7, tripCosts: 1, distance: 1 },
    ...{ noRevenue: { count: 5 }, otherTrips: { count: 11, amount: '73.7496' } },
  });
  expect(notes).toContain('Verwijderde ritten, weggelaten: 1.');
  const [all = ZERO, fares = ZERO, others = ZERO, without = ZERO] = [
    ...[sums.arrangements, sums.tripPrices, counted.otherTrips.amount, counted.noRevenue.amount],
  ].map((amount) => decimalOf(amount) ?? ZERO);
  expect(all.plus(fares).minus(others).minus(without).toFixed()).toBe(sums.revenue);
  const [en, nl] = (['en', 'nl'] as const).map((language) => financeText(result, language));
  const { baseUrl } = service.options;
  expect(en?.[0]).toBe(`15 Nov 2026 to 10 Feb 2027, definitive events, from ${baseUrl}`);
  expect(nl?.[0]).toBe(`15-11-2026 t/m 10-02-2027, definitieve evenementen, van ${baseUrl}`);
  const [whole, cents] = Number(sums.revenue).toFixed(2).split('.');
  const said = whole?.replace(/\B(?=(\d{3})+$)/g, '.');
  expect(nl?.[7]).toContain(`  Omzet: ${said},${cents}`);
});
