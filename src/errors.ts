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
  readonly next?: string | Bilingual | undefined;
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

  constructor(exitCode: ExitCode, message: string | Bilingual, { next, cause }: StopOptions = {}) {
    const texts = { message: inBoth(message), next: next === undefined ? undefined : inBoth(next) };
    super(texts.message.en, cause === undefined ? undefined : { cause });
    this.name = 'StopError';
    this.exitCode = exitCode;
    this.next = texts.next?.en;
    this.texts = texts;
  }
}

function inBoth(text: string | Bilingual): Bilingual {
  return typeof text === 'string' ? { en: text, nl: text } : text;
}
