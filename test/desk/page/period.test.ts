import { expect, test } from 'vitest';
import { quickPeriods } from '../../../src/desk/page/screens/export/period.ts';

const named = (today: string): Record<string, string> =>
  Object.fromEntries(
    quickPeriods(new Date(`${today}T12:00`)).map(({ word, from, to }) => [word.en, `${from} ${to}`]),
  );

test('periods to choose at once are whole weeks from Monday, months and years around the day', () => {
  expect(named('2026-11-23')).toEqual({
    'Last week': '2026-11-16 2026-11-22',
    'This week': '2026-11-23 2026-11-29',
    'Next week': '2026-11-30 2026-12-06',
    'Last month': '2026-10-01 2026-10-31',
    'This month': '2026-11-01 2026-11-30',
    'Next month': '2026-12-01 2026-12-31',
    'Last year': '2025-01-01 2025-12-31',
    'This year': '2026-01-01 2026-12-31',
  });
});

test('they go over the end of a year, and February has its own length', () => {
  expect(named('2028-01-02')).toMatchObject({
    'This week': '2027-12-27 2028-01-02',
    'Last month': '2027-12-01 2027-12-31',
    'Next month': '2028-02-01 2028-02-29',
  });
  expect(named('2027-12-31')).toMatchObject({ 'Next month': '2028-01-01 2028-01-31' });
});
