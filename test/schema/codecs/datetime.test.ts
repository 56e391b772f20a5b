import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { datetimeCodec, parseIso } from '../../../src/schema/codecs/datetime.ts';
import {
  type Case,
  cellOf,
  date,
  error,
  flag,
  holdAnswers,
  holdCells,
  number,
  reads,
  refuses,
  text,
  warns,
} from './cases.ts';

const NO = refuses('date-expected');
const SHORT = refuses('date-two-digit-year');
const order = (value: string) => warns(value, 'date-order');
const NEW_YEARS_EVE = reads('2026-12-31 00:00:00');
const HALF_PAST_TWO = reads('2026-12-31 14:30:00');

const CELLS: readonly Case[] = [
  // Date cells, as the workbook reader says them.
  [date('2026-12-31'), NEW_YEARS_EVE],
  [date('2026-12-31 14:30:00'), HALF_PAST_TWO],
  [date('2026-12-31 14:30:00.250'), reads('2026-12-31 14:30:00.250')],
  [date('1900-01-01'), reads('1900-01-01 00:00:00')],
  [date('1904-01-01'), reads('1904-01-01 00:00:00')],
  [date('9999-12-31'), reads('9999-12-31 00:00:00')],
  // The day that only Excel has, and a time without a day.
  [date('1900-02-29'), NO],
  [date('14:30:00'), NO],

  // ISO text.
  [text('2026-12-31'), NEW_YEARS_EVE],
  [text('2026-12-31 14:30'), HALF_PAST_TWO],
  [text('2026-12-31 14:30:00'), HALF_PAST_TWO],
  [text('2026-12-31T14:30'), HALF_PAST_TWO],
  [text('2026-12-31T14:30:00'), HALF_PAST_TWO],
  [text('2026-12-31t14:30:00'), HALF_PAST_TWO],
  [text('2026-12-31 14:30:00.000'), HALF_PAST_TWO],
  [text('2026-12-31 14:30:00.5'), reads('2026-12-31 14:30:00.500')],
  [text('2026-12-31 14:30:00,123'), reads('2026-12-31 14:30:00.123')],
  [text('2026-12-31T23:59:59.999999'), reads('2026-12-31 23:59:59.999')],
  [text('2026-12-31T14:30:00.1234567'), reads('2026-12-31 14:30:00.123')],
  [text('2026-1-5'), reads('2026-01-05 00:00:00')],
  [text('2026-1-5 9:05'), reads('2026-01-05 09:05:00')],
  [text('2028-02-29'), reads('2028-02-29 00:00:00')],
  [text('2000-02-29'), reads('2000-02-29 00:00:00')],
  [text(' 2026-12-31\u00a0'), NEW_YEARS_EVE],
  // No time zone ever moves a date.
  [text('2026-12-31T14:30:00Z'), HALF_PAST_TWO],
  [text('2026-12-31T14:30:00+01:00'), HALF_PAST_TWO],
  [text('2026-12-31T14:30:00-0800'), HALF_PAST_TWO],
  [text('2026-12-31T23:30:00.000Z'), reads('2026-12-31 23:30:00')],

  // As people write them.
  [text('31-12-2026'), NEW_YEARS_EVE],
  [text('31-12-2026 14:30'), HALF_PAST_TWO],
  [text('31-12-2026 14:30:00'), HALF_PAST_TWO],
  [text('31-12-2026 14:30:05'), reads('2026-12-31 14:30:05')],
  [text('31-12-2026, 14:30'), HALF_PAST_TWO],
  [text('31.12.2026'), NEW_YEARS_EVE],
  [text('1-2-2026'), reads('2026-02-01 00:00:00')],
  [text('01-02-2026'), reads('2026-02-01 00:00:00')],
  [text('29-02-2028 9:00'), reads('2028-02-29 09:00:00')],
  [text('31/12/2026'), NEW_YEARS_EVE, NO],
  [text('12/31/2026'), NO, NEW_YEARS_EVE],
  [text('12/31/2026 14:30'), NO, HALF_PAST_TWO],
  [text('5/5/2026'), reads('2026-05-05 00:00:00')],
  [text('1/2/2026'), order('2026-02-01 00:00:00'), order('2026-01-02 00:00:00')],
  [text('11/12/2026 10:00'), order('2026-12-11 10:00:00'), order('2026-11-12 10:00:00')],

  [text('31-12-26'), SHORT],
  [text('1-2-26'), SHORT],
  [text('31/12/26'), SHORT],
  [text('31.12.26'), SHORT],
  [text('31-12-26 14:30'), SHORT],
  [text('26-12-31'), SHORT],
  [text('01-02-03'), SHORT],

  // Days and times that do not exist.
  [text('2026-02-29'), NO],
  [text('1900-02-29'), NO],
  [text('2100-02-29'), NO],
  [text('29-02-2026'), NO],
  [text('31-04-2026'), NO],
  [text('2026-13-01'), NO],
  [text('2026-00-10'), NO],
  [text('2026-10-00'), NO],
  [text('32-12-2026'), NO],
  [text('12-13-2026'), NO],
  [text('0000-00-00 00:00:00'), NO],
  [text('1899-12-31'), NO],
  [text('31-12-2026 24:00'), NO],
  [text('31-12-2026 14:60'), NO],
  [text('2026-12-31 14:30:60'), NO],
  [text('2026-12-31 25:00:00'), NO],

  [text('31-12/2026'), NO],
  [text('31-12-2026 14'), NO],
  [text('2026-12'), NO],
  [text('12-2026'), NO],
  [text('20261231'), NO],
  [text('31-12-20266'), NO],
  [text('31 december'), NO],
  [text('morgen'), NO],
  [text('14:30'), NO],
  [text(''), NO],
  [number(46387), NO],
  [number(2026), NO],
  [flag(true), NO],
  [error('#VALUE!'), NO],
];

describe('cells', () => {
  holdCells(datetimeCodec, CELLS);

  test('the warning on 1/2/2026 says as which day it was read', () => {
    expect(datetimeCodec.decode(text('1/2/2026'), 'nl')).toMatchObject({
      warning: { hint: '2026-02-01 00:00:00' },
    });
  });
});

describe('answers', () => {
  holdAnswers(datetimeCodec, [
    ['2027-04-28 11:30:00.123', '2027-04-28 11:30:00.123'],
    ['2027-04-28 11:30:00.000', '2027-04-28 11:30:00'],
    ['2027-04-28 11:30:00', '2027-04-28 11:30:00'],
    ['2027-04-28', '2027-04-28 00:00:00'],
    ['2027-04-28T11:30:00.000000Z', '2027-04-28 11:30:00'],
    ['2027-04-28T11:30:00.0000000', '2027-04-28 11:30:00'],
    ['2027-04-28T11:30:00+02:00', '2027-04-28 11:30:00'],
    [null, null],
    [undefined, null],
    ['', null],
    [' ', null],
    ['0000-00-00 00:00:00', '0000-00-00 00:00:00'],
    ['28-04-2027', '28-04-2027'],
    ['binnenkort', 'binnenkort'],
    [0, '0'],
    [false, 'false'],
    [{ date: '2027-04-28' }, '{"date":"2027-04-28"}'],
  ]);
});

describe('there and back', () => {
  const pad = (value: number, width = 2): string => String(value).padStart(width, '0');
  const moment = fc
    .record({
      year: fc.integer({ min: 1900, max: 9999 }),
      month: fc.integer({ min: 1, max: 12 }),
      day: fc.integer({ min: 1, max: 31 }),
      hour: fc.integer({ min: 0, max: 23 }),
      minute: fc.integer({ min: 0, max: 59 }),
      second: fc.integer({ min: 0, max: 59 }),
      millisecond: fc.integer({ min: 0, max: 999 }),
    })
    // The calendar of another hand.
    .filter(({ year, month, day }) => new Date(Date.UTC(year, month - 1, day)).getUTCMonth() === month - 1)
    .map(({ year, month, day, hour, minute, second, millisecond: ms }) => {
      const whole = `${pad(year, 4)}-${pad(month)}-${pad(day)} ${pad(hour)}:${pad(minute)}:${pad(second)}`;
      return ms === 0 ? whole : `${whole}.${pad(ms, 3)}`;
    });

  test.each(['nl', 'en'] as const)('decode(encode(v)) is v in %s, as text and as a date cell', (locale) => {
    fc.assert(
      fc.property(moment, (value) => {
        const same = { ok: true, value };
        expect(datetimeCodec.decode(cellOf(datetimeCodec.encode(value)), locale)).toStrictEqual(same);
        expect(datetimeCodec.decode(date(value), locale)).toStrictEqual(same);
        expect(datetimeCodec.wire.parse(datetimeCodec.read(value))).toBe(value);
      }),
    );
  });

  test('the process’s time zone plays no part', () => {
    const zone = process.env.TZ;
    try {
      for (const TZ of ['Pacific/Kiritimati', 'America/St_Johns', 'Europe/Amsterdam']) {
        process.env.TZ = TZ;
        // The hour that summer time skips in Amsterdam.
        expect(datetimeCodec.decode(text('28-03-2027 02:30'), 'nl')).toStrictEqual({
          ok: true,
          value: '2027-03-28 02:30:00',
        });
      }
    } finally {
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
    }
  });

  test('any text that is read is a moment that a request may hold', () => {
    const digits = fc.stringMatching(/^\d{1,4}-\d{1,2}-\d{1,4}( \d{1,2}:\d{2})?$/);
    fc.assert(
      fc.property(digits, (found) => {
        const decoded = datetimeCodec.decode(text(found), 'nl');
        if (decoded.ok) expect(parseIso(datetimeCodec.wire.parse(decoded.value))).toBe(decoded.value);
      }),
    );
  });
});

test.each([
  '2027-04-28',
  '2027-04-28T11:30:00',
  '2027-04-28 11:30',
  '2027-02-30 00:00:00',
  '2027-04-28 25:00:00',
  20270428,
  null,
])('%j is no datetime in a request', (value) => {
  expect(datetimeCodec.wire.safeParse(value).success).toBe(false);
});

test.each(['2027-04-28 11:30:00', '2027-04-28 11:30:00.000'])('%s is a datetime in a request', (value) => {
  expect(datetimeCodec.wire.parse(value)).toBe(value);
});
