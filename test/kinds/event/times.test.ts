import exceljs from 'exceljs';
import { describe, expect, test } from 'vitest';
import { shownMoment } from '../../../src/core/shown-moment.ts';
import { importWorkbook } from '../../../src/index.ts';
import { makeWorkbook } from '../../helpers/make-workbook.ts';
import { openProxy } from '../../helpers/proxy.ts';
import { openTestService, optionsFor } from '../../helpers/test-service.ts';
import { type Cells, openRows, rowsOf, writeRows } from '../../records/keyed-rows.ts';

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
  ['2027-04-23', '18:00', '2027-04-16 23:30:00', ['Eindtijd end-before-begin']],
  ['2027-04-23', '2027-04-23 18:00:00', '2027-04-16 23:30:00', ['Eindtijd end-before-begin']],
  ['2027-04-23', '2027-04-23 18:00:00', '2027-04-23 17:00:00', ['Eindtijd end-before-begin']],
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
    // An end before its begin is no matter of taste.
    const plain = await importWorkbook(file, options);
    expect(plain.counts).toMatchObject({ created: 6, invalid: 4 });
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
    expect(said).toEqual([['created'], ['invalid', 'end-apart'], ['invalid', 'end-before-begin']]);
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
      ['B2 time-other-day'],
      ['C3 end-apart', 'A3 record-twice'],
      // It ends before the begin that the first row sends.
      ['C4 end-before-begin', 'A4 record-twice'],
    ]);
  });

  /** The cells of a row on 13 March 2027: its begin, its end, the moments that are sent, and what is said. */
  const ENDS: readonly (readonly [start: unknown, end: unknown, sent: string | null, said: string])[] = [
    ['18:00', '24:00', '2027-03-14 00:00:00', ''],
    ['18:00', '25:30', '2027-03-14 01:30:00', 'Eindtijd next-day'],
    ['18:00', '02:00', '2027-03-14 02:00:00', 'Eindtijd next-day'],
    // At most 12 hours after the begin it is the night that follows; anything later is a slip.
    ['20:00', '08:00', '2027-03-14 08:00:00', 'Eindtijd next-day'],
    ['20:00', '08:01', null, 'Eindtijd end-before-begin'],
    ['20:00', '10:00', null, 'Eindtijd end-before-begin'],
    ['12:00', '11:00', null, 'Eindtijd end-before-begin'],
    ['10:00', '0:00', null, 'Eindtijd end-before-begin'],
    ['10:00', '24:00', '2027-03-14 00:00:00', ''],
    ['20:00', '20:00', '2027-03-13 20:00:00', ''],
    ['13-03-2027 20:00', '10:00', null, 'Eindtijd end-before-begin'],
    ['13-03-2027 20:00', '14-03-2027 10:00', '2027-03-14 10:00:00', ''],
    // The numbers that cells hold, shown by hh:mm.
    [0.75, 1, '2027-03-14 00:00:00', 'Eindtijd next-day'],
    [0.75, 0, '2027-03-14 00:00:00', 'Eindtijd next-day'],
    [0.75, 1.0625, '2027-03-14 01:30:00', 'Eindtijd next-day'],
    [0.75, 0.9375, '2027-03-13 22:30:00', ''],
    // A database's times, with the day on which it begins to count.
    [1.75, 47 / 24, '2027-03-13 23:00:00', 'Starttijd time-written-oddly'],
    [1.75, 0.9375, '2027-03-13 22:30:00', 'Starttijd time-written-oddly'],
    [1.75, 1.0625, '2027-03-14 01:30:00', 'Starttijd time-written-oddly Eindtijd next-day'],
    [1.75, '25:30', '2027-03-14 01:30:00', 'Starttijd time-written-oddly Eindtijd next-day'],
    ['13-03-2027 20:00', '13-03-2027 24:00', '2027-03-14 00:00:00', ''],
    ['13-03-2027 20:00', '13-03-2027 10:00', null, 'Eindtijd end-before-begin'],
    ['24:00', '02:00', null, 'Starttijd time-expected'],
    ['13-03-2027 24:00', '14-03-2027 02:00', null, 'Starttijd time-expected'],
    // The begin is on another day, and the end on that of the event.
    ['14-03-2027 18:00', '23:00', null, 'Eindtijd end-before-begin Starttijd time-other-day'],
  ];

  test('from 24:00 on are on the next day however they are written, and none ends before it begins', async () => {
    const { service, folder, options } = await openRows();
    const book = new exceljs.Workbook();
    const sheet = book.addWorksheet('Evenementen');
    sheet.addRow(HEADER);
    for (const [at, [start, end]] of ENDS.entries()) {
      const row = sheet.addRow([81_000 + at, 4001, 6001, '2027-03-13', start, end]);
      for (const column of [5, 6]) row.getCell(column).numFmt = 'hh:mm';
    }
    await book.xlsx.writeFile(`${folder}/a.xlsx`);
    const done = await importWorkbook(`${folder}/a.xlsx`, { ...options, allRows: true });
    const said = done.rows.map(({ issues = [] }) =>
      issues.map(({ field, code }) => `${field} ${code}`).join(' '),
    );
    expect(said).toEqual(ENDS.map(([, , , issues]) => issues));
    // What was found is what the cell shows.
    const late = done.rows.flatMap(({ issues = [] }) => issues.filter(({ code }) => code === 'next-day'));
    const shown = ['25:30', '02:00', '08:00', '00:00', '00:00', '01:30', '01:30', '25:30'];
    expect(late.map(({ found }) => found)).toEqual(shown);
    const bodies = service.journal.requests.filter(({ method }) => method === 'PUT').map(({ body }) => body);
    const sent = (bodies as { Eindtijd: string }[]).map(({ Eindtijd }) => Eindtijd);
    expect(sent.toSorted()).toEqual(ENDS.flatMap(([, , end]) => end ?? []).toSorted());
  });

  test('that end before they begin are told to write the day where the next one may be meant', async () => {
    const { folder, options } = await openRows();
    const event = (Eindtijd: string) => ({
      ...{ ...rowsOf.events(1), ExternalID: 81_000, Datum: '13-03-2027' },
      ...{ Starttijd: '20:00', Eindtijd },
    });
    const told = async (...ends: string[]) => {
      const file = writeRows(`${folder}/a.csv`, ends.map(event));
      const { rows } = await importWorkbook(file, { ...options, as: 'events', dryRun: true, lang: 'nl' });
      return rows.flatMap(({ issues = [] }) => issues.map(({ message }) => message));
    };
    expect(await told('10:00')).toEqual([
      expect.stringContaining(
        'het begint op 13-03-2027 20:00; is de volgende dag bedoeld, schrijf dan 14-03-2027 10:00',
      ),
    ]);
    expect(await told('13-03-2027 10:00')).toEqual([expect.not.stringContaining('schrijf dan')]);
  });

  test('are held to what was last sent of the other one', async () => {
    const { folder, options } = await openRows();
    const made = { ...rowsOf.events(1), ExternalID: 81_000 };
    await importWorkbook(writeRows(`${folder}/a.csv`, [made]), { ...options, as: 'events' });
    const plan = async (cells: Cells) => {
      const file = writeRows(`${folder}/b.csv`, [{ ExternalID: 81_000, Datum: '2027-05-01', ...cells }]);
      const { rows } = await importWorkbook(file, { ...options, as: 'events', dryRun: true, allRows: true });
      return rows.map(({ status, issues = [] }) =>
        [status, ...issues.map(({ message }) => message)].join(' '),
      );
    };
    expect(await plan({ Eindtijd: '2027-05-01 11:00' })).toEqual([expect.stringContaining('it begins on')]);
    expect(await plan({ Starttijd: '2027-05-01 18:00' })).toEqual([expect.stringContaining('it ends on')]);
    expect(await plan({ Starttijd: '2027-05-01 17:00' })).toEqual(['update']);
    expect(await plan({ Starttijd: '18:00', Eindtijd: '23:00' })).toEqual(['update']);
  });

  test('leave a day with 24:00 alone: it is an issue, and moves no event', async () => {
    const service = await openTestService();
    const days = ['03-03-2027 24:00', '2027-03-03T24:00:00', '03-03-2027 00:00', '03-03-2027 23:59'];
    const rows = days.map((day, at) => [98_801 + at, 1, 1, day, '18:00', '23:00']);
    const file = await makeWorkbook(`${service.folder}/a.xlsx`, { Evenementen: [HEADER, ...rows] });
    const { rows: told } = await importWorkbook(file, {
      ...optionsFor(service),
      dryRun: true,
      allRows: true,
    });
    expect(told.map(({ status, issues = [] }) => [status, ...issues.map(({ code }) => code)])).toEqual([
      ['invalid', 'date-expected'],
      ['invalid', 'date-expected'],
      ['create'],
      ['create', 'date-with-time'],
    ]);
    expect(told[0]?.issues?.[0]?.message).toContain('if the next one is meant, write 2027-03-04 00:00');
  });
});
