import { EXIT, type ExitCode, StopError } from '../../errors.ts';
import type { Bilingual } from '../../schema/value.ts';
import type { Context } from '../context.ts';

/** What became of one thing that was asked of the service by name. */
export interface Called {
  /** Its number, or `all`. */
  readonly id: string;
  readonly status: 'done' | 'unchanged' | 'failed' | 'unknown' | 'not sent';
  readonly message: Bilingual | null;
}

/** What became of all of them. */
export interface CallsResult {
  readonly service: string;
  readonly calls: readonly Called[];
  readonly requests: number;
  /** Why it ended before its end; null when it did not. */
  readonly stopped: StopError | null;
}

/** The process's exit code: what is unknown weighs most. */
export function exitCodeOfCalls({ calls, stopped }: CallsResult): ExitCode {
  if (calls.some(({ status }) => status === 'unknown')) return EXIT.unknown;
  if (stopped !== null) return stopped.exitCode;
  return calls.some(({ status }) => status === 'failed') ? EXIT.rows : EXIT.ok;
}

/** Makes calls one after the other until one stops the run; those after it are not sent. */
export async function makeCalls(
  context: Context,
  ids: readonly string[],
  call: (id: string) => Promise<Omit<Called, 'id'>>,
): Promise<CallsResult> {
  const calls: Called[] = [];
  let stopped: StopError | null = null;
  for (const id of new Set(ids)) {
    stopped ??= context.signal?.aborted === true ? interrupted(context.signal) : null;
    if (stopped !== null) {
      calls.push({ id, status: 'not sent', message: null });
      continue;
    }
    try {
      calls.push({ id, ...(await call(id)) });
    } catch (error) {
      if (!(error instanceof StopError)) throw error;
      stopped = error;
      calls.push({ id, status: 'not sent', message: null });
    }
    context.onProgress?.({ stage: 'sending', done: calls.length, total: ids.length });
  }
  return { service: context.serviceName, calls, requests: context.service.stats.requests, stopped };
}

function interrupted({ reason }: AbortSignal): StopError {
  if (reason instanceof StopError) return reason;
  return new StopError(EXIT.interrupted, { en: 'Interrupted.', nl: 'Onderbroken.' });
}
