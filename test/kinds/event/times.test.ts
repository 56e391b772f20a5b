import { describe, expect, test } from 'vitest';
import { importWorkbook } from '../../../src/index.ts';
import { openKitchen } from '../../helpers/kitchen.ts';
import { makeWorkbook } from '../../helpers/make-workbook.ts';
import { optionsFor } from './stand.ts';

type Given = string | null;

const HEADER = ['ExternalID', 'RelatieID', 'ContactpersoonID', 'Datum', 'Starttijd', 'Eindtijd'];

/** Each day and its times as a row, and what is said of it. */
const CASES: readonly (readonly [datum: Given, start: Given, end: Given, said: readonly string[]])[] = [
  ['2027-04-23', '2027-04-23 18:00:00', '2027-04-23 23:30:00', []],
  ['2027-04-23', '2027-04-23 18:00:00', '2027-04-24 02:00:00', []],
  ['2027-04-23', '18:00', '2027-04-24 02:00:00', []],
  // Last week's row, with another day.
  ['2027-04-23', '2027-04-16 18:00:00', '2027-04-16 23:30:00', ['Starttijd time-other-day']],
  ['2027-04-23', '2027-04-16 18:00:00', '23:30', ['Starttijd time-other-day']],
  ['2027-04-23', '18:00', '2027-04-16 23:30:00', ['Eindtijd end-apart']],
  ['2027-04-23', '2027-04-23 18:00:00', '2027-04-16 23:30:00', ['Eindtijd end-apart']],
  ['2027-04-23', '2027-04-23 18:00:00', '2027-04-23 17:00:00', ['Eindtijd end-apart']],
  ['2027-04-23', '2027-04-23 18:00:00', '2027-04-25 02:00:00', ['Eindtijd end-apart']],
  // A day that can't be read is said once.
  ['23-04-27', '18:00', '23:30', ['Datum date-two-digit-year']],
];

describe('the times of an event', () => {
  test('are told where they don’t go with its day, and its day is told once', async () => {
    const kitchen = await openKitchen();
    const rows = CASES.map(([datum, start, end], at) => [81_000 + at, 1, 6, datum, start, end]);
    const file = await makeWorkbook(`${kitchen.folder}/a.xlsx`, { Evenementen: [HEADER, ...rows] });
    const options = { ...optionsFor(kitchen), dryRun: true };
    const { rows: told } = await importWorkbook(file, options);
    const said = told.map(({ issues = [] }) => issues.map(({ field, code }) => `${field} ${code}`));
    expect(said).toEqual(CASES.map(([, , , issues]) => issues));
    const strict = await importWorkbook(file, { ...options, strict: true });
    expect(strict.counts).toMatchObject({ created: 3, invalid: 7 });
  });

  test('are held to the day that the service has of it', async () => {
    const kitchen = await openKitchen();
    const [event] = await kitchen.records('event');
    const day = String(event?.Datum).slice(0, 10);
    const rows = [
      ['PartijID', 'Starttijd', 'Eindtijd'],
      [Number(event?.id), '2027-12-30 14:00:00', '2027-12-30 18:00:00'],
      [Number(event?.id), null, '2027-12-30 18:00:00'],
      [Number(event?.id), null, `${day} 18:00:00`],
    ];
    const file = await makeWorkbook(`${kitchen.folder}/a.xlsx`, { Evenementen: rows });
    const { rows: told } = await importWorkbook(file, { ...optionsFor(kitchen), dryRun: true });
    expect(told.map(({ issues = [] }) => issues.map(({ cell, code }) => `${cell} ${code}`))).toEqual([
      ['B2 time-other-day'],
      ['A3 record-twice', 'C3 end-apart'],
      ['A4 record-twice'],
    ]);
  });
});
