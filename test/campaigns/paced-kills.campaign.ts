import { expect, it } from 'vitest';
import { playRounds } from './any-service/rounds.ts';
import { type PacedEnd, type PacedWishes, playPacedRound } from './paced-kills/play-paced-round.ts';

/** ROUNDS from FIRST on, AT_ONCE at a time, each with so many KILLS; JOURNAL=1 shows the requests of a round with a finding. */
const ROUNDS = Number(process.env.ROUNDS ?? 20);
const FIRST = Number(process.env.FIRST ?? 1);
const AT_ONCE = Number(process.env.AT_ONCE ?? 4);
const KILLS = Number(process.env.KILLS ?? 9);

const PACES: readonly (readonly [string, PacedWishes['pace']])[] = [
  ['--rate 5', { rate: 5 }],
  ['a service that answers 429 to more than 5 requests a second', { perSecond: 5 }],
];

it.each(PACES)(
  `kills while rows wait for the pace leave none in doubt that was not sent: %s`,
  async (_, pace) => {
    const numbers = Array.from({ length: ROUNDS }, (__, at) => FIRST + at);
    const play = (round: number) => playPacedRound(round, { pace, kills: KILLS, size: 2 });
    const ends = await playRounds(numbers, AT_ONCE, play);
    tell(ends);
    expect(ends.flatMap(({ round, findings }) => findings.map(({ kind }) => `${round}: ${kind}`))).toEqual(
      [],
    );
  },
);

function tell(ends: readonly PacedEnd[]): void {
  for (const { round, findings, journal } of ends) {
    for (const { kind, about } of findings) console.log(`round ${round}: ${kind}: ${about}`);
    if (findings.length > 0 && process.env.JOURNAL) console.log(journal.join('\n'));
  }
  const sum = (count: (end: PacedEnd) => number) => ends.reduce((total, end) => total + count(end), 0);
  const [kills, rows] = [sum((end) => end.kills), sum((end) => end.rows)];
  const [unknown, never] = [sum((end) => end.unknown), sum((end) => end.neverReceived)];
  const longest = Math.max(...ends.map(({ ms }) => Math.round(ms / 1000)));
  console.log(
    `${ends.length} rounds, ${kills} kills, ${rows} rows, ${unknown} unknown, of which the service never got ${never}; the longest round took ${longest} s`,
  );
}
