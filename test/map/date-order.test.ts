import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { findDateOrders } from '../../src/pipeline/map/date-order.ts';
import { newReading, readRows } from '../../src/pipeline/map/read-rows.ts';
import { recogniseSheets } from '../../src/pipeline/map/recognise.ts';
import { events } from '../../src/resources/events.ts';
import { trips } from '../../src/resources/trips.ts';
import type { Locale } from '../../src/schema/value.ts';
import { readWorkbook } from '../../src/workbook/read-workbook.ts';
import { tempFolder } from '../helpers/run-cli.ts';

/** The issues and dates of a CSV of events, one row a date. */
async function readDates(
  dates: readonly string[],
  locale: Locale = 'nl',
  strict = false,
): Promise<{ dates: unknown[]; issues: string[] }> {
  const lines = dates.map((date, at) => `${81_000 + at};1;6;"${date}"`);
  const file = `${tempFolder()}/planning.csv`;
  writeFileSync(file, ['ExternalID;RelatieID;ContactpersoonID;Datum', ...lines].join('\n'));
  const recognised = await recogniseSheets(await readWorkbook(file), {
    resources: [events],
    as: events,
    only: [],
    set: [],
  });
  const [entry] = recognised;
  if (entry?.kind !== 'import') throw new Error('not recognised');
  const orders = await findDateOrders(entry.sheet, entry.mapping);
  const reading = newReading();
  const found: { dates: unknown[]; issues: string[] } = { dates: [], issues: [] };
  for await (const { records } of readRows(entry.sheet, entry.mapping, { locale, strict, orders }, reading)) {
    for (const { values, issues } of records) {
      found.dates.push(typeof values.Datum === 'string' ? values.Datum.slice(0, 10) : null);
      found.issues.push(...issues.map(({ address, code, severity }) => `${address} ${code} ${severity}`));
    }
  }
  return found;
}

describe('dates in text', () => {
  test('are read by the locale, with a warning, where no other of the column tells', async () => {
    expect(await readDates(['01-03-2026', '2/4/2026', '05-05-2026'])).toEqual({
      dates: ['2026-03-01', '2026-04-02', '2026-05-05'],
      issues: ['D2 date-order warning', 'D3 date-order warning'],
    });
    expect((await readDates(['2/4/2026'], 'en')).dates).toEqual(['2026-02-04']);
  });

  test('need no warning where another of the column confirms the locale', async () => {
    expect(await readDates(['01-03-2026', '31-12-2026', '02-04-2026'])).toEqual({
      dates: ['2026-03-01', '2026-12-31', '2026-04-02'],
      issues: [],
    });
  });

  test('are read month first, with a warning, where the column is written so', async () => {
    expect(await readDates(['1/2/2026', '12/31/2026', '3/3/2026'])).toEqual({
      dates: ['2026-01-02', '2026-12-31', '2026-03-03'],
      issues: ['D2 date-order warning', 'D3 date-order warning'],
    });
  });

  test('are read day first in en, with a warning, where the column is written so', async () => {
    expect(await readDates(['1/2/2026', '31/12/2026'], 'en')).toEqual({
      dates: ['2026-02-01', '2026-12-31'],
      issues: ['D2 date-order warning', 'D3 date-order warning'],
    });
  });

  test('written both ways are read by the locale; the cells that don’t fit are issues', async () => {
    expect(await readDates(['1/2/2026', '12/31/2026', '31/12/2026'])).toEqual({
      dates: ['2026-02-01', null, '2026-12-31'],
      issues: ['D2 date-order warning', 'D3 date-expected error'],
    });
  });

  test('with another mark tell nothing', async () => {
    expect(await readDates(['1-2-2026', '12/31/2026'])).toEqual({
      dates: ['2026-02-01', '2026-12-31'],
      issues: ['D2 date-order warning', 'D3 date-order warning'],
    });
  });

  test('tell from below too, also from beyond the first thousand rows', async () => {
    const many = Array.from({ length: 1100 }, () => '1/2/2026');
    const within = await readDates([...many.slice(200), '12/31/2026']);
    expect(within.dates[0]).toBe('2026-01-02');
    const beyond = await readDates([...many, '12/31/2026', '3/3/2026']);
    expect(beyond.dates[0]).toBe('2026-01-02');
    expect(beyond.issues.at(-1)).toBe('D1102 date-order warning');
  });

  test('tell no more once their order is known', async () => {
    const settled = ['31/12/2026', ...Array.from({ length: 1100 }, () => '1/2/2026'), '12/31/2026'];
    const { dates, issues } = await readDates(settled);
    expect(dates[1]).toBe('2026-02-01');
    expect(issues).toEqual(['D1103 date-expected error']);
  });

  test('stop their row under strict', async () => {
    expect((await readDates(['01-03-2026'], 'nl', true)).issues).toEqual(['D2 date-order error']);
  });
});

test('columns that are only shown are told too', async () => {
  const file = `${tempFolder()}/ritten.csv`;
  writeFileSync(file, 'RitID;Datum;Chauffeur\n8001;12/31/2026;Jan\n8002;1/2/2026;Piet\n');
  const [entry] = await recogniseSheets(await readWorkbook(file), {
    resources: [trips],
    as: trips,
    only: [],
    set: [],
  });
  if (entry?.kind !== 'import') throw new Error('not recognised');
  expect(await findDateOrders(entry.sheet, entry.mapping)).toEqual(new Map([[2, { '/': 'month' }]]));
});
