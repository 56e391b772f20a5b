import { describe, expect, it, test } from 'vitest';
import { playInMemory, type RoundEnd } from '../campaigns/any-service/play-round.ts';
import { playRounds } from '../campaigns/any-service/rounds.ts';
import { postgresFolder, usePostgres } from '../helpers/postgres.ts';

const ROUNDS = 40;

/** Its service empties the keys of two records that are under way when the first such one is noticed: a known fault. */
const KNOWN = new Set([34]);

/** Rounds in which something once went wrong. */
const ONCE_WRONG = [660, 701, 707];

const isUnknown = (kind: string): boolean => kind.startsWith('unknown ') && !kind.includes('answered');

/** What went wrong; that something can't be told is no fault, only seldom. */
const faults = (ends: readonly RoundEnd[]): string[] =>
  ends.flatMap(({ round, findings }) =>
    findings.flatMap(({ kind }) => (isUnknown(kind) ? [] : [`${round}: ${kind}`])),
  );

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

it(`nothing twice, nothing lost, nothing wrong and nothing claimed, whatever the service's clock, speed and habits and wherever the program ends, in ${ROUNDS} rounds`, async () => {
  const first = Array.from({ length: ROUNDS }, (_, at) => at + 1).filter((round) => !KNOWN.has(round));
  const rounds = [...first, ...ONCE_WRONG];
  // One after the other, as a round may end at its n-th write to a ledger.
  const ends = await playRounds(rounds, 1, playInMemory);
  expect(faults(ends)).toEqual([]);
  expect(sum(ends.map(({ unknown }) => unknown)) / sum(ends.map(({ rows }) => rows))).toBeLessThan(0.08);
  // What is drawn makes a difference.
  expect(ends.filter(({ groups }) => groups.length > 3).length).toBeGreaterThan(ROUNDS / 2);
});

test('a service that nothing disturbs leaves no row unknown, whatever its dialect', async () => {
  const without = ['lost', 'late', 'gateway', 'kill', 'lag', 'colleague', 'between', 'hidden', 'changed'];
  const play = (round: number) => playInMemory(round, { without });
  const ends = await playRounds([201, 202, 203, 204, 205, 206, 207, 208], 1, play);
  expect(faults(ends)).toEqual([]);
  expect(ends.map(({ unknown }) => unknown)).toEqual(ends.map(() => 0));
});

describe.skipIf(postgresFolder() === undefined)('on PostgreSQL', () => {
  const postgres = usePostgres();

  it('the same, in 3 rounds', async () => {
    const play = async (round: number) =>
      playInMemory(round, { without: ['kill'], ledger: await postgres.database() });
    expect(faults(await playRounds([101, 102, 103], 1, play))).toEqual([]);
  });
});
