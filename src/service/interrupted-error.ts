import { EXIT, StopError } from '../errors.ts';

const INTERRUPTED = {
  en: 'Interrupted before the request was done.',
  nl: 'Onderbroken voordat het verzoek klaar was.',
};

/** The caller's signal was aborted, or the service closed, before the request was sent or its read answered; it took no effect. */
export class InterruptedError extends StopError {
  constructor(cause?: unknown) {
    super(EXIT.interrupted, INTERRUPTED, { cause });
    this.name = 'InterruptedError';
  }
}

/** What to throw for an aborted signal: the StopError that ended everything, else an InterruptedError. */
export function interruption(signal: AbortSignal): StopError {
  return signal.reason instanceof StopError ? signal.reason : new InterruptedError(signal.reason);
}
