import { expect, test } from 'vitest';
import { ends, openKind, type Row } from '../open-kind.ts';

const DAY = '2026-10-02';

/** Six trips on a day, and rows about them. */
function openTrips() {
  const kind = openKind('trips');
  const { service } = kind;
  const trips = Array.from({ length: 6 }, () => service.add.trip({ Datum: DAY, Chauffeur: 'Joost' }));
  return {
    ...kind,
    trips,
    row: (at: number, more: Row): Row => ({ RitID: trips[at] ?? null, Datum: DAY, ...more }),
    held: (at: number) => service.trips.get(trips[at] ?? 0),
  };
}

test('a sheet of trips sends what differs and nothing the second time, by one list of its days', async () => {
  const { send, row, service, trips, held, asked } = openTrips();
  const rows = [
    row(0, { Chauffeur: '#CLEAR', RetourRit: 'nee' }),
    row(1, { TypeVoertuigID: 'koelwagen', SubtypeRitID: 9602 }),
    ...[2, 3, 4, 5].map((at) => row(at, { Chauffeur: 'Joost' })),
  ];
  expect(ends(await send(rows)).toSorted()).toEqual([...Array(4).fill('unchanged'), 'updated', 'updated']);
  expect([held(0)?.Chauffeur, held(1)?.TypeVoertuigID, held(2)?.Chauffeur]).toEqual([null, 9702, 'Joost']);
  for (const { body } of service.journal.of('trip.update'))
    expect(Object.keys(body as object)).not.toContain('Datum');
  asked();
  expect(ends(await send(rows))).toEqual(trips.map(() => 'unchanged'));
  expect(asked()).toBeLessThanOrEqual(2);
});

test('trips are found also where the rows name no day, or their trips moved to another', async () => {
  const { send, row, service, trips } = openTrips();
  service.other.change('trip', trips[1] ?? 0, { Datum: '2026-12-31' });
  const rows = [0, 1].map((at) => row(at, { Chauffeur: 'W. Bos' }));
  expect(ends(await send(rows, { dryRun: true }))).toEqual(['update', 'update Datum cell-not-sent']);
  const dayless = trips.map((RitID) => ({ RitID, Chauffeur: 'W. Bos' }));
  expect(ends(await send(dayless))).toEqual(trips.map(() => 'updated'));
});

test('a trip is never made, and deleted only with leave, after which it is gone', async () => {
  const { send, row, service, trips, held } = openTrips();
  service.other.remove('trip', trips[3] ?? 0);
  const rows = [
    row(0, { RitID: null, Chauffeur: 'W. Bos' }),
    row(1, { RitID: null, '#action': 'create', Chauffeur: 'W. Bos' }),
    row(2, { RitID: 7, Chauffeur: 'W. Bos' }),
    row(3, { Chauffeur: 'W. Bos' }),
    row(4, { '#action': 'delete' }),
  ];
  expect(ends(await send(rows))).toEqual([
    'invalid RitID key-missing',
    'invalid #action action-not-possible',
    'invalid RitID record-missing',
    'invalid RitID record-missing',
    'invalid #action delete-not-allowed',
  ]);
  const mixed = [row(4, { Chauffeur: 'W. Bos' }), row(4, { '#action': 'delete' })];
  expect(ends(await send(mixed, { allowDelete: true }))).toEqual(
    Array(2).fill('invalid RitID created-twice'),
  );
  const done = await send(mixed.slice(1), { allowDelete: true });
  expect(done.rows.map(({ status }) => status)).toEqual(['deleted']);
  const again = await send([row(4, { '#action': 'delete' })], { allowDelete: true });
  expect(again.rows[0]).toMatchObject({
    ...{ status: 'unchanged', message: 'already gone' },
  });
  expect(held(4)).toBeUndefined();
});

test('a trip that someone changed or deleted after the plan is a conflict that says so', async () => {
  const { plan, apply, row, service, trips, held } = openTrips();
  service.set({ values: { deletes: 'flagged' } });
  const { run } = await plan([0, 1, 2].map((at) => row(at, { Chauffeur: 'W. Bos' })));
  service.other.change('trip', trips[0] ?? 0, { Chauffeur: 'Van een ander' });
  service.other.remove('trip', trips[1] ?? 0);
  const { rows } = await apply(run);
  expect(rows.map(({ status }) => status)).toEqual(['conflict', 'conflict', 'updated']);
  expect(rows[0]?.message).toMatch(/W\. Bos.*is now Van een ander\./);
  expect(rows[1]?.message).toContain('no longer');
  expect(held(0)?.Chauffeur).toBe('Van een ander');
});

test('what only the list of all trips shows is looked for there, also where others were found by their days', async () => {
  const { send, row, service, held } = openTrips();
  const others = Array.from({ length: 500 }, () => service.add.trip({ Datum: DAY, Chauffeur: 'Joost' }));
  const first = others.map((RitID): Row => ({ RitID, Datum: DAY, Chauffeur: 'Joost', SubtypeRitID: null }));
  let isLost = false;
  service.set({
    failures: {
      choose: ({ endpoint }) => {
        if (endpoint !== 'trip.update' || isLost) return undefined;
        isLost = true;
        return { kind: 'reset', when: 'after' };
      },
    },
  });
  const done = await send([...first, row(0, { SubtypeRitID: 9602 })], { retries: 0 });
  expect(ends(done).at(-1)).toBe('updated');
  expect([held(0)?.SubtypeRitID, service.journal.of('trip.update').length]).toEqual([9602, 1]);
});
