import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { describeIssue } from '../../../src/core/issue.ts';
import type { Locale } from '../../../src/core/value.ts';
import { columnHabits } from '../../../src/import/map/column-habits.ts';
import type { ColumnHabits } from '../../../src/import/map/map-row.ts';
import { newReading, readRows } from '../../../src/import/map/read-rows.ts';
import { type ImportSheet, recogniseSheets } from '../../../src/import/map/recognise.ts';
import { events } from '../../../src/resources/events.ts';
import { trips } from '../../../src/resources/trips.ts';
import { readWorkbook } from '../../../src/workbook/read-workbook.ts';
import { tempFolder } from '../../helpers/run-cli.ts';

async function findDateOrders(
  { sheet, mapping }: ImportSheet,
  signal?: AbortSignal,
): Promise<ColumnHabits['orders']> {
  return (await columnHabits(sheet, mapping, 'nl', signal)).orders;
}

/** The issues and dates of a CSV of events, one row a date. */
async function readDates(
  dates: readonly string[],
  locale: Locale = 'nl',
  strict = false,
): Promise<{ dates: unknown[]; issues: string[]; words: string[] }> {
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
  const orders = await findDateOrders(entry);
  const reading = newReading();
  const found = { dates: [] as unknown[], issues: [] as string[], words: [] as string[] };
  for await (const { records } of readRows(entry.sheet, entry.mapping, { locale, strict, orders }, reading)) {
    for (const { values, issues } of records) {
      found.dates.push(typeof values.Datum === 'string' ? values.Datum.slice(0, 10) : null);
      found.issues.push(...issues.map(({ address, code, severity }) => `${address} ${code} ${severity}`));
      found.words.push(...issues.map((issue) => describeIssue(issue, 'en')));
    }
  }
  return found;
}

/** `readDates` without the words. */
async function seen(...given: Parameters<typeof readDates>) {
  const { dates, issues } = await readDates(...given);
  return { dates, issues };
}

describe('dates in text', () => {
  test('are read by the locale, with a warning, where no other of the column tells', async () => {
    expect(await seen(['01-03-2026', '2/4/2026', '05-05-2026'])).toEqual({
      dates: ['2026-03-01', '2026-04-02', '2026-05-05'],
      issues: ['D2 date-order warning', 'D3 date-order warning'],
    });
    expect((await readDates(['2/4/2026'], 'en')).dates).toEqual(['2026-02-04']);
  });

  test('need no warning where another of the column confirms the locale', async () => {
    expect(await seen(['01-03-2026', '31-12-2026', '02-04-2026'])).toEqual({
      dates: ['2026-03-01', '2026-12-31', '2026-04-02'],
      issues: [],
    });
  });

  test('are read month first, with a warning, where the column is written so', async () => {
    expect(await seen(['1/2/2026', '12/31/2026', '3/3/2026'])).toEqual({
      dates: ['2026-01-02', '2026-12-31', '2026-03-03'],
      issues: ['D2 date-order warning', 'D3 date-order warning'],
    });
  });

  test('are read day first in en, with a warning, where the column is written so', async () => {
    expect(await seen(['1/2/2026', '31/12/2026'], 'en')).toEqual({
      dates: ['2026-02-01', '2026-12-31'],
      issues: ['D2 date-order warning', 'D3 date-order warning'],
    });
  });

  test('written both ways are read by the locale; the cells that don’t fit are issues', async () => {
    expect(await seen(['1/2/2026', '12/31/2026', '31/12/2026'])).toEqual({
      dates: ['2026-02-01', null, '2026-12-31'],
      issues: ['D2 date-order warning', 'D3 date-expected error'],
    });
  });

  test('with another mark tell nothing', async () => {
    expect(await seen(['1-2-2026', '12/31/2026'])).toEqual({
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

  test.each<[readonly string[], Locale, string]>([
    [['31/12/2026', '12/30/2026'], 'nl', 'read day first; the other way round it is 30 December 2026'],
    [['31/12/2026', '1/2/2026', '13/13/2026'], 'nl', 'there is no such day'],
    [
      ['31/12/2026', ...Array.from({ length: 1100 }, () => '1/2/2026'), '12/30/2026'],
      'nl',
      'the column is read day first, as other dates in it are written; the other way round it is 30 December 2026: if that is meant, write 2026-12-30',
    ],
    [
      ['12/31/2026', ...Array.from({ length: 1100 }, () => '1/2/2026'), '30/12/2026'],
      'nl',
      'the column is read month first, as other dates in it are written; the other way round it is 30 December 2026: if that is meant, write 2026-12-30',
    ],
    [['30/12/2026', '12/31/2026'], 'en', 'read month first; the other way round it is 30 December 2026'],
  ])('that don’t fit say in which order they were read, and the way out: %#', async (dates, locale, says) => {
    expect((await readDates(dates, locale)).words.at(-1)).toContain(says);
  });

  test('are looked through no further once the run is ended', async () => {
    const file = `${tempFolder()}/planning.csv`;
    writeFileSync(file, 'ExternalID;RelatieID;ContactpersoonID;Datum\n81000;1;6;1/2/2026\n');
    const [entry] = await recogniseSheets(await readWorkbook(file), {
      ...{ resources: [events], as: events, only: [], set: [] },
    });
    if (entry?.kind !== 'import') throw new Error('not recognised');
    const ended = AbortSignal.abort(new Error('ended'));
    await expect(findDateOrders(entry, ended)).rejects.toThrow('ended');
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
  expect(await findDateOrders(entry)).toEqual(new Map([[2, { '/': 'month' }]]));
});
