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

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/**
 * The one error that stops a run: says what is wrong in one sentence, what to do next, and with which code
 * the process ends. A bad cell is never one of these; it is an Issue on its row.
 */
export class StopError extends Error {
  readonly exitCode: ExitCode;
  readonly next: string | undefined;

  constructor(exitCode: ExitCode, message: string, options: { next?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'StopError';
    this.exitCode = exitCode;
    this.next = options.next;
  }
}
