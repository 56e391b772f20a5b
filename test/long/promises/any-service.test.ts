import { expect, it } from 'vitest';
import { playRound } from '../../campaigns/any-service/play-round.ts';
import { findingsOf, playRounds } from '../../campaigns/any-service/rounds.ts';

/**
 * The short form of the campaign over the second service, by real programs over HTTP, some of which are killed;
 * `test/promises` plays more of them in memory. Each of these rounds is the same every time.
 */
const ROUNDS = [1002, 1018, 1030, 1061, 1106, 1164, 1249, 1255];

it('imports double nothing, lose nothing and change no other record, whatever the service is like', async () => {
  expect(findingsOf(await playRounds(ROUNDS, 6, (round) => playRound(round)))).toEqual([]);
});
