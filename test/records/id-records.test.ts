import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { importWorkbook, readWorkbook } from '../../src/index.ts';
import { openTestService, optionsFor } from '../helpers/test-service.ts';
import type { Failure } from '../second-service/knobs.ts';
import { type Cells, openRows, resources, rowsOf, writeRows } from './keyed-rows.ts';

const { events, arrangements } = resources;

/** All that stands in the cells of a result. */
async function cellsOf(file: string): Promise<string> {
  const cells: string[] = [];
  const book = await readWorkbook(file);
  for (const sheet of book.sheets)
    for await (const { cells: ofRow } of sheet.rows) cells.push(...ofRow.map(({ value }) => String(value)));
  return cells.join('\n');
}

/** Imports rows of events, and says what became of each and what was asked for. */
async function open(knobs: Parameters<typeof openRows>[0] = {}) {
  const { service, folder, options } = await openRows(knobs);
  const asked = (): string[] =>
    service.journal.requests
      .map(({ path }) => path)
      .flatMap(
        (path) => /(?:relation\/contact|relation|location|event\/package)\/\d+$/.exec(path)?.[0] ?? [],
      );
  const run = async (rows: readonly Cells[], more: object = {}) => {
    const file = writeRows(`${folder}/rijen.csv`, rows);
    const before = asked().length;
    const done = await importWorkbook(file, { ...options, as: events, ...more });
    const issues = done.rows.flatMap((row) =>
      (row.issues ?? []).map(({ code, cell }) => `${row.row} ${cell} ${code}`),
    );
    return { ...done, issues, asked: asked().slice(before).sort() };
  };
  return { service, folder, options, run, asked };
}

const row = (at: number, more: Cells = {}): Cells => ({
  ExternalID: 900 + at,
  ...rowsOf.events(at),
  ...more,
});

describe('the ids of an event', () => {
  it('are each asked for once while planning, however many rows send them', async () => {
    const { service, run } = await open();
    const rows = [1, 2, 3, 4, 5, 6, 7].map((at) => row(at));
    const { counts, asked, issues } = await run(rows);
    expect({ counts, issues }).toMatchObject({ counts: { created: 7 }, issues: [] });
    expect(asked).toEqual(['location/801', 'relation/4001', 'relation/contact/6001']);
    expect((await run(rows)).asked).toEqual([]);
    const other = rows.map((cells) => ({ ...cells, LocatieID: 802 }));
    // The name of what it was is shown too.
    expect(await run(other)).toMatchObject({
      counts: { updated: 7 },
      asked: ['location/801', 'location/802'],
    });
    expect(service.faults).toEqual([]);
  });

  it.each(['404 json', '404 html', 'null', '[]', '{}'] as const)(
    'are an issue of their cell where the service has no such record and says %s',
    async (missing) => {
      const { run, service } = await open({ answers: { missing } });
      const before = service.events.size;
      const wrong = [
        row(1, { RelatieID: 4444 }),
        row(2, { ContactpersoonID: 6666 }),
        row(3, { LocatieID: 888 }),
        row(4, { FactuurRelatieID: 4445, FactuurContactpersoonID: 6667 }),
        row(5),
      ];
      const { counts, issues } = await run(wrong);
      expect(counts).toMatchObject({ invalid: 4, created: 1 });
      expect(issues).toEqual([
        '2 B2 id-without-record',
        '3 C3 id-without-record',
        '4 D4 id-without-record',
        '5 H5 id-without-record',
        '5 I5 id-without-record',
      ]);
      expect(service.events.size).toBe(before + 1);
    },
  );

  it('are an issue where the service answers success false', async () => {
    const { run, service } = await open();
    service.set({
      failures: {
        choose: ({ path }): Failure | undefined =>
          path.endsWith('relation/4002')
            ? { kind: 'answer', when: 'before', status: 200, body: { success: false } }
            : undefined,
      },
    });
    const { issues } = await run([row(1), row(2, { RelatieID: 4002, ContactpersoonID: 6002 })]);
    expect(issues).toEqual(['3 B3 id-without-record']);
  });

  it.each([
    ['refuses', { kind: 'answer', when: 'before', status: 403, body: { message: 'No rights.' } }],
    ['fails', { kind: 'answer', when: 'before', status: 500, body: { message: 'Oops.' } }],
    [
      'answers another record',
      { kind: 'answer', when: 'before', status: 200, body: { RelatieID: 7, Bedrijfsnaam: 'X' } },
    ],
    ['answers a list of other things', { kind: 'answer', when: 'before', status: 200, body: ['a'] }],
    ['answers a text', { kind: 'answer', when: 'before', status: 200, body: { message: 'Hello.' } }],
  ] as const)('are sent with a note where the endpoint %s', async (_, failure) => {
    const { run, service } = await open();
    service.set({ failures: { choose: ({ path }) => (/relation\/\d+$/.test(path) ? failure : undefined) } });
    const {
      counts,
      issues,
      notes = [],
    } = await run([row(1), row(2, { RelatieID: 4002, ContactpersoonID: 6002 })], { retries: 0 });
    expect({ counts, issues }).toMatchObject({ counts: { created: 2 }, issues: [] });
    expect(notes.join()).toContain('customers could not be looked up');
  });

  it('are sent with a note where the service does not even have those of its own events', async () => {
    const { run, service } = await open();
    service.add.event({ Datum: '2027-05-02', RelatieID: 4002, ExternalID: 77 });
    const none: Failure = { kind: 'answer', when: 'before', status: 404, body: { message: 'No route.' } };
    service.set({ failures: { choose: ({ path }) => (/relation\/\d+$/.test(path) ? none : undefined) } });
    const { counts, asked, notes = [] } = await run([row(1), row(2)]);
    expect(counts).toMatchObject({ created: 2 });
    expect(asked.filter((path) => /^relation\/\d/.test(path))).toHaveLength(2);
    expect(notes.join()).toContain('does not even have those');
  });
});

describe('the contact person of an event', () => {
  it('is a warning where it is of another relation, and an error under strict', async () => {
    const { run } = await open();
    const wrong = [row(1), row(2, { ContactpersoonID: 6002 })];
    expect((await run(wrong, { strict: true })).counts).toMatchObject({ invalid: 1, created: 1 });
    const { issues, rows, counts } = await run(wrong);
    expect(counts).toMatchObject({ created: 1, unchanged: 1 });
    expect(issues).toEqual(['3 C3 record-of-another']);
    expect(rows.find((one) => one.row === 3)?.message).toContain(
      '6002 Sem van Oord is of RelatieID 4002, not of RelatieID 4001 Zalencentrum De Linde',
    );
  });

  it('is told where only the contact changes, by the relation that the event has', async () => {
    const { run } = await open();
    await run([row(1)]);
    expect((await run([{ ExternalID: 901, ContactpersoonID: 6002, Datum: '2027-05-01' }])).issues).toEqual([
      '2 B2 record-of-another',
    ]);
  });

  it('is a warning of the relation where that alone changes, and an error under strict', async () => {
    const { run } = await open();
    await run([row(1)]);
    const moved = [{ ExternalID: 901, RelatieID: 4002, Datum: '2027-05-01' }];
    const strict = await run(moved, { strict: true });
    expect(strict).toMatchObject({ counts: { invalid: 1 }, issues: ['2 B2 record-of-another'] });
    const { counts, issues, rows } = await run(moved);
    expect({ counts, issues }).toMatchObject({ counts: { updated: 1 }, issues: ['2 B2 record-of-another'] });
    expect(rows[0]?.message).toContain('ContactpersoonID stays 6001 Noor Timmers');
  });

  it('goes with the relation that an earlier row gives the event', async () => {
    const { run } = await open();
    await run([row(1)]);
    const both = [
      { ExternalID: 901, RelatieID: 4002, ContactpersoonID: 6002, Datum: '2027-05-01' },
      { ExternalID: 901, ContactpersoonID: 6001, Datum: '2027-05-01', '#action': 'update' },
    ];
    expect((await run(both)).issues).toContain('3 C3 record-of-another');
  });

  it('is no issue where its record does not tell its relation', async () => {
    const { run, service } = await open();
    const silent: Failure = {
      kind: 'answer',
      when: 'before',
      status: 200,
      body: { ContactpersoonID: 6002, Voornaam: 'Sem' },
    };
    service.set({ failures: { choose: ({ path }) => (path.endsWith('contact/6002') ? silent : undefined) } });
    expect(await run([row(1, { ContactpersoonID: 6002 })])).toMatchObject({
      counts: { created: 1 },
      issues: [],
    });
  });
});

it('the names of ids stand beside them in the changes of the result and in the report', async () => {
  const { run, folder } = await open();
  await run([row(1)]);
  const out = `${folder}/uit.xlsx`;
  const report = `${folder}/verslag.html`;
  await run([row(1, { RelatieID: 4002, ContactpersoonID: 6002, LocatieID: 802 }), row(2)], {
    out,
    report,
    dryRun: true,
  });
  const told = await cellsOf(out);
  expect(told).toContain('RelatieID: Zalencentrum De Linde (4001) → Bakkerij Van Oord & Zn. (4002)');
  expect(told).toContain('ContactpersoonID: Noor Timmers (6001) → Sem van Oord (6002)');
  expect(told).toContain('LocatieID: Grote zaal (801) → Tuin (802)');
  // A new record has its values on one line.
  expect(told).toMatch(/RelatieID: Zalencentrum De Linde \(4001\); /);
  expect(readFileSync(report, 'utf8')).toContain('Bakkerij Van Oord &amp; Zn. (4002)');
});

it('the name of an arrangement that an event of the file has is known from its list', async () => {
  const { service, folder, options } = await openRows();
  const ArrangementID = service.add.package({ OmschrijvingIntern: 'Hightea' });
  const [one, two] = [service.add.event(), service.add.event()];
  service.add.link(one, ArrangementID, { Aantal: 4, Datum: '2026-12-18' });
  const file = writeRows(
    `${folder}/rijen.csv`,
    [one, two].map((PartijID) => ({ PartijID, ArrangementID, Aantal: 4, Datum: '2026-12-18' })),
  );
  const out = `${folder}/uit.xlsx`;
  const { counts } = await importWorkbook(file, { ...options, as: arrangements, out, dryRun: true });
  expect(counts).toMatchObject({ unchanged: 1, created: 1 });
  expect(await cellsOf(out)).toContain(`ArrangementID: Hightea (${ArrangementID})`);
  expect(service.journal.requests.map(({ path }) => path).join()).not.toMatch(/event\/package\/\d/);
});

it('the name of an arrangement that is to be linked is asked for once', async () => {
  const service = await openTestService();
  const rows = [9001, 9002, 9003].map((PartijID) => ({
    PartijID,
    ArrangementID: 17,
    Aantal: 4,
    Datum: '2027-01-01',
  }));
  const out = `${service.folder}/uit.xlsx`;
  const file = writeRows(`${service.folder}/rijen.csv`, rows);
  await service.clearLog();
  await importWorkbook(file, { ...optionsFor(service), as: arrangements, out, dryRun: true });
  expect(await cellsOf(out)).toContain('ArrangementID: Drankenpakket 5 uur (17)');
  expect((await service.log()).counts).toMatchObject({ 'arrangements.get': 1 });
});

it('an arrangement that the service does not have is a warning where its read knows others, with --strict an error', async () => {
  const service = await openTestService();
  const [linked] = await service.records('link');
  const cells = { PartijID: Number(linked?.PartijID), Aantal: 4, Datum: '2027-01-01' };
  const plan = async (ids: readonly number[], more: object = {}) => {
    const file = writeRows(
      `${service.folder}/rijen.csv`,
      ids.map((ArrangementID) => ({ ...cells, ArrangementID })),
    );
    const options = { ...optionsFor(service), as: arrangements, dryRun: true, ...more };
    const { counts, rows } = await importWorkbook(file, options);
    return { counts, issues: rows.flatMap(({ issues = [] }) => issues) };
  };
  const unknown = { code: 'id-without-record', field: 'ArrangementID', found: '99999', cell: 'D2' };
  // Alone in its file: one that its event has tells that the read knows any.
  expect(await plan([99_999])).toMatchObject({
    ...{ counts: { created: 1 }, issues: [{ ...unknown, severity: 'warning' }] },
  });
  expect(await plan([99_999, 17])).toMatchObject({ issues: [{ ...unknown, severity: 'warning' }] });
  expect(await plan([99_999, 17], { strict: true })).toMatchObject({
    ...{ counts: { invalid: 1, created: 1 }, issues: [{ ...unknown, severity: 'error' }] },
  });
});

it('an arrangement is no warning where its read knows not even those that events have', async () => {
  const { service, folder, options } = await openRows({
    failures: {
      choose: ({ path }) =>
        /event\/package\/\d+$/.test(path) ? { kind: 'status', status: 404, when: 'before' } : undefined,
    },
  });
  const known = service.add.package();
  const PartijID = service.add.event();
  service.add.link(PartijID, known, { Aantal: 4, Datum: '2026-12-18' });
  const file = writeRows(`${folder}/rijen.csv`, [
    { PartijID, ArrangementID: service.add.package(), Aantal: 4, Datum: '2026-12-18' },
  ]);
  const { counts, rows } = await importWorkbook(file, { ...options, as: arrangements, strict: true });
  expect({ counts, issues: rows.flatMap(({ issues = [] }) => issues) }).toMatchObject({
    ...{ counts: { created: 1 }, issues: [] },
  });
});

it.each([
  ['events', { Datum: '2027-05-01', AantalGasten: 4 }],
  ['recipes', { OmschrijvingIntern: 'Soep' }],
] as const)(
  'a row of %s with an ExternalID that is not found, and too few columns to make it, says first that it was not found',
  async (as, cells) => {
    const { folder, options } = await openRows();
    const file = writeRows(`${folder}/rijen.csv`, [{ ExternalID: 79_999, ...cells }]);
    const done = importWorkbook(file, { ...options, as: resources[as] });
    await expect(done).rejects.toThrow(
      /holds no row that can be sent. rijen: column \w+ is missing \(\w+: ExternalID 79999 was not found on the service, so it would be new; to create it: add the column\)/,
    );
  },
);

it('the contacts of the sandbox’s events belong to their relations, also on the invoice', async () => {
  const service = await openTestService();
  for (const { RelatieID, ContactpersoonID } of await service.records('event')) {
    const contact = await service.request('GET', `api/v1/relation/contact/${String(ContactpersoonID)}`);
    expect(contact).toMatchObject({ RelatieID });
  }
});
