import { it } from 'vitest';
import { playPacedRound } from '../../campaigns/paced-kills/play-paced-round.ts';

/** The short form of the campaign: a quicker pace, fewer rows and fewer kills. */
it.concurrent.for([
  ['the program\u2019s own', { rate: 30 }],
  ['what a service bears before it answers 429', { perSecond: 30 }],
] as const)(
  'kills while rows wait for a pace, %s, leave no row in doubt that waited',
  async ([_, pace], { expect }) => {
    const { kills, findings, neverReceived } = await playPacedRound(1, { pace, kills: 3, size: 1 });
    expect(findings.filter(({ kind }) => kind !== 'unknown and never sent')).toEqual([]);
    // A tenth of a millisecond lies between a row's mark and its bytes, more on a busy machine: a kill can fall
    // there, and then leaves one row. Rows that wait would be as many as are in flight, for each kill.
    expect(neverReceived).toBeLessThanOrEqual(kills);
    expect(kills).toBeGreaterThan(0);
  },
);
