import { expect, it } from 'vitest';
import { playRound } from '../../campaigns/any-service/play-round.ts';
import { playRounds } from '../../campaigns/any-service/rounds.ts';

/**
 * The short form of the campaign over the second service. Each of these rounds is the same every time: between
 * them they turn the clock, the lists, the keys, the answers and the failures, somebody else is at work, and
 * one kills the program.
 */
const ROUNDS = [
  ...[1002, 1003, 1005, 1007, 1012, 1018, 1022, 1024, 1030, 1032, 1033],
  ...[1035, 1039, 1043, 1048, 1051, 1052, 1053, 1061, 1070, 1077, 1081],
];

it('imports double nothing, lose nothing and change no other record, whatever the service is like', async () => {
  const ends = await playRounds(ROUNDS, 6, (round) => playRound(round));
  const wrong = ends.flatMap(({ round, findings }) =>
    findings.map(({ kind, about }) => `round ${round}: ${kind}: ${about}`),
  );
  expect(wrong).toEqual([]);
});
