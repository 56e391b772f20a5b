import { describe, expect, it, test } from 'vitest';
import { playInMemory } from '../campaigns/any-service/play-round.ts';
import { playRounds } from '../campaigns/any-service/rounds.ts';
import { postgresFolder, usePostgres } from '../helpers/postgres.ts';
import { faultsOf, playSmall } from './rounds.ts';

playSmall(1, 250);

it('rounds in which something once went wrong end well', async () => {
  const ends = await playRounds([660, 701, 707], 1, playInMemory);
  expect(faultsOf(ends)).toEqual([]);
});

test('a service that nothing disturbs leaves no row unknown, whatever its dialect', async () => {
  const without = ['lost', 'late', 'gateway', 'kill', 'lag', 'colleague', 'between', 'hidden', 'changed'];
  const play = (round: number) => playInMemory(round, { without });
  const ends = await playRounds([201, 202, 203, 204, 205, 206, 207, 208], 1, play);
  expect(faultsOf(ends)).toEqual([]);
  expect(ends.map(({ unknown }) => unknown)).toEqual(ends.map(() => 0));
});

describe.skipIf(postgresFolder() === undefined)('on PostgreSQL', () => {
  const postgres = usePostgres();

  it('the same, in 12 rounds', async () => {
    const rounds = Array.from({ length: 12 }, (_, at) => 501 + at);
    const play = async (round: number) =>
      playInMemory(round, { small: true, without: ['kill'], ledger: await postgres.database() });
    expect(faultsOf(await playRounds(rounds, 1, play))).toEqual([]);
  });
});
