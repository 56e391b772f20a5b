import type { Endpoint } from '../schema/endpoint.ts';
import type { Bilingual } from '../schema/value.ts';
import { RequestError, type RequestErrorKind } from './request-error.ts';
import type { Words } from './words.ts';

/** One failed attempt, judged: what it means and whether another attempt could help. */
export interface Failure extends Words {
  readonly kind: RequestErrorKind;
  readonly status: number | null;
  readonly reason: Bilingual;
  /** The service may have carried the request out. */
  readonly effect: boolean;
  /** It may pass by itself. */
  readonly transient: boolean;
  /** How long the service asks everyone to stay away, in ms; null when it does not. */
  readonly wait: number | null;
  readonly cause?: Error;
}

const UNREADABLE = {
  html: {
    en: 'a page came instead of an answer',
    nl: 'er kwam een webpagina in plaats van een antwoord',
  },
  cut: { en: 'the answer is cut off or not JSON', nl: 'het antwoord is afgekapt of geen JSON' },
  shape: {
    en: 'the answer is not as the interface describes',
    nl: 'het antwoord is niet zoals de interface het beschrijft',
  },
} as const satisfies Record<string, Bilingual>;

/** Judges a success whose body cannot be used: a page, a cut text, or another shape than the interface's, with what is wrong about it. */
export function unreadableFailure(
  endpoint: Endpoint,
  status: number,
  why: 'html' | 'cut' | 'shape',
  told: Words & { readonly wrong?: Bilingual },
): Failure {
  const { wrong, ...words } = told;
  const { en, nl } = UNREADABLE[why];
  const reason = wrong === undefined ? { en, nl } : { en: `${en}: ${wrong.en}`, nl: `${nl}: ${wrong.nl}` };
  const read = endpoint.effect === 'none';
  // A wrong shape stays wrong; a page or a cut text often comes from something in between, for a moment.
  const judged = { kind: read ? 'malformed' : 'lost', effect: !read, transient: why !== 'shape' } as const;
  return { ...words, ...judged, status, reason, wait: null };
}

/**
 * Whether the attempt may be repeated. What takes place anew each time (a create, a posting) is repeated only
 * when it certainly had no effect; everything else whenever it may pass by itself.
 */
export function mayRepeat(endpoint: Endpoint, failure: Failure): boolean {
  return failure.transient && (endpoint.effect !== 'each' || !failure.effect);
}

/** The error for the sender; `earlier`: a previous attempt may have taken effect, whatever this one came to. */
export function toRequestError(
  endpoint: Endpoint,
  failure: Failure,
  attempts: number,
  earlier: boolean,
): RequestError {
  const { effect, transient, kind, wait: _, ...rest } = failure;
  // A definite answer stays what it is; "busy" or "unreachable" after a lost answer settles nothing.
  const settled = earlier && transient ? 'lost' : kind;
  const details = { ...rest, kind: settled, endpoint: endpoint.name, attempts };
  // What is refused now was refused then: it was the same request.
  return new RequestError({ ...details, mayHaveTakenEffect: effect || (earlier && kind !== 'refused') });
}
