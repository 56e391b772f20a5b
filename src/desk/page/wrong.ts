import { JobStopped } from './live.ts';
import { asCallError } from './loaded.ts';
import type { Wrong } from './pieces/error-box.tsx';

/** What went wrong with a call or the job that it began, to be shown. */
export function wrongOf(error: unknown): Wrong {
  if (error instanceof JobStopped) return { message: error.stop.message, next: error.stop.next };
  return asCallError(error);
}
