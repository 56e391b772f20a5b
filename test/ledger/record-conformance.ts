import { describe, expect, test } from 'vitest';
import type { KnownRecord } from '../../src/ledger/ledger.ts';
import { type Backend, outcomeOf, plannedRow, RUN, SERVICE, started } from './fixtures.ts';

const TRIAL = 'https://proef.example/';

const records = (ids: readonly (readonly [number, number])[]): Map<number, KnownRecord> =>
  new Map(ids.map(([external, id]) => [external, { id, label: null }]));

/** What a ledger remembers of the service's records. */
export function describeRecords(backend: () => Backend): void {
  test('open conflicts are remembered by service, resource and record, the last one of each, until they are forgotten', async () => {
    const ledger = await backend().open();
    const fields = { Verkoopprijs: { from: 12.5, to: 13 }, Offertetekst: { from: null, to: 'à la carte' } };
    const one = { key: 'id:7', run: 'r1', lmt: '2027-04-01 08:00:00', fields };
    const other = { key: 'id:8', run: 'r1', lmt: null, fields: {} };
    await ledger.rememberConflict(SERVICE, 'packages', { ...one, run: 'r0', fields: {} });
    for (const conflict of [one, other]) await ledger.rememberConflict(SERVICE, 'packages', conflict);
    await ledger.rememberConflict(TRIAL, 'packages', { ...one, lmt: null });
    expect(await ledger.findConflicts(SERVICE, 'packages')).toStrictEqual([one, other]);
    expect(await ledger.findConflicts(SERVICE, 'recipes')).toStrictEqual([]);
    await ledger.forgetConflict(SERVICE, 'packages', 'id:7');
    expect(await ledger.findConflicts(SERVICE, 'packages')).toStrictEqual([other]);
    expect(await ledger.findConflicts(TRIAL, 'packages')).toStrictEqual([{ ...one, lmt: null }]);
  });

  test('creates that were sent again are remembered by service, resource, name and run, the last word on each', async () => {
    const ledger = await backend().open();
    const body = { OmschrijvingIntern: 'Crème "à part" ’t', Verkoopprijs: 12.5, Actief: true, Volume: null };
    const one = { fingerprint: 'external:31001', run: 'r1', body, late: [] };
    const other = { ...one, run: 'r2', body: {}, late: [7] };
    for (const resend of [one, other]) await ledger.rememberResend(SERVICE, 'packages', resend);
    await ledger.rememberResend(TRIAL, 'packages', { ...one, late: [1] });
    expect(await ledger.findResends(SERVICE, 'packages')).toStrictEqual([one, other]);
    await ledger.rememberResend(SERVICE, 'packages', { ...one, late: [7, 8] });
    expect(await ledger.findResends(SERVICE, 'packages')).toStrictEqual([{ ...one, late: [7, 8] }, other]);
    expect(await ledger.findResends(SERVICE, 'recipes')).toStrictEqual([]);
    expect(await ledger.findResends(TRIAL, 'packages')).toStrictEqual([{ ...one, late: [1] }]);
  });

  test('writes that may still arrive are remembered by service, resource and record, the last one of each, until they are forgotten', async () => {
    const ledger = await backend().open();
    const one = { key: 'id:7', run: 'r1', seq: 3, at: '2027-04-01T08:00:00.123Z' };
    const other = { ...one, key: 'id:8', seq: 4 };
    await ledger.rememberUnsettled(SERVICE, 'packages', { ...one, run: 'r0', seq: 1 });
    for (const write of [one, other]) await ledger.rememberUnsettled(SERVICE, 'packages', write);
    await ledger.rememberUnsettled(TRIAL, 'packages', one);
    expect(await ledger.findUnsettled(SERVICE, 'packages')).toStrictEqual([one, other]);
    expect(await ledger.findUnsettled(SERVICE, 'recipes')).toStrictEqual([]);
    await ledger.forgetUnsettled(SERVICE, 'packages', 'id:7');
    expect(await ledger.findUnsettled(SERVICE, 'packages')).toStrictEqual([other]);
    expect(await ledger.findUnsettled(TRIAL, 'packages')).toStrictEqual([one]);
  });

  test('the row that wrote a record last is found by service, resource and record, with whether all of it went through', async () => {
    const ledger = await started(backend());
    const rows = [0, 1].map((seq) => plannedRow(seq));
    await ledger.savePlan(RUN, rows);
    await ledger.rememberWrite(SERVICE, 'packages', { key: 'id:7', run: RUN, seq: 0, at: null });
    await ledger.rememberWrite(SERVICE, 'packages', { key: 'id:7', run: RUN, seq: 1, at: null });
    await ledger.rememberWrite(SERVICE, 'packages', { key: 'id:8', run: 'gone', seq: 1, at: null });
    const find = async (service: string, resource: string) => [
      ...(await ledger.findWrites(service, resource, ['id:7', 'id:8', 'id:9'])),
    ];
    const found = (done: boolean) => [['id:7', { ...rows[1], run: RUN, done }]];
    expect(await find(SERVICE, 'packages')).toStrictEqual(found(false));
    await ledger.saveOutcomes(RUN, [outcomeOf(1, { status: 'unknown' })]);
    expect(await find(SERVICE, 'packages')).toStrictEqual(found(false));
    await ledger.saveOutcomes(RUN, [outcomeOf(1, { status: 'created' })]);
    expect(await find(SERVICE, 'packages')).toStrictEqual(found(true));
    expect(await find(TRIAL, 'packages')).toStrictEqual([]);
    expect(await find(SERVICE, 'recipes')).toStrictEqual([]);
    const writers = async (resource: string) => [
      ...(await ledger.findWriters(SERVICE, resource, ['id:7', 'id:9'])),
    ];
    expect(await writers('recipes')).toStrictEqual([]);
    expect(await writers('packages')).toStrictEqual([['id:7', { key: 'id:7', run: RUN, seq: 1 }]]);
  });

  test('writes are found by when they were, and the last one of a resource', async () => {
    const ledger = await started(backend());
    await ledger.savePlan(RUN, [plannedRow(0)]);
    const write = (key: string, at: string | null) =>
      ledger.rememberWrite(SERVICE, 'packages', { key, run: RUN, seq: 0, at });
    const since = async (at: string) => [
      ...(await ledger.findWrites(SERVICE, 'packages', ['id:7', 'id:8', 'id:9'], at)).keys(),
    ];
    expect(await ledger.findLastWrite(SERVICE, 'packages')).toBeNull();
    await write('id:7', '2026-11-22T10:00:00.000Z');
    await write('id:8', '2026-11-22T11:00:00.000Z');
    await write('id:9', null);
    expect(await ledger.findLastWrite(SERVICE, 'packages')).toBe('2026-11-22T11:00:00.000Z');
    expect(await ledger.findLastWrite(SERVICE, 'recipes')).toBeNull();
    expect(await since('2026-11-22T10:30:00.000Z')).toStrictEqual(['id:8']);
    await write('id:8', null);
    expect(await ledger.findLastWrite(SERVICE, 'packages')).toBe('2026-11-22T10:00:00.000Z');
    expect(await since('2026-11-22T10:30:00.000Z')).toStrictEqual([]);
  });

  describe('keys', () => {
    test('are remembered by service and resource', async () => {
      const ledger = await backend().open();
      await ledger.rememberKeys(SERVICE, 'packages', [
        { external: 31001, id: 5001 },
        { external: 31002, id: 5002 },
      ]);
      await ledger.rememberKeys(SERVICE, 'recipes', [{ external: 31001, id: 7001 }]);
      await ledger.rememberKeys(TRIAL, 'packages', [{ external: 31001, id: 9001 }]);
      const find = (service: string, resource: string) =>
        ledger.findKeys(service, resource, [31001, 31002, 31003]);
      expect(await find(SERVICE, 'packages')).toStrictEqual(
        records([
          [31001, 5001],
          [31002, 5002],
        ]),
      );
      expect(await find(SERVICE, 'recipes')).toStrictEqual(records([[31001, 7001]]));
      expect(await find(TRIAL, 'packages')).toStrictEqual(records([[31001, 9001]]));
      expect(await find('https://elders.example/', 'packages')).toStrictEqual(new Map());
    });

    test('said again, take the place of the earlier ones', async () => {
      const ledger = await backend().open();
      await ledger.rememberKeys(SERVICE, 'packages', [{ external: 1, id: 10 }]);
      await ledger.rememberKeys(SERVICE, 'packages', [
        { external: 1, id: 11 },
        { external: 1, id: 12 },
      ]);
      expect(await ledger.findKeys(SERVICE, 'packages', [1])).toStrictEqual(records([[1, 12]]));
    });

    test.each([
      [
        { id: 11, label: 'Diner' },
        { id: 11, label: 'Diner' },
      ],
      [
        { id: 11, label: '' },
        { id: 11, label: '' },
      ],
      [
        { id: 11, label: null },
        { id: 11, label: 'Lunch “à part”' },
      ],
      [{ id: 11 }, { id: 11, label: 'Lunch “à part”' }],
    ])('%j after a labelled one make it %j', async (pair, expected) => {
      const ledger = await backend().open();
      await ledger.rememberKeys(SERVICE, 'packages', [
        { external: 1, id: 10, label: 'Lunch “à part”' },
        { external: 2, id: 20, label: 'Borrel' },
      ]);
      await ledger.rememberKeys(SERVICE, 'packages', [{ external: 1, ...pair }]);
      expect(await ledger.findKeys(SERVICE, 'packages', [1, 2])).toStrictEqual(
        new Map([
          [1, expected],
          [2, { id: 20, label: 'Borrel' }],
        ]),
      );
    });

    test('get their label when it comes later', async () => {
      const ledger = await backend().open();
      await ledger.rememberKeys(SERVICE, 'packages', [{ external: 1, id: 10 }]);
      await ledger.rememberKeys(SERVICE, 'packages', [{ external: 1, id: 10, label: 'Lunch' }]);
      expect((await ledger.findKeys(SERVICE, 'packages', [1])).get(1)?.label).toBe('Lunch');
    });

    test('of none are none', async () => {
      const ledger = await backend().open();
      await ledger.rememberKeys(SERVICE, 'packages', []);
      expect(await ledger.findKeys(SERVICE, 'packages', [])).toEqual(new Map());
    });

    test('are exact up to 2^53, and below zero', async () => {
      const ledger = await backend().open();
      const numbers = [Number.MAX_SAFE_INTEGER, 2 ** 31, 2 ** 32 + 1, 0, -7];
      await ledger.rememberKeys(
        SERVICE,
        'packages',
        numbers.map((external) => ({ external, id: external })),
      );
      expect(await ledger.findKeys(SERVICE, 'packages', numbers)).toStrictEqual(
        records(numbers.map((number) => [number, number])),
      );
      expect(await ledger.findKnownIds(SERVICE, 'packages', numbers)).toEqual(new Set(numbers));
    });

    test('of thousands are found at once', async () => {
      const ledger = await backend().open();
      const pairs = Array.from({ length: 3000 }, (_, index) => ({ external: index, id: index * 2 }));
      await ledger.rememberKeys(SERVICE, 'packages', pairs);
      const externals = pairs.map(({ external }) => external);
      expect((await ledger.findKeys(SERVICE, 'packages', externals)).size).toBe(3000);
    });
  });

  describe('known ids', () => {
    test.each([
      [SERVICE, 'packages', [5001, 5002, 5003]],
      [SERVICE, 'recipes', [5004]],
      [SERVICE, 'events', []],
      [TRIAL, 'packages', [5005]],
    ])('on %s, of %s, are those of keys and of postings: %j', async (service, resource, expected) => {
      const ledger = await started(backend());
      const posting = { run: 'een', seq: 0, state: 'sending', at: '2027-04-28 11:30:00' } as const;
      await ledger.rememberKeys(SERVICE, 'packages', [
        { external: 1, id: 5001 },
        { external: 2, id: 5002 },
      ]);
      await ledger.rememberKeys(SERVICE, 'recipes', [{ external: 1, id: 5004 }]);
      await ledger.claimPosting(TRIAL, 'packages', { ...posting, fingerprint: 'a', id: 5005 });
      await ledger.claimPosting(SERVICE, 'packages', { ...posting, fingerprint: 'a', id: null });
      await ledger.settlePosting(SERVICE, 'packages', 'a', 5002, true);
      await ledger.claimPosting(SERVICE, 'packages', { ...posting, fingerprint: 'b', id: null });
      await ledger.settlePosting(SERVICE, 'packages', 'b', 5003, true);
      await ledger.claimPosting(SERVICE, 'packages', { ...posting, fingerprint: 'c', id: 5006 });
      await ledger.settlePosting(SERVICE, 'packages', 'c', null, false);
      await ledger.claimPosting(SERVICE, 'packages', { ...posting, fingerprint: 'd', id: null });
      const asked = [5000, 5001, 5002, 5003, 5004, 5005, 5006];
      expect([...(await ledger.findKnownIds(service, resource, asked))]).toEqual(expected);
    });

    test('are no longer those that an ExternalID stood for before', async () => {
      const ledger = await backend().open();
      await ledger.rememberKeys(SERVICE, 'packages', [{ external: 1, id: 10 }]);
      await ledger.rememberKeys(SERVICE, 'packages', [{ external: 1, id: 11 }]);
      expect(await ledger.findKnownIds(SERVICE, 'packages', [10, 11])).toEqual(new Set([11]));
    });

    test('of none are none', async () => {
      const ledger = await backend().open();
      expect(await ledger.findKnownIds(SERVICE, 'packages', [])).toEqual(new Set());
    });
  });

  describe('facts', () => {
    test('are remembered by service and name, the last one said', async () => {
      const ledger = await backend().open();
      await ledger.rememberFact(SERVICE, 'keeps-external', 'yes');
      await ledger.rememberFact(SERVICE, 'keeps-external', 'no');
      await ledger.rememberFact(SERVICE, 'zone', '');
      await ledger.rememberFact(TRIAL, 'keeps-external', 'Crème ’t "x"\n');
      expect(await ledger.findFact(SERVICE, 'keeps-external')).toBe('no');
      expect(await ledger.findFact(SERVICE, 'zone')).toBe('');
      expect(await ledger.findFact(TRIAL, 'keeps-external')).toBe('Crème ’t "x"\n');
      expect(await ledger.findFact(TRIAL, 'zone')).toBeUndefined();
    });
  });

  describe('sent values', () => {
    test.each([
      [{}],
      [{ Naam: 'Crème “à part” ’t\nregel 2', Prijs: 34.5, Actief: false, Kleur: null, Aantal: 0, Leeg: '' }],
    ])('come back as they were sent: %j', async (fields) => {
      const ledger = await backend().open();
      await ledger.rememberSent(SERVICE, 'packages', 5001, fields);
      expect(await ledger.findSent(SERVICE, 'packages', 5001)).toStrictEqual(fields);
    });

    test('are remembered by service, resource and id, and replaced as one', async () => {
      const ledger = await backend().open();
      await ledger.rememberSent(SERVICE, 'packages', 5001, { Naam: 'Lunch', Prijs: 1 });
      await ledger.rememberSent(SERVICE, 'packages', 5001, { Prijs: 2 });
      await ledger.rememberSent(SERVICE, 'recipes', 5001, { Prijs: 3 });
      await ledger.rememberSent(TRIAL, 'packages', 5001, { Prijs: 4 });
      await ledger.rememberSent(SERVICE, 'packages', 5002, { Prijs: 5 });
      expect(await ledger.findSent(SERVICE, 'packages', 5001)).toStrictEqual({ Prijs: 2 });
      expect(await ledger.findSent(SERVICE, 'recipes', 5001)).toStrictEqual({ Prijs: 3 });
      expect(await ledger.findSent(TRIAL, 'packages', 5001)).toStrictEqual({ Prijs: 4 });
      expect(await ledger.findSent(SERVICE, 'packages', 5002)).toStrictEqual({ Prijs: 5 });
      expect(await ledger.findSent(TRIAL, 'packages', 5002)).toBeUndefined();
    });
  });
}
