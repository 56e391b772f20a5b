import { describe, expect, it, test } from 'vitest';
import { monthsAround, periodOf, runsOf } from '../../../src/kinds/event/event-list.ts';

test.each([
  ['2027-05-15', 0, ['2027-05']],
  ['2027-05-01', 31, ['2027-03', '2027-04', '2027-05', '2027-06']],
  ['2027-12-31', 1, ['2027-12', '2028-01']],
  ['2028-02-29 14:00:00', 1, ['2028-02', '2028-03']],
  ['morgen', 31, []],
])('the months around %s by %i days are %j', (day, margin, months) => {
  expect(monthsAround(day, margin)).toEqual(months);
});

describe('months that are read', () => {
  it('are asked for in one go where they follow one another', () => {
    const runs = runsOf(['2027-12', '2028-01', '2027-11', '2028-03', '2028-01']);
    expect(runs).toEqual([['2027-11', '2027-12', '2028-01'], ['2028-03']]);
    expect(runs.map(periodOf)).toEqual([
      { DatumVan: '2027-11-01', DatumTot: '2028-01-31' },
      { DatumVan: '2028-03-01', DatumTot: '2028-03-31' },
    ]);
  });

  it('are at most half a year at once', () => {
    const year = Array.from({ length: 12 }, (_, month) => `2028-${String(month + 1).padStart(2, '0')}`);
    expect(runsOf(year).map(periodOf)).toEqual([
      { DatumVan: '2028-01-01', DatumTot: '2028-06-30' },
      { DatumVan: '2028-07-01', DatumTot: '2028-12-31' },
    ]);
  });
});
