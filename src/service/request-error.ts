import { EXIT, StopError } from '../core/errors.ts';
import { type Bilingual, t } from '../core/language.ts';

/** How a request failed. */
type RequestErrorKind =
  /** Understood and turned down (4xx); `fields` may say which fields. */
  | 'refused'
  /** No such record (404, 410). */
  | 'missing'
  /** The record changed or the key is taken (409, 412). */
  | 'conflict'
  /** Turned away for now (429; a read also 408, 425, 503), also after retries; not done. */
  | 'busy'
  /** Never sent: no connection; certainly not done. */
  | 'unreachable'
  /** Sent without a readable answer (reset, time-out, 5xx, HTML, cut; a write also 408, 425, 503). */
  | 'lost'
  /** The answer to a read is not as the interface describes. */
  | 'malformed'
  /** The answer is larger than is accepted. */
  | 'too-large'
  /** The service points elsewhere; never followed. */
  | 'redirected';

/** The service's own words on fields, by field name. */
type FieldWords = Readonly<Record<string, readonly string[]>>;

/** What an answer says, fit to show. */
export interface AnswerWords {
  readonly words: string | null;
  readonly fields: FieldWords;
}

const DOUBT: Bilingual = t(' (it may have taken effect)', ' (misschien is het wel gebeurd)');

/** A request that failed for good. It holds nothing secret: its texts can be shown and logged. */
export class RequestError extends Error {
  readonly kind: RequestErrorKind;
  /** The endpoint's name, such as `packages.create`. */
  readonly endpoint: string;
  /** Null when no answer came. */
  readonly status: number | null;
  /** What happened, in a few words of ours. */
  readonly reason: string;
  /** The same in every language. */
  readonly reasons: Bilingual;
  /** The whole message for people; `message` names the endpoint too. */
  readonly text: Bilingual;
  /** The service's own words: one short line. */
  readonly words: string | null;
  readonly fields: FieldWords;
  /** True for a write that the service may have carried out, in this attempt or an earlier one. */
  readonly mayHaveTakenEffect: boolean;
  /** Turned down, and not surely by the service itself, or for what an earlier try of it did. */
  readonly unclear: boolean;
  readonly attempts: number;

  constructor(details: RequestErrorDetails) {
    const { endpoint, reason, words = null, mayHaveTakenEffect = false, cause } = details;
    const said = words === null ? '' : `: ${words}`;
    const tail = mayHaveTakenEffect ? DOUBT : t('', '');
    const text = t(`${reason.en}${said}${tail.en}`, `${reason.nl}${said}${tail.nl}`);
    super(`${endpoint}: ${text.en}`, cause === undefined ? undefined : { cause });
    this.name = 'RequestError';
    this.kind = details.kind;
    this.endpoint = endpoint;
    this.status = details.status ?? null;
    this.reason = reason.en;
    this.reasons = reason;
    this.text = text;
    this.words = words;
    this.fields = details.fields ?? {};
    this.mayHaveTakenEffect = mayHaveTakenEffect;
    this.unclear = details.unclear ?? false;
    this.attempts = details.attempts ?? 1;
  }
}

interface RequestErrorDetails
  extends Pick<RequestError, 'kind' | 'endpoint'>,
    Partial<
      Pick<RequestError, 'status' | 'words' | 'fields' | 'mayHaveTakenEffect' | 'unclear' | 'attempts'>
    > {
  readonly reason: Bilingual;
  readonly cause?: unknown;
}

const INTERRUPTED = t(
  'Interrupted before the request was done.',
  'Onderbroken voordat het verzoek klaar was.',
);

/** Aborted before the request was sent, or its read answered: it took no effect. */
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
