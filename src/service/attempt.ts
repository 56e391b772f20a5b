import type { Endpoint } from '../schema/endpoint.ts';
import { answerText, decodeJson, inflated } from './decode.ts';
import { zodWords } from './encode.ts';
import { type Failure, statusFailure, unreadableFailure } from './failure.ts';
import type { WireAnswer } from './transport.ts';
import { looksLikeHtml, readWords, type Scrub, type Words } from './words.ts';

/** What one attempt came to: the answer, or a judged failure. */
export type Attempt<A> =
  | { readonly ok: true; readonly answer: A }
  | { readonly ok: false; readonly failure: Failure };

const NO_WORDS: Words = { words: null, fields: {} };

const failed = (failure: Failure): Attempt<never> => ({ ok: false, failure });

/** Reads an answer by its endpoint: status, content, shape. */
export function readAnswer<A>(
  endpoint: Endpoint<never, A>,
  answer: WireAnswer,
  reading: { readonly scrub: Scrub; readonly maxAnswerBytes: number; readonly now: number },
): Attempt<A> {
  const { status } = answer;
  const { scrub, maxAnswerBytes, now } = reading;
  const success = status >= 200 && status < 300;
  const binary = success && endpoint.returns === 'binary';
  const unreadable = (why: 'html' | 'cut' | 'shape', words: Words) =>
    failed(unreadableFailure(endpoint as Endpoint, status, why, words));
  let bytes: Buffer;
  try {
    bytes = inflated(answer, maxAnswerBytes);
  } catch {
    return unreadable('cut', NO_WORDS);
  }
  if (binary) return shaped(endpoint, bytes, unreadable);
  const text = answerText(bytes);
  const decoded = decodeJson(text);
  const words = () => readWords(text, decoded.ok ? decoded.json : undefined, scrub);
  if (!success) {
    return failed(
      statusFailure(endpoint as Endpoint, answer, { ...words(), html: looksLikeHtml(text), now }),
    );
  }
  if (!decoded.ok) return unreadable(decoded.why, decoded.why === 'html' ? words() : NO_WORDS);
  return shaped(endpoint, decoded.json, unreadable);
}

function shaped<A>(
  endpoint: Endpoint<never, A>,
  answer: unknown,
  unreadable: (why: 'shape', words: Words) => Attempt<A>,
): Attempt<A> {
  const read = endpoint.answer.safeParse(answer);
  // zod's words name members and types, never values.
  return read.success
    ? { ok: true, answer: read.data }
    : unreadable('shape', { words: zodWords(read.error), fields: {} });
}
