import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Ledger, Posting } from '../../src/ledger/ledger.ts';
import { type Backend, SERVICE } from './fixtures.ts';

const TRIAL = 'https://proef.example/';

/** A posting of row 0 of the run `een`. */
const posting = (over: Partial<Posting> = {}): Posting => ({
  fingerprint: 'vingerafdruk',
  run: 'een',
  seq: 0,
  state: 'sending',
  at: '2027-04-28 11:30:59',
  id: null,
  ...over,
});

const FINGERPRINT = posting().fingerprint;

const claim = (ledger: Ledger, over: Partial<Posting> = {}) =>
  ledger.claimPosting(SERVICE, 'packages', posting(over));

const settle = (ledger: Ledger, id: number | null, done: boolean) =>
  ledger.settlePosting(SERVICE, 'packages', FINGERPRINT, id, done);

const standing = async (ledger: Ledger) =>
  (await ledger.findPostings(SERVICE, 'packages', [FINGERPRINT])).get(FINGERPRINT);

/** What a ledger promises of what must never be sent twice. */
export function describePostings(backend: () => Backend): void {
  describe('a posting', () => {
    test.each([
      [posting()],
      [posting({ seq: 7, state: 'done', id: 5001 })],
      [posting({ id: Number.MAX_SAFE_INTEGER, fingerprint: `'; drop table postings; --` })],
    ])('stands as it was claimed: %j', async (claimed) => {
      const ledger = await backend().open();
      const { fingerprint } = claimed;
      expect(await ledger.findPostings(SERVICE, 'packages', [fingerprint])).toEqual(new Map());
      expect(await ledger.claimPosting(SERVICE, 'packages', claimed)).toBeUndefined();
      expect(await ledger.findPostings(SERVICE, 'packages', [fingerprint, 'ander'])).toStrictEqual(
        new Map([[fingerprint, claimed]]),
      );
    });

    test('of several is found by its own fingerprint', async () => {
      const ledger = await backend().open();
      for (const [seq, fingerprint] of ['a', 'b', 'c'].entries()) await claim(ledger, { fingerprint, seq });
      const found = await ledger.findPostings(SERVICE, 'packages', ['c', 'a', 'd']);
      expect([...found.values()].map(({ seq }) => seq)).toEqual([2, 0]);
      expect(await ledger.findPostings(SERVICE, 'packages', [])).toEqual(new Map());
    });

    test('is found by how a fingerprint of it begins, and by no other', async () => {
      const ledger = await backend().open();
      const names = ['telling:1:a', 'telling:1:b', 'telling:10:a', 'telling:2:a'];
      for (const [seq, fingerprint] of names.entries()) await claim(ledger, { fingerprint, seq });
      await ledger.claimPosting(TRIAL, 'packages', posting({ fingerprint: 'telling:1:c' }));
      const like = async (...beginnings: string[]) => [
        ...(await ledger.findPostingsLike(SERVICE, 'packages', beginnings)).keys(),
      ];
      expect(await like('telling:1:')).toEqual(['telling:1:a', 'telling:1:b']);
      expect((await like('telling:2:', 'telling:10:')).sort()).toEqual(['telling:10:a', 'telling:2:a']);
      expect(await like()).toEqual([]);
    });

    test('that goes by several names is one, whichever it is found by', async () => {
      const ledger = await backend().open();
      const also = ['ook zo'];
      expect(await ledger.claimPosting(SERVICE, 'packages', posting(), also)).toBeUndefined();
      const byAlias = async () => (await ledger.findPostings(SERVICE, 'packages', also)).get('ook zo');
      expect(await byAlias()).toStrictEqual(posting());
      const other = posting({ fingerprint: 'ook zo', run: 'twee' });
      expect(await ledger.claimPosting(SERVICE, 'packages', other)).toStrictEqual(posting());
      const third = posting({ fingerprint: 'anders', run: 'drie' });
      expect(await ledger.claimPosting(SERVICE, 'packages', third, also)).toStrictEqual(posting());
      await settle(ledger, 5001, true);
      expect(await byAlias()).toStrictEqual(posting({ state: 'done', id: 5001 }));
      await settle(ledger, null, false);
      expect(await byAlias()).toBeUndefined();
      // Nothing was taken for the one that came too late.
      expect(await ledger.findPostings(SERVICE, 'packages', ['anders'])).toEqual(new Map());
    });

    test.each([
      ['another run', { run: 'twee' }],
      ['another row', { seq: 1 }],
      ['another row that is done', { seq: 1, state: 'done', id: 5002 }],
    ] as const)('is the first one’s: %s is answered with it and changes nothing', async (_, over) => {
      const ledger = await backend().open();
      await claim(ledger);
      expect(await claim(ledger, over)).toStrictEqual(posting());
      expect(await standing(ledger)).toStrictEqual(posting());
      await settle(ledger, 5001, true);
      expect(await claim(ledger, over)).toStrictEqual(posting({ state: 'done', id: 5001 }));
    });

    test('may be claimed again by its own row, and stands as it did', async () => {
      const ledger = await backend().open();
      await claim(ledger);
      expect(await claim(ledger, { at: '2027-04-29 00:00:00' })).toBeUndefined();
      expect(await standing(ledger)).toStrictEqual(posting());
    });

    test('that is done is so for the row that made it too: it is answered with it, under each of its names', async () => {
      const ledger = await backend().open();
      await ledger.claimPosting(SERVICE, 'packages', posting(), ['ook zo']);
      await settle(ledger, 5001, true);
      const done = posting({ state: 'done', id: 5001 });
      expect(await claim(ledger)).toStrictEqual(done);
      expect(await claim(ledger, { fingerprint: 'ook zo' })).toStrictEqual(done);
      const more = posting({ fingerprint: 'anders' });
      expect(await ledger.claimPosting(SERVICE, 'packages', more, ['ook zo'])).toStrictEqual(done);
      expect(await ledger.findPostings(SERVICE, 'packages', ['anders'])).toEqual(new Map());
    });

    test.each([5001, null])('that is done stays, with the id %j', async (id) => {
      const ledger = await backend().open();
      await claim(ledger);
      await settle(ledger, id, true);
      expect(await standing(ledger)).toStrictEqual(posting({ state: 'done', id }));
      await settle(ledger, id, true);
      expect(await standing(ledger)).toStrictEqual(posting({ state: 'done', id }));
    });

    test.each(['sending', 'done'] as const)('that was %s and was not sent is free again', async (state) => {
      const ledger = await backend().open();
      await claim(ledger);
      if (state === 'done') await settle(ledger, 5001, true);
      await settle(ledger, null, false);
      expect(await standing(ledger)).toBeUndefined();
      expect(await claim(ledger, { run: 'twee', seq: 3 })).toBeUndefined();
      expect(await claim(ledger)).toStrictEqual(posting({ run: 'twee', seq: 3 }));
    });

    test.each([true, false])('that nobody claimed is not done, and stays free (done: %j)', async (done) => {
      const ledger = await backend().open();
      await claim(ledger, { fingerprint: 'ander' });
      const settling = settle(ledger, null, done);
      if (done) await expect(settling).rejects.toThrow(FINGERPRINT);
      else await settling;
      expect(await standing(ledger)).toBeUndefined();
      expect((await ledger.findPostings(SERVICE, 'packages', ['ander'])).get('ander')?.state).toBe('sending');
    });

    test.each([
      [TRIAL, 'packages'],
      [SERVICE, 'recipes'],
    ])('is another one on %s, of %s', async (service, resource) => {
      const ledger = await backend().open();
      const other = posting({ run: 'twee' });
      await claim(ledger);
      expect(await ledger.claimPosting(service, resource, other)).toBeUndefined();
      await ledger.settlePosting(service, resource, FINGERPRINT, 5001, true);
      expect(await standing(ledger)).toStrictEqual(posting());
      await settle(ledger, null, false);
      const found = await ledger.findPostings(service, resource, [FINGERPRINT]);
      expect(found.get(FINGERPRINT)).toStrictEqual({ ...other, state: 'done', id: 5001 });
      await expect(settle(ledger, 5001, true)).rejects.toThrow(FINGERPRINT);
    });

    test('that many rows claim at one moment goes to one of them', async () => {
      const ledger = await backend().open();
      const answers = await Promise.all(Array.from({ length: 20 }, (_, seq) => claim(ledger, { seq })));
      const winner = (await standing(ledger))?.seq;
      expect(answers.flatMap((answer, seq) => (answer === undefined ? [seq] : []))).toEqual([winner]);
      expect(new Set(answers.map((answer) => answer?.seq))).toEqual(new Set([winner, undefined]));
    });

    test('is not given to an earlier claim when it is freed', async () => {
      const ledger = await backend().open();
      await claim(ledger);
      const [answer] = await Promise.all([claim(ledger, { seq: 1 }), settle(ledger, null, false)]);
      const holder = await standing(ledger);
      if (answer === undefined) expect(holder).toStrictEqual(posting({ seq: 1 }));
      else expect([answer, holder]).toStrictEqual([posting(), undefined]);
    });

    test('is claimed though something else of that moment cannot be done', async () => {
      const ledger = await backend().open();
      const [refused, mine, other] = await Promise.allSettled([
        ledger.settlePosting(SERVICE, 'packages', 'onbekend', 1, true),
        claim(ledger),
        claim(ledger, { seq: 1 }),
      ]);
      expect(refused.status).toBe('rejected');
      expect(mine).toStrictEqual({ status: 'fulfilled', value: undefined });
      expect(other).toStrictEqual({ status: 'fulfilled', value: posting() });
    });

    test('is listed by when it was claimed, once, whatever names it goes by', async () => {
      const ledger = await backend().open();
      const claims: readonly [resource: string, run: string, seq: number, at: string, also?: string[]][] = [
        ['packages', 'twee', 1, '2027-04-01 00:00:00'],
        ['packages', 'een', 9, '2027-04-30 23:59:59', ['ook zo', 'of zo']],
        ['recipes', 'een', 2, '2027-04-02 12:00:00'],
        ['packages', 'een', 3, '2027-03-31 23:59:59'],
        ['packages', 'een', 4, '2027-05-01 00:00:00'],
        ['events', 'een', 5, '2027-04-02 12:00:00'],
      ];
      for (const [resource, run, seq, at, also] of claims)
        await ledger.claimPosting(
          SERVICE,
          resource,
          posting({ fingerprint: `${run} ${seq}`, run, seq, at }),
          also,
        );
      const page = { from: '2027-04-01', before: '2027-04-30~', limit: 2 };
      const list = (service: string, after: Pick<Posting, 'run' | 'seq'> | null) =>
        ledger.listPostings(service, ['packages', 'recipes'], { ...page, after });
      const first = await list(SERVICE, null);
      expect(first.map(({ run, seq, fingerprint }) => [run, seq, fingerprint])).toEqual([
        ['een', 2, 'een 2'],
        ['een', 9, 'een 9'],
      ]);
      expect(first[1]).toStrictEqual(
        posting({ fingerprint: 'een 9', run: 'een', seq: 9, at: '2027-04-30 23:59:59' }),
      );
      const next = await list(SERVICE, { run: 'een', seq: 9 });
      expect(next.map(({ run, seq }) => [run, seq])).toEqual([['twee', 1]]);
      expect(await list(TRIAL, null)).toEqual([]);
    });

    // Of what is in memory there is nothing to be kept.
    if (backend().durable)
      describe('kept on disk', () => {
        test.each([
          ['sending', posting()],
          ['done', posting({ state: 'done', id: 5001 })],
          ['free', undefined],
        ])('is %s after opening again, closed or not', async (state, expected) => {
          const place = backend();
          const first = await place.open();
          await claim(first);
          if (state !== 'sending') await settle(first, state === 'done' ? 5001 : null, state === 'done');
          const beside = await place.open();
          expect(await standing(beside)).toStrictEqual(expected);
          await first.close();
          await beside.close();
          const second = await place.open();
          expect(await standing(second)).toStrictEqual(expected);
          expect(await claim(second, { run: 'twee' })).toStrictEqual(expected);
        });

        test('that two programs claim is the one’s or the other’s', async () => {
          const place = backend();
          const ledgers = [await place.open(), await place.open()];
          const fingerprints = Array.from({ length: 40 }, (_, index) => `${index}`);
          const answers = await Promise.all(
            fingerprints.map((fingerprint, index) =>
              Promise.all(
                // Each of the two comes first every other time.
                ledgers.map((_, turn) => {
                  const seq = (index + turn) % 2;
                  return claim(ledgers[seq] as Ledger, { fingerprint, seq });
                }),
              ),
            ),
          );
          for (const [index, pair] of answers.entries()) {
            const fingerprint = fingerprints[index] as string;
            expect(pair.filter((answer) => answer === undefined)).toHaveLength(1);
            const loser = pair.find((answer) => answer !== undefined);
            for (const ledger of ledgers) {
              const found = await ledger.findPostings(SERVICE, 'packages', [fingerprint]);
              expect(found.get(fingerprint)).toStrictEqual(loser);
            }
            const turn = pair.indexOf(undefined);
            expect(loser?.seq).toBe((index + turn) % 2);
          }
        });

        test('of several names is claimed with all of them or with none, whoever claims beside it', async () => {
          const place = backend();
          const ledgers = [await place.open(), await place.open()];
          const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), {
            minLength: 1,
            maxLength: 3,
          });
          const rows = fc.array(names, { minLength: 1, maxLength: 6 });
          let round = 0;
          await fc.assert(
            fc.asyncProperty(fc.tuple(rows, rows), async (programs) => {
              const service = `${SERVICE}${++round}`;
              const claimed = await Promise.all(
                programs.flatMap((list, program) =>
                  list.map(async ([fingerprint = '', ...also], seq) => {
                    const own = posting({ fingerprint, run: `programma ${program}`, seq });
                    const ledger = ledgers[program] as Ledger;
                    return { own, also, holder: await ledger.claimPosting(service, 'packages', own, also) };
                  }),
                ),
              );
              const held = await (ledgers[0] as Ledger).findPostings(service, 'packages', [...'abcde']);
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
            { numRuns: 60 },
          );
        });
      });
  });
}
