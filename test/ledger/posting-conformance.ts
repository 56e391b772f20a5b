import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Ledger, Posting } from '../../src/ledger/ledger.ts';
import { type Backend, SERVICE } from './fixtures.ts';

const TRIAL = 'https://proef.example/';

/** A posting of row 0 of the run `een`. */
const posting = (over: Partial<Posting> = {}): Posting => ({
  ...{
    fingerprint: 'vingerafdruk',
    run: 'een',
    seq: 0,
    state: 'sending',
    at: '2027-04-28 11:30:59',
    id: null,
  },
  ...over,
});
const FINGERPRINT = posting().fingerprint;
const DONE = posting({ state: 'done', id: 5001 });

const claim = (ledger: Ledger, over: Partial<Posting> = {}, also: readonly string[] = []) =>
  ledger.claimPosting(SERVICE, 'packages', posting(over), also);
const settle = (ledger: Ledger, id: number | null, done: boolean) =>
  ledger.settlePosting(SERVICE, 'packages', FINGERPRINT, done ? { state: 'done', id } : null);
const standing = async (ledger: Ledger, name = FINGERPRINT) =>
  (await ledger.findPostings(SERVICE, 'packages', [name])).get(name);

/** What a ledger promises of what must never be sent twice. */
export function describePostings(backend: () => Backend): void {
  test('a posting stands as it was claimed, for its row and under each of its names, and for nobody else', async () => {
    const ledger = await backend().open();
    const odd = `'; drop table postings; --`;
    const also = ['ook zo', odd];
    expect(await standing(ledger)).toBeUndefined();
    await expect(settle(ledger, 5001, true)).rejects.toThrow(FINGERPRINT);
    expect(await claim(ledger, {}, also)).toBeUndefined();
    for (const [service, resource] of [
      [TRIAL, 'packages'],
      [SERVICE, 'recipes'],
    ] as const)
      expect(await ledger.claimPosting(service, resource, posting({ run: 'twee' }))).toBeUndefined();
    for (const name of [FINGERPRINT, ...also]) expect(await standing(ledger, name)).toStrictEqual(posting());
    // Its own row may claim it again, and it stands as it did.
    expect(await claim(ledger, { at: '2027-04-29 00:00:00' })).toBeUndefined();
    const others: [Partial<Posting>, string[]?][] = [
      [{ run: 'twee' }],
      [{ seq: 1, state: 'done', id: 5002 }],
      [{ fingerprint: 'ook zo', run: 'twee' }],
      [{ fingerprint: 'anders', run: 'drie' }, ['ook zo']],
    ];
    for (const [over, names] of others) expect(await claim(ledger, over, names)).toStrictEqual(posting());
    await settle(ledger, 5001, true);
    await settle(ledger, 5001, true);
    for (const [over, names] of [...others, [{}] as const])
      expect(await claim(ledger, over, names)).toStrictEqual(DONE);
    expect(await standing(ledger, 'ook zo')).toStrictEqual(DONE);
    // Nothing was taken for the one that came too late.
    expect(await standing(ledger, 'anders')).toBeUndefined();
    // It is sent once more, by another row.
    const again = { ...posting({ run: 'twee', seq: 3, at: '2027-04-30 00:00:00' }), fingerprint: 'anders' };
    await ledger.settlePosting(SERVICE, 'packages', FINGERPRINT, again);
    for (const name of [FINGERPRINT, 'ook zo'])
      expect(await standing(ledger, name)).toStrictEqual({ ...again, fingerprint: FINGERPRINT });
    await settle(ledger, null, false);
    expect([await standing(ledger), await standing(ledger, 'ook zo')]).toEqual([undefined, undefined]);
    expect(await claim(ledger, { run: 'twee', seq: 3 })).toBeUndefined();
    expect(await claim(ledger)).toStrictEqual(posting({ run: 'twee', seq: 3 }));
  });

  test('postings are found by their names and how those begin, and listed by when they were claimed, once each', async () => {
    const ledger = await backend().open();
    const claims: readonly [resource: string, name: string, seq: number, at: string, also?: string[]][] = [
      ['packages', 'telling:1:a', 1, '2027-04-30 23:59:59', ['ook zo', 'of zo']],
      ['packages', 'telling:1:b', 2, '2027-03-31 23:59:59'],
      ['packages', 'telling:10:a', 3, '2027-05-01 00:00:00'],
      ['recipes', 'telling:2:a', 4, '2027-04-02 12:00:00'],
      ['packages', 'telling:2:a', 5, '2027-04-01 00:00:00'],
      ['events', 'telling:1:c', 6, '2027-04-02 12:00:00'],
    ];
    for (const [resource, fingerprint, seq, at, also] of claims)
      await ledger.claimPosting(SERVICE, resource, posting({ fingerprint, seq, at }), also);
    const like = async (...beginnings: string[]) =>
      [...(await ledger.findPostings(SERVICE, 'packages', beginnings, 'beginning')).keys()].toSorted();
    expect(await like('telling:1:')).toEqual(['telling:1:a', 'telling:1:b']);
    expect(await like('telling:2:', 'telling:10:')).toEqual(['telling:10:a', 'telling:2:a']);
    const named = await ledger.findPostings(SERVICE, 'packages', ['telling:2:a', 'of zo', 'd']);
    expect([...named].map(([name, { seq }]) => `${name} ${seq}`).toSorted()).toEqual([
      'of zo 1',
      'telling:2:a 5',
    ]);
    expect([await like(), await ledger.findPostings(SERVICE, 'packages', [])]).toEqual([[], new Map()]);
    const list = async (service: string, after: number | null) => {
      const page = { from: '2027-04-01', before: '2027-04-30~', limit: 2 };
      const from = after === null ? null : { run: 'een', seq: after };
      const found = await ledger.listPostings(service, ['packages', 'recipes'], { ...page, after: from });
      return found.map(({ fingerprint, seq }) => `${fingerprint} ${seq}`);
    };
    expect(await list(SERVICE, null)).toEqual(['telling:1:a 1', 'telling:2:a 4']);
    expect(await list(SERVICE, 4)).toEqual(['telling:2:a 5']);
    expect(await list(TRIAL, null)).toEqual([]);
  });

  test('a posting that many rows claim at one moment goes to one, though something else of that moment can’t be done', async () => {
    const place = backend();
    const ledger = await place.open();
    const [refused, ...answers] = await Promise.allSettled([
      ledger.settlePosting(SERVICE, 'packages', 'onbekend', { state: 'done', id: 1 }),
      ...Array.from({ length: 20 }, (_, seq) => claim(ledger, { seq })),
    ]);
    expect(refused?.status).toBe('rejected');
    const winner = await standing(await place.open());
    const said = answers.map((one) => (one.status === 'fulfilled' ? one.value : 'rejected'));
    expect(said.flatMap((one, seq) => (one === undefined ? [seq] : []))).toEqual([winner?.seq]);
    expect(said.filter((one) => one !== undefined)).toStrictEqual(Array(19).fill(winner));
    // It is not given to an earlier claim when it is freed.
    const [late] = await Promise.all([claim(ledger, { seq: 77 }), settle(ledger, null, false)]);
    expect(await standing(ledger)).toStrictEqual(late === undefined ? posting({ seq: 77 }) : undefined);
  });

  test('a posting of several names is claimed with all of them or with none, whoever claims beside it in another program', async () => {
    const place = backend();
    const ledgers = [await place.open(), await place.open()] as const;
    const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { minLength: 1, maxLength: 3 });
    const rows = fc.array(names, { minLength: 1, maxLength: 6 });
    let round = 0;
    await fc.assert(
      fc.asyncProperty(fc.tuple(rows, rows), async (programs) => {
        const service = `${SERVICE}${++round}`;
        const claimed = await Promise.all(
          programs.flatMap((list, program) =>
            list.map(async ([fingerprint = '', ...also], seq) => {
              const own = posting({ fingerprint, run: `programma ${program}`, seq });
              const ledger = ledgers[program === 0 ? 0 : 1];
              return { own, also, holder: await ledger.claimPosting(service, 'packages', own, also) };
            }),
          ),
        );
        const held = await ledgers[0].findPostings(service, 'packages', [...'abcde']);
        for (const { own, also, holder } of claimed) {
          const holders = [own.fingerprint, ...also].map((name) => held.get(name));
          if (holder === undefined) expect(holders).toEqual(holders.map(() => own));
          else {
            expect(holders).not.toContainEqual(own);
            expect(holders).toContainEqual(holder);
          }
        }
        // Each name is held by a row that claimed it.
        const winners = claimed.flatMap(({ own, holder }) => (holder === undefined ? [own] : []));
        for (const one of held.values()) expect(winners).toContainEqual(one);
      }),
      { seed: 3, numRuns: 30 },
    );
  });
}
