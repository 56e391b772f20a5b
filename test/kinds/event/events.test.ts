import { describe, expect, test } from 'vitest';
import { monthsAround, runsOf } from '../../../src/kinds/day-source.ts';
import { daysOf } from '../../../src/records/listing.ts';
import type { KnobChanges } from '../../second-service/knobs.ts';
import { ends, openKind, type Row } from '../open-kind.ts';

const LIST = /event\/all$/;

/** A whole row of an event; `more` cells in place of some. */
const event = (at: number, more: Row = {}): Row => ({
  ...{ ExternalID: 900 + at, PartijOmschrijving: `Lunch ${at}`, RelatieID: 4001, ContactpersoonID: 6001 },
  ...{ Datum: `2027-05-0${at}`, Starttijd: '12:00', Eindtijd: '17:30', AantalGasten: 20 + at },
  ...more,
});

function openEvents(knobs: KnobChanges = {}) {
  const kind = openKind('events', knobs);
  const { service, send } = kind;
  const before = service.events.size;
  let ledgers = 0;
  return {
    ...kind,
    made: () => service.events.size - before,
    /** With a ledger that knows nothing. */
    sendAnew: (rows: readonly Row[]) => send(rows, { ledger: `${kind.folder}/${++ledgers}.db` }),
    refuseAllDays: (of = LIST) =>
      service.set({
        failures: {
          choose: ({ body, path }) =>
            of.test(path) && JSON.stringify(body).includes('1970')
              ? { kind: 'answer', when: 'before', status: 422, body: { message: 'Te lang.' } }
              : undefined,
        },
      }),
  };
}

describe('a row of an event', () => {
  test('is made with what a create takes and completed by an update, then gets what differs and nothing else', async () => {
    const { send, service, made } = openEvents();
    expect(ends(await send([event(1), event(2)]))).toEqual(['created', 'created']);
    const now: Row[] = [
      event(1),
      { ...event(2), PartijOmschrijving: '#CLEAR', AantalGasten: 99 },
      { ...event(3), '#action': 'create' },
    ];
    const { length } = service.journal.writes;
    expect(ends(await send(now))).toEqual([...['unchanged', 'updated', 'created']]);
    expect(service.journal.writes.slice(length)[0]?.body).toEqual({
      PartijID: service.events.where({ ExternalID: 902 })[0]?.PartijID,
      ...{ PartijOmschrijving: null, AantalGasten: 99 },
    });
    expect([made(), service.journal.doubled()]).toEqual([3, []]);
  });

  test('says on its cell what is missing, what only a create takes, and that no event is deleted', async () => {
    const { send, service } = openEvents();
    const [PartijID, other] = [service.add.event(), service.add.event()];
    const rows = [
      event(1, { Eindtijd: null }),
      { PartijID, BronWaardeID: 521 },
      { PartijID: other, '#action': 'delete' },
    ];
    expect(ends(await send(rows, { allowDelete: true }))).toEqual([
      'invalid Eindtijd required-missing',
      'unchanged BronWaardeID create-only',
      'invalid #action action-not-possible',
    ]);
    expect(ends(await send([{ PartijID, BronWaardeID: 522 }], { strict: true }))).toEqual([
      'invalid BronWaardeID create-only',
    ]);
  });

  test('is a conflict where somebody changed its event after the plan was made', async () => {
    const { send, plan, apply, service } = openEvents();
    await send([event(1), event(2)]);
    const { run } = await plan([event(1, { AantalGasten: 5 }), event(2, { AantalGasten: 5 })]);
    const id = Number(service.events.where({ ExternalID: 901 })[0]?.PartijID);
    service.other.change('event', id, { AantalGasten: 250 });
    expect(ends(await apply(run))).toEqual(['conflict AantalGasten changed-meanwhile', 'updated']);
    expect(service.events.get(id)?.AantalGasten).toBe(250);
  });

  test('without a key is completed by the next import where its update was refused, and made once', async () => {
    const { send, service, made } = openEvents();
    const row = event(1, { ExternalID: null, '#action': 'create' });
    service.failNext(
      { kind: 'status', status: 422, when: 'before' },
      ({ method, path }) => method === 'POST' && path.endsWith('/event'),
    );
    const first = await send([row]);
    const second = await send([row]);
    expect([ends(first), ends(second), ends(await send([row]))]).toEqual([
      ['failed'],
      ['updated'],
      ['unchanged'],
    ]);
    expect(made()).toBe(1);
  });

  test.each(['created', 'updated', 'never'] as const)(
    'makes one event where ExternalID is kept by what is %s, also when the ledger is all that knows',
    async (externalId) => {
      const { send, made, service } = openEvents({ values: { externalId } });
      const rows = [event(1), event(2)];
      await send(rows);
      expect(ends(await send(rows))).toEqual(['unchanged', 'unchanged']);
      const PartijID = service.add.event();
      const given = [{ PartijID, ExternalID: 990, AantalGasten: 21 }];
      await send(given);
      expect(ends(await send(given))).toEqual(['unchanged']);
      expect(made()).toBe(3);
    },
  );
});

describe('an event that a row names by its ExternalID is found and not made again', () => {
  test('and where two of other days have it, it is a conflict that names both, each time', async () => {
    const { send, service } = openEvents();
    const ids = ['2026-03-01 00:00:00', '2028-09-01 00:00:00'].map((Datum) =>
      service.add.event({ ExternalID: 777, Datum }),
    );
    service.add.event({ ExternalID: 778, Datum: '2028-09-02 00:00:00' });
    const { length } = service.journal.writes;
    for (const ExternalID of [778, 777, 777]) {
      const { rows } = await send([
        { ExternalID, AantalGasten: 9 },
        { ExternalID: 777, AantalGasten: 9 },
      ]);
      expect(rows.at(-1)).toMatchObject({
        ...{ status: 'conflict', message: expect.stringContaining(`PartijID ${ids.join(', ')}`) },
      });
    }
    expect(
      service.journal.writes.slice(length).every(({ body }) => !ids.includes(Number(Object(body).PartijID))),
    ).toBe(true);
  });

  const far = { Datum: '2028-11-20', Starttijd: '12:00', Eindtijd: '17:30' };

  test.each<[string, KnobChanges, Row]>([
    ['around its day, in a list that answers a single record', { answers: { lists: 'single when one' } }, {}],
    ['far from its day', {}, far],
    ['in a list of another shape', { answers: { lists: 'data' } }, { Datum: '2027-05-28' }],
  ])('%s, also by a ledger that knows nothing', async (_, knobs, day) => {
    const { sendAnew, made, service } = openEvents(knobs);
    const id = service.add.event({ ExternalID: 901, ...day });
    const { rows } = await sendAnew([event(1)]);
    expect(rows).toMatchObject([{ status: 'updated', id }]);
    const dayless = [901, 999].map((ExternalID) => ({ ExternalID, AantalGasten: 33 }));
    expect((await sendAnew(dayless)).rows).toMatchObject([{ status: 'updated', id }, { status: 'invalid' }]);
    expect(made()).toBe(1);
  });

  test('also where its number went to another event since the ledger made it; where two have it, that is a conflict', async () => {
    const { send, sendAnew, service } = openEvents();
    await send([event(1)]);
    const old = Number(service.events.where({ ExternalID: 901 })[0]?.PartijID);
    service.other.change('event', old, { ExternalID: 801 });
    const id = service.add.event({ ...far, ExternalID: 901 });
    expect((await send([event(1, { AantalGasten: 9 })])).rows).toMatchObject([{ status: 'updated', id }]);
    service.add.event({ ...event(1), Datum: '2027-05-02' });
    expect((await sendAnew([event(1, { AantalGasten: 8 })])).rows).toMatchObject([{ status: 'conflict' }]);
  });

  test('also among what was written at any time where the list of all days is refused, and a row without a day is not made', async () => {
    const { service, sendAnew, refuseAllDays, made } = openEvents();
    const id = service.add.event({ ...event(1), Datum: '2031-05-01' });
    refuseAllDays();
    const done = await sendAnew([event(1, { AantalGasten: 9 }), { ExternalID: 990, AantalGasten: 3 }]);
    expect(ends(done)).toEqual(['updated', expect.stringMatching(/^invalid .*Datum required-missing/)]);
    expect([done.rows[0]?.id, made()]).toEqual([id, 1]);
    refuseAllDays(/event\/all/);
    await expect(sendAnew([event(2)])).rejects.toMatchObject({ exit: 4 });
  });

  test.each([{ success: false }, { message: 'even niet' }])(
    'and %j for a list stops the plan',
    async (body) => {
      const { send, service, made } = openEvents();
      service.set({
        failures: {
          choose: ({ path }) =>
            LIST.test(path) ? { kind: 'answer', when: 'before', status: 200, body } : undefined,
        },
      });
      await expect(send([event(1)])).rejects.toMatchObject({ exit: 4 });
      expect(made()).toBe(0);
    },
  );
});

test('many events of a month are found by a handful of lists, and need one of them the second time', async () => {
  const { send, asked, service } = openEvents();
  const rows = Array.from({ length: 60 }, (_, at) => event(1 + (at % 9), { ExternalID: 900 + at }));
  await send(rows);
  asked();
  expect(ends(await send(rows))).toEqual(rows.map(() => 'unchanged'));
  expect(service.journal.requests.map(({ path }) => LIST.test(path))).toEqual([true]);
});

test('months are read in one go where they follow one another, half a year at most', () => {
  expect(monthsAround('2027-12-31', 1)).toEqual(['2027-12', '2028-01']);
  expect(monthsAround('morgen', 31)).toEqual([]);
  expect(runsOf(['2027-12', '2028-01', '2027-11', '2028-03', '2028-01']).map(daysOf)).toEqual([
    { from: '2027-11-01', to: '2028-01-31' },
    { from: '2028-03-01', to: '2028-03-31' },
  ]);
  const year = Array.from({ length: 12 }, (_, month) => `2028-${String(month + 1).padStart(2, '0')}`);
  expect(runsOf(year)).toHaveLength(2);
});
