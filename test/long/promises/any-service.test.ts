import { expect, it } from 'vitest';
import { playRound } from '../../campaigns/any-service/play-round.ts';
import { playRounds } from '../../campaigns/any-service/rounds.ts';

/**
 * The short form of the campaign over the second service, by real programs over HTTP; `test/promises` plays more
 * of them in memory. Each of these rounds is the same every time.
 */
const ROUNDS = [1002, 1007, 1018, 1030, 1033, 1043, 1061, 1077];

it('imports double nothing, lose nothing and change no other record, whatever the service is like', async () => {
  const ends = await playRounds(ROUNDS, 6, (round) => playRound(round));
  const wrong = ends.flatMap(({ round, findings }) =>
    findings.map(({ kind, about }) => `round ${round}: ${kind}: ${about}`),
  );
  expect(wrong).toEqual([]);
});
