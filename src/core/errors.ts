import type { Bilingual } from './language.ts';

/** Exit codes of the command line (design: "Command line"). */
export const EXIT = {
  ok: 0,
  fault: 1,
  usage: 2,
  file: 3,
  service: 4,
  rows: 5,
  unknown: 6,
  interrupted: 130,
} as const;

/** A code that the process ends with. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

interface StopOptions {
  /** What to do about it, as a whole sentence. */
  readonly next?: Bilingual | undefined;
  readonly cause?: unknown;
}

/**
 * The one error that stops a run: says what is wrong in one sentence, what to do next, and with which code
 * the process ends. A bad cell is never one of these; it is an Issue on its row. `message` and `next` are the
 * English words, for logs and programs; `texts` has them in every language, for people.
 */
export class StopError extends Error {
  readonly exitCode: ExitCode;
  readonly next: string | undefined;
  readonly texts: { readonly message: Bilingual; readonly next: Bilingual | undefined };

  constructor(exitCode: ExitCode, message: Bilingual, { next, cause }: StopOptions = {}) {
    super(message.en, cause === undefined ? undefined : { cause });
    this.name = 'StopError';
    this.exitCode = exitCode;
    this.next = next?.en;
    this.texts = { message, next };
  }
}
