import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Cell } from '../../../src/core/cell.ts';
import { endTimeCodec, isTimeOfDay, timeOfDayCodec } from '../../../src/core/codecs/time-of-day.ts';
import {
  type Case,
  cellOf,
  date,
  type Expected,
  error,
  flag,
  holdCells,
  number,
  reads,
  refuses,
  text,
  warns,
  zoned,
} from './cases.ts';

const NO = refuses('time-expected');
const HALF_PAST_TWO = reads('14:30:00');
const oddly = (value: string) => warns(value, 'time-written-oddly');

const CELLS: readonly Case[] = [
  [text('14:30'), HALF_PAST_TWO],
  [text('14:30:00'), HALF_PAST_TWO],
  [text('14.30'), HALF_PAST_TWO],
  [text('14u30'), HALF_PAST_TWO],
  [text('14h30'), HALF_PAST_TWO],
  [text('14:30 uur'), HALF_PAST_TWO],
  [text('14.30 u'), HALF_PAST_TWO],
  [text('14:30u.'), HALF_PAST_TWO],
  [text('2:30 PM'), HALF_PAST_TWO],
  [text('2:30 p.m.'), HALF_PAST_TWO],
  [text('2:30pm'), HALF_PAST_TWO],
  [text(' 14:30\u00a0'), HALF_PAST_TWO],
  [text('１４:３０'), HALF_PAST_TWO],
  [text('9:00'), reads('09:00:00')],
  [text('9.00'), reads('09:00:00')],
  [text('9u'), reads('09:00:00')],
  [text('9 uur'), reads('09:00:00')],
  [text('9 am'), reads('09:00:00')],
  [text('12:15 am'), reads('00:15:00')],
  [text('12:15 PM'), reads('12:15:00')],
  [text('0:00'), reads('00:00:00')],
  [text('23:59:59'), reads('23:59:59')],
  [zoned('14:30:00', '+02:00'), warns('14:30:00', 'date-zone')],
  [zoned('2026-12-31 14:30:00', 'Z'), warns('2026-12-31 14:30:00', 'date-zone')],
  // Databases and LibreOffice give a time the day on which their calendar begins.
  [text('1899-12-30 14:30:00'), HALF_PAST_TWO],
  [text('1899-12-31T14:30'), HALF_PAST_TWO],

  // The first day of a workbook that counts from 1904 is no day of a party either.
  [date('1904-01-01 14:30:00', 'dd-mm-yyyy hh:mm'), HALF_PAST_TWO],
  [date('14:30:00'), HALF_PAST_TWO],
  [date('14:30:00.250'), HALF_PAST_TWO],

  [number(0.604166666666667, '[h]:mm'), HALF_PAST_TWO],
  [number(0.604166666666667), oddly('14:30:00')],
  [number(0.5), oddly('12:00:00')],
  [number(0), oddly('00:00:00')],
  [number(14), NO],
  [number(14.3), NO],
  [number(1430), NO],
  [number(-0.5), NO],
  [number(1), NO],
  [number(46387), NO],

  // With its day.
  [text('31-12-2026 14:30'), reads('2026-12-31 14:30:00')],
  [text('2026-12-31T14:30'), reads('2026-12-31 14:30:00')],
  [date('2026-12-31 14:30:00'), reads('2026-12-31 14:30:00')],
  [
    text('01/03/2026 14:30'),
    warns('2026-03-01 14:30:00', 'date-order'),
    warns('2026-01-03 14:30:00', 'date-order'),
  ],
  [text('31-12-26 14:30'), refuses('date-two-digit-year')],

  [text('14:60'), NO],
  [text('14:5'), NO],
  [text('14.5'), NO],
  [text('14'), NO],
  [text('1430'), NO],
  [text('13:00 PM'), NO],
  [text('0:30 am'), NO],
  [text('14:30 - 16:00'), NO],
  [text('half drie'), NO],
  [text('m'), NO],
  [text(''), NO],
  [flag(true), NO],
  [error('#N/A'), NO],
];

/** What a begin can't be, and an end is on the next day. */
const LATE: readonly (readonly [cell: Cell, nl: Expected, en: Expected, end: Expected])[] = [
  [text('24:00'), NO, NO, reads('24:00:00')],
  [text('24.00 uur'), NO, NO, reads('24:00:00')],
  [text('24u'), NO, NO, reads('24:00:00')],
  [text('24:30'), NO, NO, reads('24:30:00')],
  [text('25:30'), NO, NO, reads('25:30:00')],
  [text('47:59:59'), NO, NO, reads('47:59:59')],
  [text('48:00'), NO, NO, NO],
  [text('24:60'), NO, NO, NO],
  [number(1, '[h]:mm'), NO, NO, reads('24:00:00')],
  [number(1.0625, '[h]:mm'), NO, NO, reads('25:30:00')],
  [number(2, '[h]:mm'), NO, NO, NO],
  [number(1), NO, NO, NO],
  [number(1.0625), NO, NO, NO],
  // 1 and 1.0625 in a cell that shows a time, in the calendars of 1900 and of 1904.
  [date('1900-01-01', 'hh:mm'), NO, NO, warns('24:00:00', 'next-day')],
  [date('1904-01-02', 'h:mm'), NO, NO, warns('24:00:00', 'next-day')],
  // A begin that is stored so counts from there, and its row puts it on the row's day.
  [date('1900-01-01 01:30:00', 'hh:mm'), oddly('25:30:00'), oddly('25:30:00'), reads('25:30:00')],
  [date('1904-01-02 01:30:00', 'hh:mm'), oddly('25:30:00'), oddly('25:30:00'), reads('25:30:00')],
  [date('1900-01-01 01:30:00', 'dd-mm-yyyy hh:mm'), oddly('25:30:00'), oddly('25:30:00'), oddly('01:30:00')],
  // A small number in a cell that shows a day is no time.
  [date('1900-01-01', 'dd-mm-yyyy'), NO, NO, NO],
  [date('1900-01-02', 'hh:mm'), NO, NO, NO],
  [text('03-03-2027 24:00'), NO, NO, reads('2027-03-04 00:00:00')],
  [text('31-12-2026 24:00'), NO, NO, reads('2027-01-01 00:00:00')],
  [text('28-02-2028 24:00'), NO, NO, reads('2028-02-29 00:00:00')],
  [text('2027-03-03T24:00:00'), NO, NO, reads('2027-03-04 00:00:00')],
  [text('03-03-2027 25:30'), NO, NO, NO],
];

describe('a begin from 24:00 on', () => {
  holdCells(
    timeOfDayCodec,
    LATE.map(([cell, nl, en]): Case => [cell, nl, en]),
  );
});

describe('an end from 24:00 on', () => {
  holdCells(
    endTimeCodec,
    LATE.map(([cell, , , end]): Case => [cell, end]),
  );

  test('that a cell shows as 0:00 is quoted so', () => {
    expect(endTimeCodec.decode(date('1900-01-01', 'hh:mm'), 'nl')).toMatchObject({
      warning: { found: '00:00', hint: '0:00' },
    });
  });
});

describe('an end in a cell', () => {
  holdCells(
    endTimeCodec,
    CELLS.filter(([cell]) => cell.type !== 'date' || !cell.value.startsWith('1900')),
  );
});

describe('a time of day in a cell', () => {
  holdCells(timeOfDayCodec, CELLS);

  test('that is stored with a day is quoted as its cell shows it', () => {
    const found = (format: string) => timeOfDayCodec.decode(date('1900-01-01 18:00:00', format), 'nl');
    const hint = { nl: '18:00; de cel bevat ook een dag van 1900' };
    expect(found('hh:mm')).toMatchObject({ warning: { found: '18:00', hint } });
    expect(found('d-m-yyyy h:mm')).toMatchObject({ warning: { found: '1-1-1900 18:00', hint } });
  });

  test('a number that is no part of a day is advised on', () => {
    expect(timeOfDayCodec.decode(number(14.3), 'nl')).toMatchObject({
      finding: { hint: { en: expect.stringContaining('14:30') } },
    });
  });
});

describe('a time of day, written and read again', () => {
  const pad = (value: number): string => String(value).padStart(2, '0');
  const time = fc
    .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }), fc.integer({ min: 0, max: 59 }))
    .map((parts) => parts.map(pad).join(':'));
  const later = (value: string): string => `${Number(value.slice(0, 2)) + 24}${value.slice(2)}`;

  test.each(['nl', 'en'] as const)(
    'decode(encode(v)) is v in %s, as text, date cell and part of a day',
    (locale) => {
      fc.assert(
        fc.property(fc.oneof(time, fc.constant('24:00:00'), time.map(later)), (value) => {
          const same = { ok: true, value };
          expect(endTimeCodec.decode(cellOf(value), locale)).toStrictEqual(same);
          expect(isTimeOfDay(value)).toBe(true);
          const [hours = 0, minutes = 0, seconds = 0] = value.split(':').map(Number);
          const part = (hours * 3600 + minutes * 60 + seconds) / 86_400;
          expect(endTimeCodec.decode(number(part, '[h]:mm:ss'), locale)).toStrictEqual(same);
          if (value < '24:00:00') expect(timeOfDayCodec.decode(date(value), locale)).toStrictEqual(same);
        }),
      );
    },
  );

  test('any text that is read is a time or a moment', () => {
    const typed = fc.stringMatching(/^\d{1,2}[:.uh ]?\d{0,2}( ?(uur|u|am|pm|h))?$/);
    fc.assert(
      fc.property(typed, (found) => {
        const decoded = timeOfDayCodec.decode(text(found), 'nl');
        if (decoded.ok) expect(isTimeOfDay(decoded.value)).toBe(true);
      }),
    );
  });
});

test.each(['9:00:00', '48:00:00', '14:30', '2026-12-31 14:30:00', '', null, 14])(
  '%j is no bare time',
  (value) => {
    expect(isTimeOfDay(value)).toBe(false);
  },
);
