import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isTimeOfDay, timeOfDayCodec } from '../../../src/core/codecs/time-of-day.ts';
import {
  type Case,
  cellOf,
  date,
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
  [text('24:00'), reads('24:00:00')],
  [zoned('14:30:00', '+02:00'), warns('14:30:00', 'date-zone')],
  [zoned('2026-12-31 14:30:00', 'Z'), warns('2026-12-31 14:30:00', 'date-zone')],
  // Databases and LibreOffice give a time the day on which their calendar begins.
  [text('1899-12-30 14:30:00'), HALF_PAST_TWO],
  [text('1899-12-31T14:30'), HALF_PAST_TWO],

  // The first day of a workbook that counts from 1904 is no day of a party either.
  [date('1904-01-01 14:30:00', 'dd-mm-yyyy hh:mm'), HALF_PAST_TWO],
  [date('14:30:00'), HALF_PAST_TWO],
  [date('14:30:00.250'), HALF_PAST_TWO],
  [date('1900-01-01 00:30:00', 'hh:mm'), oddly('00:30:00')],

  [number(0.604166666666667, '[h]:mm'), HALF_PAST_TWO],
  [number(1, '[h]:mm'), reads('24:00:00')],
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

  [text('24:30'), NO],
  [text('25:00'), NO],
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

describe('a time of day in a cell', () => {
  holdCells(timeOfDayCodec, CELLS);

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

  test.each(['nl', 'en'] as const)(
    'decode(encode(v)) is v in %s, as text, date cell and part of a day',
    (locale) => {
      fc.assert(
        fc.property(fc.oneof(time, fc.constant('24:00:00')), (value) => {
          const same = { ok: true, value };
          expect(timeOfDayCodec.decode(cellOf(value), locale)).toStrictEqual(same);
          expect(isTimeOfDay(value)).toBe(true);
          const [hours = 0, minutes = 0, seconds = 0] = value.split(':').map(Number);
          const part = (hours * 3600 + minutes * 60 + seconds) / 86_400;
          expect(timeOfDayCodec.decode(number(part, '[h]:mm:ss'), locale)).toStrictEqual(same);
          if (value !== '24:00:00') expect(timeOfDayCodec.decode(date(value), locale)).toStrictEqual(same);
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

test.each(['9:00:00', '24:00:01', '14:30', '2026-12-31 14:30:00', '', null, 14])(
  '%j is no bare time',
  (value) => {
    expect(isTimeOfDay(value)).toBe(false);
  },
);
