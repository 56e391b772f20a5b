import type { Bilingual } from '../core/language.ts';

/** How far a stage is; `total` is null while unknown. */
export interface Progress {
  /**
   * `listing`: a list of the service is read, page by page, for whatever stage needs it. It is not told while
   * rows are sent or a file is written.
   */
  readonly stage: 'listing' | 'reading' | 'sending' | 'writing';
  /** What is listed or read, in the plural; absent for the rows of a file that are planned. */
  readonly of?: Bilingual;
  /** How many of them so far. */
  readonly done: number;
  /** How many there are; null while unknown. */
  readonly total: number | null;
  /** Rows that were sent and not answered, and until when it is looked whether they arrived. */
  readonly doubt?: {
    /** How many. */
    readonly rows: number;
    /** By the clock of this machine. */
    readonly until: Date;
  };
}
