import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exportFinance } from '../../src/index.ts';
import { openLedger } from '../../src/ledger/sqlite-ledger.ts';
import { readWorkbook } from '../../src/workbook/read-workbook.ts';
import { plannerService } from './planner-service.ts';

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

test('an arrangement that is linked twice is told apart by what it says, and a change by its columns', async () => {
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
      columns: ['LocatieID', 'arrangements'],
    },
    {
      ...{ sheet: 'lines', key: '7/70', what: 'changed', was: '10', now: '10' },
      columns: ['Datum', 'ArrangementNaam'],
    },
    { sheet: 'lines', key: '7/70', what: 'removed', columns: [], was: '20', now: null },
  ]);
  const manifest = await rowsOf(out, 'Verantwoording');
  expect(manifest).toContain('Evenementen | 7 · gewijzigd | 35 | 15 | -20 | Locatie, Arrangementen');
  expect(manifest).toContain('Arrangementen | 7/70 · gewijzigd | 10 | 10 | 0 | Dag, Arrangement');
  expect(manifest).toContain('Arrangementen | 7/70 · weg | 20 | -20');
});

test('what the first version remembered is still compared', async () => {
  const service = await twiceLinked();
  // As that version wrote it of an export of these records.
  const hash = '7304df3d5fc2cc0a0c82247336546d6fa9200c9c61f01bfd0d00da7c29a3d26e';
  const about = { version: 1, at: '2026-11-22 03:15:42', file: 'omzet.xlsx', hash };
  const sums = { revenue: '35', arrangements: '35', tripPrices: '0', tripCosts: '0', distance: '0' };
  const lines = {
    ...{ '7/70': 'eXLr2CG8TeWa 10', '7/70 (2)': '3Eep2b4ytvC2 20', '7/71': 'gNcvMzzXIQHH 5' },
  };
  const records = { events: { '7': '0iav2MoDIdON 35' }, lines, trips: {}, mutations: {} };
  const fact = `finance export ${MONTH.from} ${MONTH.to} definitive`;
  const put = async (): Promise<void> => {
    const ledger = openLedger(service.options.ledger);
    await ledger.rememberFact(service.options.baseUrl, fact, JSON.stringify({ ...about, sums, records }));
    await ledger.close();
  };
  await put();
  service.links[7]?.reverse();
  const out = join(service.folder, 'omzet.xlsx');
  const same = await exportFinance({ ...service.options, ...MONTH, out });
  expect(same.changes).toMatchObject({ since: { hash }, records: [] });
  await put();
  Object.assign(service.links[7]?.[2] ?? {}, { VerkoopPrijs: 11 });
  const other = await exportFinance({ ...service.options, ...MONTH, out, overwrite: true });
  const changed = { what: 'changed', columns: [] };
  expect(other.changes?.records).toEqual([
    { ...changed, sheet: 'events', key: '7', was: '35', now: '36' },
    { ...changed, sheet: 'lines', key: '7/70', was: '10', now: '11' },
  ]);
});
