import { expect, test } from 'vitest';
import { type Backend, outcomeOf, plannedRow, RUN, SERVICE, started } from './fixtures.ts';

/** Places of their own: what is remembered at one is not known at another. */
type Place = readonly [service: string, resource: string];
const PLACES = [
  [SERVICE, 'packages'],
  [SERVICE, 'recipes'],
  ['https://proef.example/', 'packages'],
] as const satisfies readonly Place[];
const [HERE] = PLACES;

/** What a ledger remembers of the service's records. */
export function describeRecords(backend: () => Backend): void {
  test('what is remembered is found by service, resource, kind and key, the last word on each, until it is forgotten', async () => {
    const ledger = await backend().open();
    const conflict = (key: string, run: string) => ({
      ...{ key, run, lmt: '2027-04-01 08:00:00' },
      fields: {
        Verkoopprijs: { from: 12.5, to: 13 },
        Offertetekst: { from: null, to: 'à la carte ’t "x"\n' },
      },
    });
    const say = (place: Place, key: string, run: string) =>
      ledger.remember(...place, 'conflict', key, conflict(key, run));
    const write = { key: 'id:7', run: 'r1', seq: 3, at: '2027-04-01T08:00:00.123Z' };
    await ledger.remember(...HERE, 'unsettled', 'id:7', write);
    for (const run of ['r1', 'r2']) await say(HERE, 'id:7', run);
    await say(HERE, 'id:8', 'r2');
    await say(PLACES[2], 'id:7', 'r3');
    const found = async (keys?: readonly string[]) =>
      await Promise.all(
        PLACES.map(async (place: Place) => [...(await ledger.recall(...place, 'conflict', keys))]),
      );
    const [seven, eight] = [
      ['id:7', conflict('id:7', 'r2')],
      ['id:8', conflict('id:8', 'r2')],
    ];
    const others = [[], [['id:7', conflict('id:7', 'r3')]]];
    expect(await found()).toStrictEqual([[seven, eight], ...others]);
    expect(await found(['id:7', 'id:9'])).toStrictEqual([[seven], ...others]);
    expect(await found([])).toStrictEqual([[], [], []]);
    await ledger.remember(...HERE, 'conflict', 'id:7', null);
    expect(await found()).toStrictEqual([[eight], ...others]);
    expect(await ledger.recall(...HERE, 'unsettled')).toStrictEqual(new Map([['id:7', write]]));
  });

  test('the row that wrote a record last is found with whether all of it went through, and by when it was', async () => {
    const ledger = await started(backend());
    const rows = [plannedRow(0), plannedRow(1)];
    await ledger.savePlan(RUN, rows);
    const say = (key: string, seq: number, at: string | null, run = RUN) =>
      ledger.remember(...HERE, 'write', key, { run, seq, at });
    const [ten, eleven] = ['2026-11-22T10:00:00.000Z', '2026-11-22T11:00:00.000Z'] as const;
    await say('id:7', 0, eleven);
    await say('id:7', 1, ten);
    await say('id:8', 1, eleven);
    await say('id:9', 1, null, 'gone');
    const found = async (place: Place = HERE, since?: string) => [
      ...(await ledger.findWrites(...place, ['id:7', 'id:9'], since)),
    ];
    for (const [status, done] of [
      ['unknown', false],
      ['created', true],
    ] as const) {
      await ledger.saveRow(RUN, 1, { outcome: outcomeOf(1, { status }) });
      expect(await found()).toStrictEqual([['id:7', { ...rows[1], run: RUN, done }]]);
    }
    expect([await found(HERE, eleven), await found(PLACES[1]), await found(PLACES[2])]).toEqual([[], [], []]);
  });

  test('the row that wrote a record last is found whatever its outcome says, of which half characters are no text', async () => {
    const ledger = await started(backend());
    await ledger.savePlan(RUN, [plannedRow(0)]);
    await ledger.remember(...HERE, 'write', 'id:7', { run: RUN, seq: 0, at: null });
    const said = 'C:\\u0000 \\ud83d 😀 "';
    const message = { en: `${said}\0`, nl: `${said}\ud83d` };
    await ledger.saveRow(RUN, 0, { outcome: outcomeOf(0, { status: 'created', message }) });
    const found = await ledger.findWrites(...HERE, ['id:7']);
    expect(found.get('id:7')).toMatchObject({ run: RUN, seq: 0, done: true });
    const [row] = await ledger.readRows(RUN, { after: -1, limit: 1 });
    expect(row?.outcome?.message?.en.startsWith(said)).toBe(true);
    const pruning = { at: '2028-12-01 00:00:00', since: '2028-01-01 00:00:00', posted: [] };
    await ledger.updateRun(RUN, { state: 'done' });
    const pruned = await ledger.pruneRuns([RUN], { ...pruning, updated: new Set([RUN]) });
    expect(pruned.get(RUN)).toEqual({ removed: 0, kept: 1 });
  });

  test('keys are exact, in their own place, thousands at once, the last one said, with the label that came last', async () => {
    const ledger = await backend().open();
    const numbers = [Number.MAX_SAFE_INTEGER, 2 ** 32 + 1, 0, -7];
    const pairs = [...numbers, ...Array.from({ length: 2_000 }, (_, at) => at + 1)].map((external) => ({
      ...{ external, id: external, label: 'Lunch “à part”' },
    }));
    await ledger.rememberKeys(...HERE, pairs);
    await ledger.rememberKeys(...HERE, []);
    await ledger.rememberKeys(...PLACES[1], [{ external: 1, id: 7001 }]);
    const externals = pairs.map(({ external }) => external);
    expect(await ledger.findKeys(...HERE, [...externals, 1e9])).toStrictEqual(
      new Map(pairs.map((known) => [known.external, known])),
    );
    expect(await ledger.findKnownIds(...HERE, numbers)).toEqual(new Set(numbers));
    expect(await ledger.findKeys(...HERE, [])).toEqual(new Map());
    for (const [said, label] of [
      [{ id: 11 }, 'Lunch “à part”'],
      [{ id: 12, label: null }, 'Lunch “à part”'],
      [{ id: 13, label: '' }, ''],
    ] as const) {
      await ledger.rememberKeys(...HERE, [{ external: 1, ...said }]);
      expect((await ledger.findKeys(...HERE, [1])).get(1)).toStrictEqual({ external: 1, id: said.id, label });
    }
    expect((await ledger.findKeys(...PLACES[1], [1])).get(1)).toStrictEqual({
      external: 1,
      id: 7001,
      label: null,
    });
    expect(await ledger.findKeys(...PLACES[2], [1])).toEqual(new Map());
  });

  test('known ids are those that keys stand for now and those that postings made', async () => {
    const ledger = await started(backend());
    const posting = { run: 'een', seq: 0, state: 'sending', at: '2027-04-28 11:30:00', id: null } as const;
    for (const id of [5000, 5001]) await ledger.rememberKeys(...HERE, [{ external: 1, id }]);
    for (const [fingerprint, id, done] of [
      ['a', 5002, true],
      ['b', null, false],
    ] as const) {
      await ledger.claimPosting(...HERE, { ...posting, fingerprint });
      await ledger.settlePosting(...HERE, fingerprint, done ? { state: 'done', id } : null);
    }
    const known = await Promise.all(
      PLACES.map((place: Place) => ledger.findKnownIds(...place, [5000, 5001, 5002, 5003])),
    );
    expect(known.map((ids) => [...ids].toSorted())).toEqual([[5001, 5002], [], []]);
  });

  test('facts are remembered in their own place, each as one, the last word of it', async () => {
    const ledger = await backend().open();
    for (const [at, [service, name]] of PLACES.entries()) {
      await ledger.rememberFact(service, name, 'eerst');
      await ledger.rememberFact(service, name, at === 0 ? '' : `Crème ’t "x"\n${at}`);
    }
    for (const [at, [service, name]] of PLACES.entries())
      expect(await ledger.findFact(service, name)).toBe(at === 0 ? '' : `Crème ’t "x"\n${at}`);
    expect(await ledger.findFact(SERVICE, 'zone')).toBeUndefined();
  });
}
