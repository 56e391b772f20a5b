import type { Corrected } from '../../import/keep-corrected.ts';

/** A file on its way: a plan in the ledger that was not sent, of a file that was brought. */
export interface Draft extends Corrected {
  readonly run: string;
  /** Its file, by its id. */
  readonly source: string;
}
