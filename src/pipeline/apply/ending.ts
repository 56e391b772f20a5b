import type { Outcome } from '../../schema/plan.ts';

/** What became of a row, but for its place and time. */
export type Ending = Pick<Outcome, 'status' | 'id' | 'message' | 'issues' | 'unfinished'>;
