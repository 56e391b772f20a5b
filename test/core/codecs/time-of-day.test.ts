import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Cell } from '../../../src/core/cell.ts';
import { endTimeCodec, isTimeOfDay, timeOfDayCodec } from '../../../src/core/codecs/time-of-day.ts';
import {
  all,
  type Case,
  cellOf,
  date,
  type Expected,
  error,
  flag,
  holdCells,
  inBoth,
  number,
  reads,
  refuses,
  text,
  texts,
  warns,
  zoned,
} from './cases.ts';

const NO = refuses('time-expected');
const oddly = (value: string) => warns(value, 'time-written-oddly');

const CELLS: readonly Case[] = [
  ...all(
    reads('14:30:00'),
    '14:30',
    '14:30:00',
    '14.30',
    '14u30',
    '14h30',
    '14:30 uur',
    '14.30 u',
    '14:30u.',
  ),
  ...all(reads('14:30:00'), '2:30 PM', '2:30 p.m.', '2:30pm', ' 14:30\u00a0', '１４:３０'),
  ...all(reads('09:00:00'), '9:00', '9.00', '9u', '9 uur', '9 am'),
  ...texts({ '12:15 am': '00:15:00', '12:15 PM': '12:15:00', '0:00': '00:00:00', '23:59:59': '23:59:59' }),
  [zoned('14:30:00', '+02:00'), warns('14:30:00', 'date-zone')],
  [zoned('2026-12-31 14:30:00', 'Z'), warns('2026-12-31 14:30:00', 'date-zone')],
  // Databases and LibreOffice give a time the day on which their calendar begins, workbooks too.
  ...all(
    reads('14:30:00'),
    '1899-12-30 14:30:00',
    '1899-12-31T14:30',
    date('14:30:00'),
    date('14:30:00.250'),
  ),
  ...all(
    reads('14:30:00'),
    date('1904-01-01 14:30:00', 'dd-mm-yyyy hh:mm'),
    number(0.604166666666667, '[h]:mm'),
  ),
  // 1 and 1.0625 in a cell that shows a time, in the calendars of 1900 and of 1904: it is read as it shows.
  ...all(reads('00:00:00'), date('1900-01-01', 'hh:mm'), date('1904-01-02', 'h:mm')),
  ...all(reads('01:30:00'), date('1900-01-01 01:30:00', 'hh:mm'), date('1904-01-02 01:30:00', 'hh:mm')),
  // A database’s day that the cell shows is told.
  [date('1900-01-01 01:30:00', 'dd-mm-yyyy hh:mm'), oddly('01:30:00')],
  [number(0.5), oddly('12:00:00')],
  [number(0), oddly('00:00:00')],
  // With its day.
  ...all(reads('2026-12-31 14:30:00'), '31-12-2026 14:30', '2026-12-31T14:30', date('2026-12-31 14:30:00')),
  ...inBoth({ '01/03/2026 14:30': ['2026-03-01 14:30:00', '2026-01-03 14:30:00'] }, (value) =>
    warns(value, 'date-order'),
  ),
  ['31-12-26 14:30', refuses('date-two-digit-year')],
  ...all(
    NO,
    ...[14, 14.3, 1430, -0.5, 1, 46387].map((value) => number(value)),
    flag(true),
    error('#N/A'),
    '14:60',
    '14:5',
    '14.5',
    '14',
    '1430',
    '13:00 PM',
    '0:30 am',
    '14:30 - 16:00',
    'half drie',
    '',
  ),
];

/** What a begin can't be, and an end is on the next day. */
const LATE: readonly (readonly [cell: Cell | string, end: Expected, begin?: Expected])[] = [
  ...texts({
    '24:00': '24:00:00',
    '24.00 uur': '24:00:00',
    '24u': '24:00:00',
    '24:30': '24:30:00',
    '47:59:59': '47:59:59',
  }).map(([cell, end]) => [cell, end] as const),
  [number(1, '[h]:mm'), reads('24:00:00')],
  [number(1.0625, '[h]:mm'), reads('25:30:00')],
  ['31-12-2026 24:00', reads('2027-01-01 00:00:00')],
  ['28-02-2028 24:00', reads('2028-02-29 00:00:00')],
  ['2027-03-03T24:00:00', reads('2027-03-04 00:00:00')],
  // A small number in a cell that shows a day is no time.
  ...[date('1900-01-01', 'dd-mm-yyyy'), number(2, '[h]:mm'), number(1), '48:00', '24:60'].map(
    (cell) => [cell, NO] as const,
  ),
  ['03-03-2027 25:30', NO],
];

describe('a begin in a cell', () => {
  holdCells(timeOfDayCodec, [...CELLS, ...LATE.map(([cell, , begin = NO]): Case => [cell, begin])]);

  test('that is stored with a day is quoted as its cell shows it', () => {
    const found = (format: string) => timeOfDayCodec.decode(date('1900-01-01 18:00:00', format), 'nl');
    const hint = { nl: '18:00; de cel bevat ook een dag van 1900' };
    expect(found('d-m-yyyy h:mm')).toMatchObject({ warning: { found: '1-1-1900 18:00', hint } });
  });

  test('that is a number but no part of a day is advised on', () => {
    const finding = { hint: { en: expect.stringContaining('14:30') } };
    expect(timeOfDayCodec.decode(number(14.3), 'nl')).toMatchObject({ finding });
  });
});

describe('an end in a cell', () => {
  holdCells(endTimeCodec, [...CELLS, ...LATE.map(([cell, end]): Case => [cell, end])]);
});

test('a time of day is read as it was written, as text, date cell and part of a day, and no text as anything else', () => {
  const pad = (value: number): string => String(value).padStart(2, '0');
  const typed = fc.stringMatching(/^\d{1,2}[:.uh ]?\d{0,2}( ?(uur|u|am|pm|h))?$/);
  fc.assert(
    fc.property(fc.nat(47), fc.nat(59), fc.nat(59), typed, (hours, minutes, seconds, other) => {
      const value = [hours, minutes, seconds].map(pad).join(':');
      const part = (hours * 3600 + minutes * 60 + seconds) / 86_400;
      const same = { ok: true, value };
      expect(endTimeCodec.decode(cellOf(value), 'nl')).toStrictEqual(same);
      expect(endTimeCodec.decode(number(part, '[h]:mm:ss'), 'en')).toStrictEqual(same);
      if (hours < 24) expect(timeOfDayCodec.decode(date(value), 'nl')).toStrictEqual(same);
      const decoded = timeOfDayCodec.decode(text(other), 'nl');
      if (decoded.ok) expect(isTimeOfDay(decoded.value)).toBe(true);
    }),
    { seed: 1 },
  );
});

test.each(['9:00:00', '48:00:00', '14:30', '2026-12-31 14:30:00', '', null, 14])(
  '%j is no bare time',
  (value) => {
    expect(isTimeOfDay(value)).toBe(false);
  },
);
