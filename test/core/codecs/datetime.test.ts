import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { datetimeCodec, parseIso } from '../../../src/core/codecs/datetime.ts';
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
  zoned,
} from './cases.ts';

const NO = refuses('date-expected');
const SHORT = refuses('date-two-digit-year');
const order = (value: string) => warns(value, 'date-order');
const odd = (value: string) => warns(value, 'date-written-oddly');
const NEW_YEARS_EVE = reads('2026-12-31 00:00:00');
const HALF_PAST_TWO = reads('2026-12-31 14:30:00');

/** A zone is passed over, and said. */
const zone = (value: string) => warns(value, 'date-zone');

const CELLS: readonly Case[] = [
  // Date cells, as the workbook reader says them.
  [date('2026-12-31'), NEW_YEARS_EVE],
  [date('2026-12-31 14:30:00'), HALF_PAST_TWO],
  [date('2026-12-31 14:30:00.250'), reads('2026-12-31 14:30:00.250')],
  [date('1904-01-01'), reads('1904-01-01 00:00:00')],
  [date('9999-12-31'), reads('9999-12-31 00:00:00')],
  // The day that only Excel has, and a time without a day.
  [date('1900-02-29'), NO],
  // Small numbers shown as dates, on days that programs count differently.
  [date('1900-01-01'), NO],
  [date('1900-02-28 12:00:00'), NO],
  [date('1900-03-01'), reads('1900-03-01 00:00:00')],
  [date('2026-12-31 23:59:59'), reads('2026-12-31 23:59:59')],
  [date('2026-02-28'), reads('2026-02-28 00:00:00')],
  [date('2026-02-30'), NO],
  [date('2026-13-01'), NO],
  [date('2026-01-05 25:00:00'), NO],
  [date('23:30:00'), NO],
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
  [text('2026-12-31T14:30:00Z'), zone('2026-12-31 14:30:00')],
  [text('2026-12-31T14:30:00+01:00'), zone('2026-12-31 14:30:00')],
  [text('2026-12-31T14:30:00-0800'), zone('2026-12-31 14:30:00')],
  [text('2026-12-31T23:30:00.000Z'), zone('2026-12-31 23:30:00')],
  [zoned('2026-12-31 14:30:00', 'Z'), zone('2026-12-31 14:30:00')],
  [zoned('2026-12-31', '+02:00'), zone('2026-12-31 00:00:00')],
  [zoned('14:30:00', 'Z'), refuses('date-expected')],

  // As people write them.
  [text('31-12-2026'), NEW_YEARS_EVE],
  [text('31-12-2026 14:30'), HALF_PAST_TWO],
  [text('31-12-2026 14:30:00'), HALF_PAST_TWO],
  [text('31-12-2026 14:30:05'), reads('2026-12-31 14:30:05')],
  [text('31-12-2026, 14:30'), HALF_PAST_TWO],
  [text('31.12.2026'), NEW_YEARS_EVE],
  // Dashes have the day first in both.
  [text('1-2-2026'), order('2026-02-01 00:00:00')],
  [text('01-03-2026'), order('2026-03-01 00:00:00')],
  [text('01-03-2026 14:30'), order('2026-03-01 14:30:00')],
  [text('05-05-2026'), reads('2026-05-05 00:00:00')],
  // So have dots, everywhere in the world.
  [text('01.03.2026'), reads('2026-03-01 00:00:00')],
  [text('1. 3. 2026'), reads('2026-03-01 00:00:00')],
  [text('29-02-2028 9:00'), reads('2028-02-29 09:00:00')],
  [text('31/12/2026'), NEW_YEARS_EVE, NO],
  [text('12/31/2026'), NO, NEW_YEARS_EVE],
  [text('12/31/2026 14:30'), NO, HALF_PAST_TWO],
  [text('5/5/2026'), reads('2026-05-05 00:00:00')],
  [text('1/2/2026'), order('2026-02-01 00:00:00'), order('2026-01-02 00:00:00')],
  [text('11/12/2026 10:00'), order('2026-12-11 10:00:00'), order('2026-11-12 10:00:00')],

  // Times as people write them.
  [text('31-12-2026 14.30'), HALF_PAST_TWO],
  [text('31-12-2026 14u30'), HALF_PAST_TWO],
  [text('31-12-2026 14:30 uur'), HALF_PAST_TWO],
  [text('31-12-2026 om 14:30'), HALF_PAST_TWO],
  [text('31-12-2026 2:30 PM'), HALF_PAST_TWO],
  [text('31-12-2026 14:30u'), HALF_PAST_TWO],
  [text('31-12-2026 13:30 PM'), NO],
  [text('31-12-2026 14:30 - 16:00'), NO],

  // Year first with other marks.
  [text('2026/12/31'), NEW_YEARS_EVE],
  [text('2026.12.31'), NEW_YEARS_EVE],
  [text('2026/12/31 14:30'), HALF_PAST_TWO],
  [text('2026-12-31 14.30'), HALF_PAST_TWO],
  [text('2026/31/12'), NO],
  [text('20261231'), odd('2026-12-31 00:00:00')],
  [text('20261231T143000'), odd('2026-12-31 14:30:00')],
  [text('20261331'), NO],
  [number(20261231), odd('2026-12-31 00:00:00')],
  [number(20261331), NO],

  // Months by name, Dutch and English in both locales.
  [text('31 dec 2026'), NEW_YEARS_EVE],
  [text('31 december 2026'), NEW_YEARS_EVE],
  [text('31 December 2026 14:30'), HALF_PAST_TWO],
  [text('31-dec-2026'), NEW_YEARS_EVE],
  [text('31 dec. 2026'), NEW_YEARS_EVE],
  [text('1 mrt. 2026'), reads('2026-03-01 00:00:00')],
  [text('1 mrt 2026'), reads('2026-03-01 00:00:00')],
  [text('1 maart 2026'), reads('2026-03-01 00:00:00')],
  [text('1 mar 2026'), reads('2026-03-01 00:00:00')],
  [text('1 mei 2026'), reads('2026-05-01 00:00:00')],
  [text('1 May 2026'), reads('2026-05-01 00:00:00')],
  [text('1e mei 2026'), reads('2026-05-01 00:00:00')],
  [text('3rd of May 2026'), reads('2026-05-03 00:00:00')],
  [text('5 okt 2026'), reads('2026-10-05 00:00:00')],
  [text('5 OCT 2026'), reads('2026-10-05 00:00:00')],
  [text('8 sept. 2026'), reads('2026-09-08 00:00:00')],
  [text('12 augustus 2026'), reads('2026-08-12 00:00:00')],
  [text('Dec 31, 2026'), NEW_YEARS_EVE],
  [text('December 31, 2026'), NEW_YEARS_EVE],
  [text('Dec. 31 2026'), NEW_YEARS_EVE],
  [text('May 1st, 2026'), reads('2026-05-01 00:00:00')],
  [text('29 februari 2026'), NO],
  [text('31 dezember 2026'), NO],
  [text('12 personen 2026'), NO],
  [text('31 dec 26'), SHORT],
  [text("31 dec '26"), SHORT],
  [text('31-dec-26'), SHORT],
  [text('Dec 31, 26'), SHORT],
  [text('31 dec'), NO],
  [text('31 dec 14:30'), NO],
  [text('dec 2026'), NO],

  // With the weekday, which has to be right.
  [text('do 31-12-2026'), NEW_YEARS_EVE],
  [text('do. 31-12-2026'), NEW_YEARS_EVE],
  [text('donderdag 31 december 2026'), NEW_YEARS_EVE],
  [text('Thu 31 Dec 2026'), NEW_YEARS_EVE],
  [text('Thursday, December 31, 2026'), NEW_YEARS_EVE],
  [text('Donderdag 31-12-2026 14:30'), HALF_PAST_TWO],
  [text('vr 31-12-2026'), refuses('date-weekday')],
  [text('Friday 31 December 2026'), refuses('date-weekday')],
  // It tells the order too: 1 March 2026 is a Sunday, 3 January a Saturday.
  [text('zo 01-03-2026'), reads('2026-03-01 00:00:00')],
  [text('za 01/03/2026'), order('2026-01-03 00:00:00'), reads('2026-01-03 00:00:00')],
  [text('ma 01-03-2026'), refuses('date-weekday')],

  // Characters that only look unlike a plain keyboard's.
  [text('31‑12‑2026'), NEW_YEARS_EVE],
  [text('31–12–2026'), NEW_YEARS_EVE],
  [text('３１-１２-２０２６'), NEW_YEARS_EVE],
  [text('\u200e31-12-2026'), NEW_YEARS_EVE],
  [text("'31-12-2026"), NEW_YEARS_EVE],
  [text('31-12-2026\u00a014:30'), HALF_PAST_TWO],
  [text('31 - 12 - 2026'), NEW_YEARS_EVE],

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
  // The end of a day is no moment of that day, and which day is meant can't be told.
  [text('31-12-2026 24:00'), refuses('date-expected')],
  [text('2027-03-03T24:00:00'), refuses('date-expected')],
  [text('2027-03-03 24:00'), refuses('date-expected')],
  [text('wo 3 maart 2027 24u'), refuses('date-expected')],
  [text('31-12-2026 24:01'), refuses('date-expected')],
  [text('31-12-2026 00:00'), reads('2026-12-31 00:00:00')],
  [text('31-12-2026 24:01'), NO],
  [text('31-12-2026 14:60'), NO],
  [text('2026-12-31 14:30:60'), NO],
  [text('2026-12-31 25:00:00'), NO],

  [text('31-12/2026'), NO],
  [text('31-12-2026 14'), NO],
  [text('2026-12'), NO],
  [text('12-2026'), NO],
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

describe('a datetime in a cell', () => {
  holdCells(datetimeCodec, CELLS);

  test('a moment as it is usually written reads as any other is', () => {
    // A blank before it is passed over, and no usual moment has one.
    const near = fc
      .tuple(
        fc.stringMatching(/^(19|20|00|99)\d\d-[01]\d-[0-3]\d[ T][0-2]\d:[0-6]\d:[0-6]\d(\.(000|\d{3}))?$/),
        fc.option(fc.tuple(fc.nat(22), fc.constantFrom('/', ':', '-', 'T', 't', ' ', '.', ',', 'a', '9')), {
          nil: null,
        }),
      )
      .map(([text, flaw]) =>
        flaw === null ? text : `${text.slice(0, flaw[0])}${flaw[1]}${text.slice(flaw[0] + 1)}`,
      );
    fc.assert(
      fc.property(near, (text) => {
        expect(parseIso(text)).toBe(parseIso(` ${text}`));
      }),
      { numRuns: 2000 },
    );
  });

  test('the warning on 1/2/2026 says as which day it was read, so that it can’t be misread', () => {
    const hint = { en: '1 February 2026', nl: '1 februari 2026' };
    expect(datetimeCodec.decode(text('1/2/2026'), 'nl')).toMatchObject({ warning: { hint } });
  });

  test.each([
    [text('14:30'), 'the day is missing'],
    [text('14.30 uur'), 'the day is missing'],
    [date('14:30:00'), 'the day is missing'],
    [date('23:30:00'), 'the day is missing'],
    [text('31-12'), 'the year is missing'],
    [text('31 december'), 'the year is missing'],
    [text('29-02-2026'), 'there is no such day'],
    [
      text('12/31/2026'),
      'read day first; the other way round it is 31 December 2026: if that is meant, write 2026-12-31',
    ],
    [text('vr 31-12-2026'), '31 December 2026 is a Thursday'],
    [number(46387), 'it would show 31 December 2026'],
    [number(46387.5), 'it would show 31 December 2026'],
    [date('1900-01-12'), 'small number'],
  ])('%j is refused with the advice: %s', (cell, advice) => {
    expect(datetimeCodec.decode(cell, 'nl')).toMatchObject({
      ok: false,
      finding: { hint: { en: expect.stringContaining(advice) } },
    });
  });
});

describe('the order of day and month that a column shows', () => {
  const MONTH_FIRST = { '/': 'month', '-': 'month' } as const;
  const DAY_FIRST = { '/': 'day', '-': 'day' } as const;

  test.each([
    ['12/31/2026', 'nl', MONTH_FIRST, order('2026-12-31 00:00:00')],
    ['1/2/2026', 'nl', MONTH_FIRST, order('2026-01-02 00:00:00')],
    ['01-02-2026', 'nl', MONTH_FIRST, order('2026-01-02 00:00:00')],
    ['5/5/2026', 'nl', MONTH_FIRST, reads('2026-05-05 00:00:00')],
    ['31/12/2026', 'nl', MONTH_FIRST, NO],
    ['1/2/2026', 'en', MONTH_FIRST, reads('2026-01-02 00:00:00')],
    ['1-2-2026', 'en', MONTH_FIRST, order('2026-01-02 00:00:00')],
    ['1/2/2026', 'nl', DAY_FIRST, reads('2026-02-01 00:00:00')],
    ['01-03-2026', 'nl', DAY_FIRST, reads('2026-03-01 00:00:00')],
    ['12/31/2026', 'nl', DAY_FIRST, NO],
    ['1/2/2026', 'en', DAY_FIRST, order('2026-02-01 00:00:00')],
    ['31/12/2026', 'en', DAY_FIRST, order('2026-12-31 00:00:00')],
    // Evidence about one mark says nothing of another.
    ['1-2-2026', 'nl', { '/': 'day' }, order('2026-02-01 00:00:00')],
    ['2026-01-02', 'nl', MONTH_FIRST, reads('2026-01-02 00:00:00')],
  ] as const)('%s in %s where %j', (value, locale, orders, expected) => {
    const decoded = datetimeCodec.decode(text(value), locale, orders);
    const { warning } = decoded.ok ? decoded : {};
    const outcome = decoded.ok
      ? { value: decoded.value, ...(warning === undefined ? {} : { warning: warning.code }) }
      : { refused: decoded.finding.code };
    expect(outcome).toStrictEqual(expected);
  });
});

describe('a datetime in an answer', () => {
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

describe('a datetime, written and read again', () => {
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
        expect(datetimeCodec.decode(cellOf(value), locale)).toStrictEqual(same);
        if (value >= '1900-03-01') expect(datetimeCodec.decode(date(value), locale)).toStrictEqual(same);
        expect(datetimeCodec.wire.parse(datetimeCodec.read(value))).toBe(value);
      }),
    );
  });

  test.each(['nl', 'en'] as const)('a day with its month by name or its weekday is read in %s', (locale) => {
    fc.assert(
      fc.property(moment, fc.constantFrom('nl', 'en'), (value, language) => {
        const day = new Date(`${value.slice(0, 10)}T00:00:00Z`);
        const as = (options: Intl.DateTimeFormatOptions): string =>
          new Intl.DateTimeFormat(language, { timeZone: 'UTC', ...options }).format(day);
        const same = { ok: true, value: `${value.slice(0, 10)} 00:00:00` };
        for (const month of ['long', 'short'] as const) {
          const options = { year: 'numeric', month, day: 'numeric' } as const;
          expect(datetimeCodec.decode(text(as(options)), locale)).toStrictEqual(same);
          const withWeekday = as({ ...options, weekday: month });
          expect(datetimeCodec.decode(text(withWeekday), locale)).toStrictEqual(same);
        }
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
    const digits = fc.oneof(
      fc.stringMatching(/^\d{1,4}-\d{1,2}-\d{1,4}( \d{1,2}:\d{2})?$/),
      fc.stringMatching(/^((ma|zo) )?\d{1,2}([-/.]\d{1,2}[-/.]| (jan|mrt|dec) )20\d\d( \d{1,2}[.:u]\d{2})?$/),
      fc.stringMatching(/^(19|20)\d{6}$/),
    );
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
