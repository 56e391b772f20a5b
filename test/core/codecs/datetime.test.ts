import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Cell } from '../../../src/core/cell.ts';
import { datetimeCodec, parseIso } from '../../../src/core/codecs/datetime.ts';
import {
  all,
  type Case,
  cellOf,
  date,
  error,
  flag,
  holdAnswers,
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

const NO = refuses('date-expected');
const order = (value: string) => warns(value, 'date-order');
const odd = (value: string) => warns(value, 'date-written-oddly');
/** A zone is passed over, and said. */
const zone = (value: string) => warns(value, 'date-zone');
/** The last day of 2026, and half past two in its afternoon. */
const day = (...cells: string[]): Case[] => all(reads('2026-12-31 00:00:00'), ...cells);
const half = (...cells: string[]): Case[] => all(reads('2026-12-31 14:30:00'), ...cells);
/** Of a day, its midnight. */
const days = (values: Record<string, string>): Case[] =>
  Object.entries(values).map(([cell, value]) => [cell, reads(`${value} 00:00:00`)]);

const CELLS: readonly Case[] = [
  // Date cells, as the workbook reader says them; small numbers are shown as days that programs count differently.
  ...['2026-12-31', '1904-01-01', '9999-12-31', '1900-03-01'].map(
    (value): Case => [date(value), reads(`${value} 00:00:00`)],
  ),
  ...['2026-12-31 14:30:00', '2026-12-31 14:30:00.250'].map((value): Case => [date(value), reads(value)]),
  ...all(
    NO,
    ...['1900-02-29', '1900-02-28 12:00:00', '2026-02-30', '2026-01-05 25:00:00', '14:30:00'].map((value) =>
      date(value),
    ),
  ),

  // ISO text; no time zone ever moves a date.
  ...day('2026-12-31', ' 2026-12-31\u00a0', '2026/12/31', '2026.12.31'),
  ...half('2026-12-31 14:30', '2026-12-31T14:30:00', '2026-12-31t14:30:00', '2026-12-31 14:30:00.000'),
  ...half('2026/12/31 14:30', '2026-12-31 14.30'),
  ...texts({
    '2026-12-31 14:30:00.5': '2026-12-31 14:30:00.500',
    '2026-12-31 14:30:00,123': '2026-12-31 14:30:00.123',
    '2026-12-31T23:59:59.999999': '2026-12-31 23:59:59.999',
    '2026-1-5 9:05': '2026-01-05 09:05:00',
  }),
  ...days({ '2026-1-5': '2026-01-05', '2028-02-29': '2028-02-29', '2000-02-29': '2000-02-29' }),
  ...['Z', '+01:00', '-0800'].map((at): Case => [`2026-12-31T23:30:00${at}`, zone('2026-12-31 23:30:00')]),
  [zoned('2026-12-31 14:30:00', 'Z'), zone('2026-12-31 14:30:00')],
  [zoned('2026-12-31', '+02:00'), zone('2026-12-31 00:00:00')],
  [zoned('14:30:00', 'Z'), NO],
  ...all(odd('2026-12-31 00:00:00'), '20261231', number(20261231)),
  ['20261231T143000', odd('2026-12-31 14:30:00')],
  ...all(NO, '2026/31/12', '20261331', number(20261331)),

  // As people write them: the day first, but in English with slashes.
  ...day(
    '31-12-2026',
    '31.12.2026',
    '31‑12‑2026',
    '31–12–2026',
    '３１-１２-２０２６',
    '\u200e31-12-2026',
    "'31-12-2026",
    '31 - 12 - 2026',
  ),
  ...half(
    '31-12-2026 14:30',
    '31-12-2026 14:30:00',
    '31-12-2026, 14:30',
    '31-12-2026\u00a014:30',
    '31-12-2026 14.30',
    '31-12-2026 14u30',
    '31-12-2026 14:30 uur',
    '31-12-2026 om 14:30',
    '31-12-2026 2:30 PM',
    '31-12-2026 14:30u',
  ),
  ...texts({ '1-2-2026': '2026-02-01 00:00:00', '01-03-2026 14:30': '2026-03-01 14:30:00' }, order),
  ...days({
    '05-05-2026': '2026-05-05',
    '01.03.2026': '2026-03-01',
    '1. 3. 2026': '2026-03-01',
    '5/5/2026': '2026-05-05',
  }),
  ['31/12/2026', reads('2026-12-31 00:00:00'), NO],
  ['12/31/2026 14:30', NO, reads('2026-12-31 14:30:00')],
  ...inBoth({ '1/2/2026': ['2026-02-01 00:00:00', '2026-01-02 00:00:00'] }, order),

  // Months by name, Dutch and English in both locales.
  ...day('31 dec 2026', '31 december 2026', '31-dec-2026', '31 dec. 2026', 'Dec 31, 2026', 'Dec. 31 2026'),
  ...half('31 December 2026 14:30', 'Donderdag 31-12-2026 14:30'),
  ...days({
    '1 mrt. 2026': '2026-03-01',
    '1 maart 2026': '2026-03-01',
    '1 mar 2026': '2026-03-01',
    '1e mei 2026': '2026-05-01',
    '3rd of May 2026': '2026-05-03',
    '5 okt 2026': '2026-10-05',
    '5 OCT 2026': '2026-10-05',
    'May 1st, 2026': '2026-05-01',
    '8 sept. 2026': '2026-09-08',
  }),
  // With the weekday, which has to be right, and tells the order too: 1 March 2026 is a Sunday, 3 January a Saturday.
  ...day('do 31-12-2026', 'do. 31-12-2026', 'donderdag 31 december 2026', 'Thursday, December 31, 2026'),
  ...all(refuses('date-weekday'), 'vr 31-12-2026', 'Friday 31 December 2026', 'ma 01-03-2026'),
  ...days({ 'zo 01-03-2026': '2026-03-01' }),
  ['za 01/03/2026', order('2026-01-03 00:00:00'), reads('2026-01-03 00:00:00')],

  ...all(
    refuses('date-two-digit-year'),
    '31-12-26',
    '31/12/26',
    '31.12.26',
    '31-12-26 14:30',
    '26-12-31',
    '01-02-03',
  ),
  ...all(refuses('date-two-digit-year'), '31 dec 26', "31 dec '26", '31-dec-26', 'Dec 31, 26'),
  // Days and times that do not exist; the end of a day is no moment of that day, and which day is meant can't be told.
  ...all(
    NO,
    '2026-02-29',
    '1900-02-29',
    '2100-02-29',
    '29-02-2026',
    '31-04-2026',
    '2026-13-01',
    '2026-00-10',
    '2026-10-00',
    '32-12-2026',
    '12-13-2026',
    '0000-00-00 00:00:00',
    '1899-12-31',
    '29 februari 2026',
    '31-12-2026 24:00',
    '2027-03-03T24:00:00',
    'wo 3 maart 2027 24u',
    '31-12-2026 14:60',
    '2026-12-31 14:30:60',
  ),
  ['31-12-2026 00:00', reads('2026-12-31 00:00:00')],
  ...all(
    NO,
    '31-12-2026 13:30 PM',
    '31-12-2026 14:30 - 16:00',
    '31-12/2026',
    '31-12-2026 14',
    '2026-12',
    '31-12-20266',
    '31 dezember 2026',
    '12 personen 2026',
    '31 dec',
    '31 dec 14:30',
    'dec 2026',
    'morgen',
    '14:30',
    '',
    number(46387),
    number(2026),
    flag(true),
    error('#VALUE!'),
  ),
];

describe('a datetime in a cell', () => {
  holdCells(datetimeCodec, CELLS);

  test('as it is usually written is read as any other is', () => {
    // A blank before it is passed over, and no usual moment has one.
    const usual = /^(19|20|00|99)\d\d-[01]\d-[0-3]\d[ T][0-2]\d:[0-6]\d:[0-6]\d(\.(000|\d{3}))?$/;
    const flaw = fc.option(
      fc.tuple(fc.nat(22), fc.constantFrom('/', ':', '-', 'T', ' ', '.', ',', 'a', '9')),
    );
    fc.assert(
      fc.property(fc.stringMatching(usual), flaw, (value, found) => {
        const [at, sign] = found ?? [99, ''];
        const near = value.slice(0, at) + sign + value.slice(at + 1);
        expect(parseIso(near)).toBe(parseIso(` ${near}`));
      }),
      { numRuns: 500, seed: 1 },
    );
  });

  test.each<[Cell, string]>([
    [text('14.30 uur'), 'the day is missing'],
    [date('14:30:00'), 'the day is missing'],
    [text('31-12'), 'the year is missing'],
    [text('29-02-2026'), 'there is no such day'],
    [text('12/31/2026'), 'the other way round it is 31 December 2026: if that is meant, write 2026-12-31'],
    [text('vr 31-12-2026'), '31 December 2026 is a Thursday'],
    [number(46387.5), 'it would show 31 December 2026'],
    [date('1900-01-12'), 'small number'],
  ])('%j is refused with the advice: %s', (cell, advice) => {
    expect(datetimeCodec.decode(cell, 'nl')).toMatchObject({
      finding: { hint: { en: expect.stringContaining(advice) } },
    });
  });

  test('that may be read two ways is told as it was read', () => {
    const hint = { en: '1 February 2026', nl: '1 februari 2026' };
    expect(datetimeCodec.decode(text('1/2/2026'), 'nl')).toMatchObject({ warning: { hint } });
  });
});

const MONTH = { '/': 'month', '-': 'month' } as const;
const DAY = { '/': 'day', '-': 'day' } as const;
test.each([
  ['12/31/2026', 'nl', MONTH, order('2026-12-31 00:00:00')],
  ['01-02-2026', 'nl', MONTH, order('2026-01-02 00:00:00')],
  ['31/12/2026', 'nl', MONTH, NO],
  ['1/2/2026', 'en', MONTH, reads('2026-01-02 00:00:00')],
  ['1-2-2026', 'en', MONTH, order('2026-01-02 00:00:00')],
  ['1/2/2026', 'nl', DAY, reads('2026-02-01 00:00:00')],
  ['12/31/2026', 'nl', DAY, NO],
  ['1/2/2026', 'en', DAY, order('2026-02-01 00:00:00')],
  // Evidence about one mark says nothing of another.
  ['1-2-2026', 'nl', { '/': 'day' }, order('2026-02-01 00:00:00')],
] as const)(
  'of a column that shows its order, %s in %s with %j is read so',
  (value, locale, orders, expected) => {
    const decoded = datetimeCodec.decode(text(value), locale, orders);
    if ('refused' in expected) expect(decoded).toMatchObject({ finding: { code: expected.refused } });
    else {
      expect(decoded).toMatchObject({ value: expected.value });
      expect(decoded.ok && decoded.warning?.code).toBe(expected.warning);
    }
  },
);

describe('a datetime in an answer', () => {
  const lunch = [
    '2027-04-28 11:30:00',
    '2027-04-28 11:30:00.000',
    '2027-04-28T11:30:00.000000Z',
    '2027-04-28T11:30:00+02:00',
  ];
  holdAnswers(datetimeCodec, [
    ...lunch.map((answer) => [answer, '2027-04-28 11:30:00'] as const),
    ...['2027-04-28 11:30:00.123', '0000-00-00 00:00:00', '28-04-2027', 'binnenkort'].map(
      (same) => [same, same] as const,
    ),
    ['2027-04-28', '2027-04-28 00:00:00'],
    [0, '0'],
    [false, 'false'],
    [{ date: '2027-04-28' }, '{"date":"2027-04-28"}'],
  ]);
});

test.each(['nl', 'en'] as const)(
  'a moment, and its day by name, is in %s read as it was written',
  (locale) => {
    const moment = fc.date({ min: new Date('1900-03-01'), max: new Date('9999-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(
        moment,
        fc.constantFrom('nl', 'en'),
        fc.constantFrom('long', 'short'),
        (at, language, month) => {
          const value = at.toISOString().replace('T', ' ').replace('Z', '').replace('.000', '');
          for (const cell of [cellOf(value), date(value)])
            expect(datetimeCodec.decode(cell, locale)).toStrictEqual({ ok: true, value });
          expect(datetimeCodec.wire.parse(datetimeCodec.read(value))).toBe(value);
          const options = { timeZone: 'UTC', year: 'numeric', month, day: 'numeric' } as const;
          for (const named of [options, { ...options, weekday: month }])
            expect(
              datetimeCodec.decode(text(new Intl.DateTimeFormat(language, named).format(at)), locale),
            ).toStrictEqual({ ok: true, value: `${value.slice(0, 10)} 00:00:00` });
        },
      ),
      { seed: 1 },
    );
  },
);

test('the process’s time zone plays no part', () => {
  const zone = process.env.TZ;
  try {
    for (const TZ of ['Pacific/Kiritimati', 'America/St_Johns', 'Europe/Amsterdam']) {
      process.env.TZ = TZ;
      // The hour that summer time skips in Amsterdam.
      expect(datetimeCodec.decode(text('28-03-2027 02:30'), 'nl')).toMatchObject({
        value: '2027-03-28 02:30:00',
      });
    }
  } finally {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  }
});

test.each([
  '2027-04-28',
  '2027-04-28T11:30:00',
  '2027-02-30 00:00:00',
  '2027-04-28 25:00:00',
  20270428,
  null,
])('%j is no datetime in a request', (value) => {
  expect(datetimeCodec.wire.safeParse(value).success).toBe(false);
});
