import { describe, expect, it, test } from 'vitest';
import { GROUPS } from '../campaigns/any-service/draws.ts';
import { playInMemory, type RoundEnd } from '../campaigns/any-service/play-round.ts';
import { playRounds } from '../campaigns/any-service/rounds.ts';

/** So many in one test, so that what hangs is found where it does. */
const PER_TEST = 50;

const isUnknown = (kind: string): boolean => kind.startsWith('unknown ') && !kind.includes('answered');

/** What went wrong; that something can't be told is no fault, only seldom. */
export const faultsOf = (ends: readonly RoundEnd[]): string[] =>
  ends.flatMap(({ round, findings }) =>
    findings.flatMap(({ kind, about }) => (isUnknown(kind) ? [] : [`${round}: ${kind}: ${about}`])),
  );

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** Plays small rounds, `count` from `first` on, each with another service, workbook, faults and ends of programs. */
export function playSmall(first: number, count: number): void {
  describe('nothing twice, nothing lost, nothing wrong and nothing claimed, whatever the service’s clock, speed and habits and wherever the program ends', () => {
    const played: RoundEnd[] = [];
    const firsts = Array.from({ length: count / PER_TEST }, (_, at) => first + at * PER_TEST);

    it.each(firsts)(`in ${PER_TEST} rounds from round %i on`, async (from) => {
      const rounds = Array.from({ length: PER_TEST }, (_, at) => from + at);
      // One after the other, as a round may end at its n-th write to a ledger.
      const ends = await playRounds(rounds, 1, (round) => playInMemory(round, { small: true }));
      played.push(...ends);
      expect(faultsOf(ends)).toEqual([]);
    });

    test('that draw all there is, and leave little unknown', () => {
      expect(sum(played.map(({ unknown }) => unknown)) / sum(played.map(({ rows }) => rows))).toBeLessThan(
        0.04,
      );
      expect(new Set(played.flatMap(({ sheets }) => sheets)).size).toBe(7);
      expect(new Set(played.flatMap(({ groups }) => groups))).toEqual(new Set(Object.keys(GROUPS)));
      expect(
        new Set(played.flatMap(({ how }) => how.match(/(before|after) a (request|commit)/g) ?? [])).size,
      ).toBe(4);
    });
  });
}
