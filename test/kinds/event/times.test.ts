import { describe, expect, test } from 'vitest';
import { shownMoment } from '../../../src/core/shown-moment.ts';
import { importWorkbook } from '../../../src/index.ts';
import { makeWorkbook } from '../../helpers/make-workbook.ts';
import { openProxy } from '../../helpers/proxy.ts';
import { openTestService, optionsFor } from '../../helpers/test-service.ts';

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
    const service = await openTestService();
    const rows = CASES.map(([datum, start, end], at) => [81_000 + at, 1, 1, datum, start, end]);
    const file = await makeWorkbook(`${service.folder}/a.xlsx`, { Evenementen: [HEADER, ...rows] });
    const options = { ...optionsFor(service), dryRun: true };
    const { rows: told } = await importWorkbook(file, options);
    const said = told.map(({ issues = [] }) => issues.map(({ field, code }) => `${field} ${code}`));
    expect(said).toEqual(CASES.map(([, , , issues]) => issues));
    const strict = await importWorkbook(file, { ...options, strict: true });
    expect(strict.counts).toMatchObject({ created: 3, invalid: 7 });
  });

  test('may be days apart where the row or the service says that it takes several', async () => {
    const service = await openTestService();
    const times = [1, 1, '2027-04-23', '2027-04-23 10:00:00', '2027-04-25 18:00:00'] as const;
    const rows = [
      [...HEADER, 'MeerdaagseEvenement'],
      [81_000, ...times, 'Ja'],
      [81_001, ...times, 'Nee'],
      [81_002, ...times.slice(0, 4), '2027-04-22 18:00:00', 'Ja'],
    ];
    const file = await makeWorkbook(`${service.folder}/a.xlsx`, { Evenementen: rows });
    const options = { ...optionsFor(service), strict: true };
    const first = await importWorkbook(file, options);
    const said = first.rows.map(({ status, issues = [] }) => [status, ...issues.map(({ code }) => code)]);
    expect(said).toEqual([['created'], ['invalid', 'end-apart'], ['invalid', 'end-apart']]);
    // The service says so of an event of its own.
    const id = first.rows[0]?.id ?? 0;
    const event = (await service.request('GET', `api/v1/event/${id}`)) as object;
    const baseUrl = await openProxy(service.url, ({ method, path }) =>
      method === 'GET' && path.endsWith(`/event/${id}`)
        ? { status: 200, body: { ...event, MeerdaagseEvenement: '1' } }
        : undefined,
    );
    const own = [
      ['PartijID', 'Eindtijd'],
      [id, '2027-04-26 18:00:00'],
    ];
    const again = await makeWorkbook(`${service.folder}/b.xlsx`, { Evenementen: own });
    const plans = [{ ...options, baseUrl }, options].map((one) =>
      importWorkbook(again, { ...one, dryRun: true }),
    );
    expect((await Promise.all(plans)).map(({ counts }) => counts)).toMatchObject([
      { updated: 1 },
      { invalid: 1 },
    ]);
  });

  test('are told to stay behind where the day moves without them', async () => {
    const service = await openTestService();
    const [event, other] = await service.records('event');
    const ids = [Number(event?.id), Number(other?.id)] as const;
    const rows = [
      ['PartijID', 'Datum', 'Starttijd', 'Eindtijd'],
      [ids[0], '2027-12-30', null, null],
      [ids[0], '2027-12-30', null, null],
      [ids[1], '2027-12-30', '14:00', null],
      [ids[1], '2027-12-31', '14:00', '18:00'],
      [ids[1], null, null, null],
    ];
    const file = await makeWorkbook(`${service.folder}/a.xlsx`, { Evenementen: rows });
    const { rows: told } = await importWorkbook(file, { ...optionsFor(service), dryRun: true });
    const day = (record: typeof event): string => shownMoment(String(record?.Datum).slice(0, 10)).en;
    const said = told.map(({ issues = [] }) =>
      issues.flatMap(({ cell, code, message }) => (code === 'times-stay' ? [`${cell} ${message}`] : [])),
    );
    const stays = (names: string, record: typeof event): unknown =>
      expect.stringContaining(`without ${names} the service may keep the times on ${day(record)}`);
    expect(said).toEqual([[stays('Starttijd and Eindtijd', event)], [], [stays('Eindtijd', other)], [], []]);
  });

  test('are held to the day that the service has of it', async () => {
    const service = await openTestService();
    const [event] = await service.records('event');
    const day = String(event?.Datum).slice(0, 10);
    const rows = [
      ['PartijID', 'Starttijd', 'Eindtijd'],
      [Number(event?.id), '2027-12-30 14:00:00', '2027-12-30 18:00:00'],
      [Number(event?.id), null, '2027-12-30 18:00:00'],
      [Number(event?.id), null, `${day} 18:00:00`],
    ];
    const file = await makeWorkbook(`${service.folder}/a.xlsx`, { Evenementen: rows });
    const { rows: told } = await importWorkbook(file, { ...optionsFor(service), dryRun: true });
    expect(told.map(({ issues = [] }) => issues.map(({ cell, code }) => `${cell} ${code}`))).toEqual([
      ['B2 time-other-day', 'C2 value-twice'],
      ['C3 end-apart', 'A3 record-twice', 'C3 value-twice'],
      ['C4 value-twice'],
    ]);
  });
});
