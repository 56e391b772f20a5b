import { it } from 'vitest';
import { playPacedRound } from '../campaigns/paced-kills/play-paced-round.ts';

/** The short form of the campaign: a quicker pace, fewer rows and fewer kills. */
it.concurrent.for([
  ['the program\u2019s own', { rate: 30 }],
  ['what a service bears before it answers 429', { perSecond: 30 }],
] as const)(
  'kills while rows wait for a pace, %s, leave no row in doubt that waited',
  // Less than a millisecond lies between a row's mark and its bytes: a kill that falls there tells nothing.
  { retry: 1 },
  async ([_, pace], { expect }) => {
    const { kills, findings, neverReceived } = await playPacedRound(1, { pace, kills: 3, size: 1 });
    // Without a pace of our own rows go out side by side: a kill may fall between their marks and their bytes.
    const most = 'rate' in pace ? 0 : kills * 2;
    expect(findings.filter(({ kind }) => kind !== 'unknown and never sent')).toEqual([]);
    expect(neverReceived).toBeLessThanOrEqual(most);
    expect(kills).toBeGreaterThan(0);
  },
);
