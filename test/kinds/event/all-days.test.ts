import { expect, it } from 'vitest';
import { importWorkbook, refreshEvents } from '../../../src/index.ts';
import { serviceOnly } from '../../helpers/service-options.ts';
import { type Cells, openRows, resources, rowsOf, writeRows } from '../../records/keyed-rows.ts';
import type { SecondService } from '../../second-service/second-service.ts';

const { events } = resources;

/** Imports rows of events with a ledger of this name. */
async function open() {
  const { service, folder, options } = await openRows();
  const run = async (rows: readonly Cells[], ledger: string, more: object = {}) => {
    const before = service.journal.requests.length;
    const file = writeRows(`${folder}/rijen.csv`, rows);
    const done = await importWorkbook(file, {
      ...options,
      as: events,
      ledger: `${folder}/${ledger}.db`,
      ...more,
    });
    const lists = service.journal.requests
      .slice(before)
      .filter(({ path }) => path.endsWith('event/all'))
      .map(({ body }) => body as { DatumVan: string; DatumTot: string });
    const wide = lists.filter(({ DatumVan, DatumTot }) => DatumVan < '2000' && DatumTot > '2060').length;
    return { ...done, wide };
  };
  return { service, run, folder, options };
}

const refuseAllDays = (service: SecondService): void =>
  service.set({
    failures: {
      choose: ({ body, path }) =>
        path.endsWith('event/all') && JSON.stringify(body ?? '').includes('1970')
          ? { kind: 'answer', when: 'before', status: 422, body: { message: 'Te lang.' } }
          : undefined,
    },
  });

const row = (at: number, more: Cells = {}): Cells => ({
  ExternalID: 900 + at,
  ...rowsOf.events(at),
  ...more,
});

it('an event that moved three months is found where the ledger is gone, and not made anew', async () => {
  const { service, run } = await open();
  await run([row(1), row(2)], 'first');
  const size = service.events.size;
  const id = service.events.all().find(({ ExternalID }) => ExternalID === 901)?.PartijID;
  service.other.change('event', Number(id), { Datum: '2027-08-20' });
  const again = await run([row(1), row(2), row(3)], 'second');
  expect(again.counts).toMatchObject({ created: 1, updated: 2 });
  expect(again.wide).toBe(1);
  expect(service.events.size).toBe(size + 1);
  expect(service.events.get(Number(id))?.Datum).toContain('2027-05-01');
});

it('the list of all days is read once by a run, and not where the rows’ events are known', async () => {
  const { service, run } = await open();
  expect((await run([row(1)], 'first')).wide).toBe(1);
  expect((await run([row(1)], 'first')).wide).toBe(0);
  expect((await run([row(2), row(5)], 'first')).wide).toBe(1);
  // It knows from then on what was there, also of events that no row named.
  const other = service.add.event({ ExternalID: 950, Datum: '2028-11-20' });
  expect((await run([row(3)], 'second')).wide).toBe(1);
  expect((await run([row(4, { ExternalID: 950 })], 'second')).counts).toMatchObject({
    created: 0,
    updated: 1,
  });
  expect(service.events.get(other)?.Datum).toContain('2027-05-04');
  expect((await run([row(1)], 'third')).wide).toBe(0);
});

it('a note says that events are looked for around their days only, where the list of all days is refused', async () => {
  const { service, run } = await open();
  refuseAllDays(service);
  const { counts, notes = [] } = await run([row(1)], 'first');
  expect(counts).toMatchObject({ created: 1 });
  expect(notes.join()).toContain('looked for around their days only');
});

it.each(['first', 'second'])(
  'an event that a row names by its ExternalID alone is found: %s ledger',
  async (ledger) => {
    const { service, run } = await open();
    await run([row(1)], 'first');
    const id = service.events.all().find(({ ExternalID }) => ExternalID === 901)?.PartijID;
    const lines: Cells[] = [
      row(2),
      { ExternalID: 901, AantalGasten: 110 },
      { ExternalID: 990, AantalGasten: 3 },
    ];
    const done = await run(lines, ledger);
    expect(done.rows).toMatchObject([
      { status: 'created' },
      { status: 'updated', id },
      { status: 'invalid' },
    ]);
    expect(done.wide).toBe(1);
  },
);

it.each([undefined, '2027-05-01'])(
  'an event whose number another took over since this ledger made it is not taken for that, nor made anew: day %s',
  async (day) => {
    const { service, run } = await open();
    await run([row(1)], 'first');
    const old = Number(service.events.all().find(({ ExternalID }) => ExternalID === 901)?.PartijID);
    service.other.change('event', old, { ExternalID: 801 });
    const id = service.add.event({ ...rowsOf.events(1), ExternalID: 901, Datum: '2028-03-03' });
    const lines: Cells[] = [day === undefined ? { ExternalID: 901, AantalGasten: 110 } : row(1)];
    expect((await run(lines, 'first')).rows).toMatchObject([{ status: 'updated', id }]);
  },
);

it('a row without a day asks for one where the list of all days can’t be read, on each sheet that names events', async () => {
  const { service, run, folder, options } = await open();
  refuseAllDays(service);
  const { rows } = await run([{ ExternalID: 7001, AantalGasten: 3, Datum: '' }], 'first');
  expect(rows[0]?.issues?.map(({ code }) => code)).toEqual(['day-missing']);
  const links = writeRows(`${folder}/koppelingen.csv`, [
    { 'Event.ExternalID': 7001, ArrangementID: 1, Aantal: 3 },
  ]);
  const linked = await importWorkbook(links, { ...options, as: resources.arrangements });
  expect(linked.rows[0]?.issues?.map(({ code }) => code)).toEqual(['day-missing']);
  const refreshes = writeRows(`${folder}/verversen.csv`, [{ 'Event.ExternalID': 7001 }]);
  const refreshed = await refreshEvents(refreshes, serviceOnly(options));
  expect(refreshed.rows[0]?.issues?.map(({ code }) => code)).toEqual(['day-missing']);
});

it('an event on 31-12-9999 is found around that day, and among what was written since the plan', async () => {
  const { service, run } = await open();
  const far = row(1, { Datum: '31-12-9999', Starttijd: '12:00', Eindtijd: '14:00' });
  // Events of this month are there: what was written since their newest LMT is asked for.
  const near = row(2, { Datum: '2027-01-09', Starttijd: '12:00', Eindtijd: '14:00' });
  service.failNext({ kind: 'reset', when: 'after' });
  expect((await run([far, near], 'first')).counts).toMatchObject({ created: 2 });
  expect((await run([far, near], 'second')).counts).toMatchObject({ created: 0, updated: 2 });
  const asked = service.journal.requests.filter(({ path }) => path.endsWith('allByLMT'));
  expect(asked.length).toBeGreaterThan(0);
  for (const { body } of asked)
    expect(body).toMatchObject({ DatumVan: '1970-01-01', DatumTot: '9999-12-31' });
});

it.each([
  ['few events are read anew', 1, 1],
  ['of many events what was written since is read', 600, 0],
] as const)(
  'an event that somebody made far from the day of its row, after this ledger read all days, is found: %s',
  async (_, count, wide) => {
    const { service, run } = await open();
    for (let at = 0; at < count; at++) service.add.event({ Datum: '2026-02-01' });
    await run([row(1)], 'first');
    const id = service.other.create('event', {
      ...rowsOf.events(2),
      ExternalID: 902,
      Datum: '2027-12-18 00:00:00',
    });
    const size = service.events.size;
    const done = await run([row(2)], 'first');
    expect(done.rows).toMatchObject([{ status: 'updated', id }]);
    expect(done.wide).toBe(wide);
    expect(service.events.size).toBe(size);
  },
);
