import { EXIT, type ExitCode, StopError } from '../core/errors.ts';
import { type Bilingual, t } from '../core/language.ts';
import type { Context } from '../run/context.ts';
import { serviceStop } from '../run/stop.ts';
import type { RequestError } from '../service/request-error.ts';

/** The outcome of one call. */
interface CallOutcome {
  /** An id, or `all`. */
  readonly id: string;
  readonly status: 'done' | 'unchanged' | 'failed' | 'unknown' | 'not sent';
  readonly message: Bilingual | null;
}

/** The outcome of a call, and the stop that ends the run after it, if any. */
export interface CallEnd extends Omit<CallOutcome, 'id'> {
  readonly stop?: StopError | null;
}

/** The outcomes of all calls. */
export interface CallsResult {
  readonly service: string;
  readonly calls: readonly CallOutcome[];
  readonly requests: number;
  /** Why the run ended early; null when it did not. */
  readonly stopped: StopError | null;
}

/** The exit code of calls: unknown outcomes come first. */
export function exitCodeOfCalls({ calls, stopped }: CallsResult): ExitCode {
  if (calls.some(({ status }) => status === 'unknown')) return EXIT.unknown;
  if (stopped !== null) return stopped.exit;
  return calls.some(({ status }) => status === 'failed') ? EXIT.rows : EXIT.ok;
}

/** Makes calls one by one until one stops the run; the others are then not sent. */
export async function makeCalls(
  context: Context,
  ids: readonly string[],
  call: (id: string) => Promise<CallEnd>,
): Promise<CallsResult> {
  const calls: CallOutcome[] = [];
  let stopped: StopError | null = null;
  for (const id of new Set(ids)) {
    stopped ??= context.signal?.aborted === true ? interrupted(context.signal) : null;
    if (stopped !== null) {
      calls.push({ id, status: 'not sent', message: null });
      continue;
    }
    try {
      const { stop = null, ...called } = await call(id);
      calls.push({ id, ...called });
      stopped = stop;
    } catch (error) {
      if (!(error instanceof StopError)) throw error;
      stopped = error;
      calls.push({ id, status: 'not sent', message: null });
    }
    context.onProgress?.({ stage: 'sending', done: calls.length, total: ids.length });
  }
  return { service: context.serviceName, calls, requests: context.service.stats.requests, stopped };
}

/** The end of a call that was not sent as the service can't be reached; null for another failure. */
export function unreachableEnd(context: Context, error: RequestError): CallEnd | null {
  if (error.kind !== 'unreachable') return null;
  return { status: 'not sent', message: error.reasons, stop: serviceStop(context, error, REST_NOT_SENT) };
}

const REST_NOT_SENT: Bilingual = t('The rest was not sent.', 'De rest is niet verstuurd.');

function interrupted({ reason }: AbortSignal): StopError {
  if (reason instanceof StopError) return reason;
  return new StopError(EXIT.interrupted, t('Interrupted.', 'Onderbroken.'));
}
