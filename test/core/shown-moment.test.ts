import { expect, test } from 'vitest';
import { datetimeCodec } from '../../src/core/codecs/datetime.ts';
import { shownDate } from '../../src/core/codecs/shown-cell.ts';
import {
  DAY_FORMAT,
  MINUTE_FORMAT,
  MOMENT_FORMAT,
  shownMinute,
  shownMoment,
} from '../../src/core/shown-moment.ts';

test.each([
  ['2027-12-31', '31 Dec 2027', '31-12-2027'],
  ['2027-03-01 00:00:00', '1 Mar 2027', '01-03-2027'],
  ['2027-03-01 14:30:00', '1 Mar 2027 14:30', '01-03-2027 14:30'],
  ['2027-03-01 14:30:05', '1 Mar 2027 14:30:05', '01-03-2027 14:30:05'],
  ['2027-03-01 14:30:00.120', '1 Mar 2027 14:30:00.120', '01-03-2027 14:30:00.120'],
  ['14:30', '14:30', '14:30'],
])('the moment %s is shown as %s and as %s', (moment, en, nl) => {
  expect(shownMoment(moment)).toEqual({ en, nl });
});

test.each(['en', 'nl'] as const)(
  'A day is shown alike on a screen and in a cell, and read as the same day (%s)',
  (lang) => {
    for (let month = 1; month <= 12; month++) {
      const day = `2027-${String(month).padStart(2, '0')}-04`;
      const moment = `${day} 14:30:05`;
      expect(shownDate(day, DAY_FORMAT[lang], lang)).toBe(shownMoment(day)[lang]);
      expect(shownDate(moment, MOMENT_FORMAT[lang], lang)).toBe(shownMoment(moment)[lang]);
      expect(shownDate(moment, MINUTE_FORMAT[lang], lang)).toBe(shownMinute(moment)[lang]);
      const read = (text: string) => datetimeCodec.decode({ type: 'text', column: 1, value: text }, 'nl');
      expect(read(shownMoment(day)[lang])).toMatchObject({ ok: true, value: `${day} 00:00:00` });
      expect(read(shownMoment(moment)[lang])).toMatchObject({ ok: true, value: moment });
    }
  },
);
