import { expect, test } from 'vitest';
import { EXIT, type StopError } from '../../src/core/errors.ts';
import { namedPeriod, withDays } from '../../src/export/named-period.ts';

// Sunday, in the last week of November.
const TODAY = '2026-11-29';

test.each([
  ['yesterday', '2026-11-28', '2026-11-28'],
  ['today', '2026-11-29', '2026-11-29'],
  ['tomorrow', '2026-11-30', '2026-11-30'],
  ['this-week', '2026-11-23', '2026-11-29'],
  ['last-week', '2026-11-16', '2026-11-22'],
  ['next-week', '2026-11-30', '2026-12-06'],
  ['this-month', '2026-11-01', '2026-11-30'],
  ['last-month', '2026-10-01', '2026-10-31'],
  ['next-month', '2026-12-01', '2026-12-31'],
  ['this-quarter', '2026-10-01', '2026-12-31'],
  ['last-quarter', '2026-07-01', '2026-09-30'],
  ['next-quarter', '2027-01-01', '2027-03-31'],
  ['last-year', '2025-01-01', '2025-12-31'],
  ['This-Year', '2026-01-01', '2026-12-31'],
  ['2026', '2026-01-01', '2026-12-31'],
  ['2026-Q1', '2026-01-01', '2026-03-31'],
  ['2028-02', '2028-02-01', '2028-02-29'],
  ['2026-02-28', '2026-02-28', '2026-02-28'],
  ['2026-W48', '2026-11-23', '2026-11-29'],
  ['2026-w01', '2025-12-29', '2026-01-04'],
  ['2026-W53', '2026-12-28', '2027-01-03'],
  ['2027-W01', '2027-01-04', '2027-01-10'],
])('the period %s is the days from %s to %s', (text, from, to) => {
  expect(namedPeriod(text, TODAY)).toEqual({ from, to });
});

test.each([
  '',
  'november',
  '2026-13',
  '2026-00',
  '2026-W00',
  '2025-W53',
  '2026-02-30',
  '26-11',
  'last',
  'week',
  '2026-Q5',
  '0000',
  '0026-11',
])('"%s" is no period', (text) => {
  expect(namedPeriod(text, TODAY)).toBeNull();
});

test.each([
  ['2027-01-01', 'last-month', '2026-12-01', '2026-12-31'],
  ['2026-01-31', 'next-month', '2026-02-01', '2026-02-28'],
  ['2026-03-01', 'yesterday', '2026-02-28', '2026-02-28'],
  ['2026-11-30', 'this-week', '2026-11-30', '2026-12-06'],
])('on %s the period %s is counted from that day', (today, text, from, to) => {
  expect(namedPeriod(text, today)).toEqual({ from, to });
});

test('a period stands in place of days, and one that is none is refused', () => {
  expect(withDays({ period: '2026-11', all: true }, TODAY)).toEqual({
    all: true,
    from: '2026-11-01',
    to: '2026-11-30',
  });
  expect(withDays({ from: '2026-11-02' }, TODAY)).toEqual({ from: '2026-11-02' });
  const exitOf = (options: Parameters<typeof withDays>[0]) => {
    try {
      return withDays(options, TODAY);
    } catch (stop) {
      return (stop as StopError).exit;
    }
  };
  expect(exitOf({ period: 'ooit' })).toBe(EXIT.usage);
  expect(exitOf({ period: '2026', to: '2026-11-30' })).toBe(EXIT.usage);
});
