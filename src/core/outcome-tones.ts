import type { ShownCounts } from './counts.ts';

/** The colour of an outcome: it went well, needs no attention, needs some, or went wrong. */
export type Tone = 'good' | 'plain' | 'warn' | 'bad';

/** An outcome, by the name that it is shown under. */
export type OutcomeName = Exclude<keyof ShownCounts, 'read'>;

/** The tone of each outcome, in the order in which they are shown. */
export const OUTCOME_TONES: Readonly<Record<OutcomeName, Tone>> = {
  ...({ created: 'good', posted: 'good', fetched: 'good', uploaded: 'good', updated: 'good' } as const),
  ...({ unchanged: 'plain', deleted: 'good', skipped: 'plain' } as const),
  ...({ conflict: 'warn', invalid: 'bad', failed: 'bad', unknown: 'bad', notSent: 'warn' } as const),
};
