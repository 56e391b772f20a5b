import { shapeWords } from '../core/shape-words.ts';
import { type FileAnswer, isMissing, type OpenAnswer } from '../schema/answer.ts';
import type { Endpoint } from '../schema/endpoint.ts';
import { withNextLink } from './address.ts';
import {
  type AnswerWords,
  answerText,
  decodeJson,
  looksLikeHtml,
  looksLikePage,
  readWords,
  type Scrub,
} from './answer-text.ts';
import { type AttemptFailure, statusFailure, unreadableFailure } from './failure.ts';
import type { WireAnswer } from './transport.ts';

/** What one attempt came to: the answer, or a judged failure. */
export type AttemptResult<A> =
  | { readonly ok: true; readonly answer: A }
  | { readonly ok: false; readonly failure: AttemptFailure };

/** Reads an answer by its endpoint: status, content, shape. `path` is what was asked for. */
export function readAnswer<A>(
  endpoint: Endpoint<never, A>,
  answer: WireAnswer,
  reading: { readonly scrub: Scrub; readonly now: number; readonly path: string },
): AttemptResult<A> {
  const { status, bytes } = answer;
  // A part that nobody asked for is no answer.
  const success = status >= 200 && status < 300 && status !== PARTIAL;
  if (success && endpoint.returns === 'binary' && !isStrayPage(bytes, reading.path)) {
    return shaped(endpoint, status, asFile(answer, reading.scrub));
  }
  const text = answerText(bytes);
  const decoded = decodeJson(text);
  if (success && endpoint.returns === 'any' && (decoded.ok || !looksLikeHtml(text))) {
    return shaped(endpoint, status, asOpen(text, decoded.ok ? decoded.json : undefined, reading.scrub));
  }
  const words =
    status === PARTIAL ? SILENT : readWords(text, decoded.ok ? decoded.json : undefined, reading.scrub);
  if (success && decoded.ok) {
    // What a read brings may be about people; of a write, its sender must know what came.
    const told = endpoint.effect === 'none' ? null : (words.words ?? shortText(text, reading.scrub));
    const read = shaped(endpoint, status, decoded.json, { words: told, fields: {} });
    return read.ok ? { ok: true, answer: withNextLink(read.answer, answer.headers.link) } : read;
  }
  if (!success) {
    const said = { ...words, html: looksLikeHtml(text), now: reading.now };
    return { ok: false, failure: statusFailure(endpoint as Endpoint, answer, said) };
  }
  const why = decoded.ok ? 'cut' : decoded.why;
  return unreadable(endpoint, status, why, why === 'html' ? words : SILENT);
}

/** What came for a file, with what it says where it is a short text. */
function asFile({ bytes, headers }: WireAnswer, scrub: Scrub): FileAnswer {
  const type = /^[^;,\s]+/.exec(headers['content-type'] ?? '')?.[0].toLowerCase() ?? null;
  if (bytes.length > LONGEST_TEXT || bytes.includes(0)) return { bytes, type, words: null };
  const text = answerText(bytes);
  const decoded = decodeJson(text);
  return { bytes, type, words: readWords(text, decoded.ok ? decoded.json : undefined, scrub).words };
}

const PARTIAL = 206;

/** So many bytes a text that stands in a file's place has at most. */
const LONGEST_TEXT = 20_000;

/** What came where anything may come; JSON without words of its own is shown as it is. */
function asOpen(text: string, json: unknown, scrub: Scrub): OpenAnswer {
  const content = json === undefined ? text : json;
  const { words } = readWords(text, json, scrub);
  return { content, words: words ?? (isMissing(content) || isPlainFlag(content) ? null : scrub(text)) };
}

/** A success and an id say no more than that it is done. */
function isPlainFlag(content: unknown): boolean {
  if (content === true) return true;
  if (typeof content !== 'object' || content === null) return false;
  return Object.entries(content).every(([name, value]) => /^(?:success?|id)$/i.test(name) && value !== null);
}

/** A login or error page where a file should be; unless a page is what was asked for. */
function isStrayPage(bytes: Buffer, path: string): boolean {
  return looksLikePage(bytes.subarray(0, 200).toString('latin1')) && !/x?html?$/i.test(path);
}

/** An answer as it came, where it is hardly more than a word. */
const shortText = (text: string, scrub: Scrub): string | null =>
  text.length <= SHORT ? scrub(text) || null : null;

const SHORT = 100;

function shaped<A>(
  endpoint: Endpoint<never, A>,
  status: number,
  answer: unknown,
  told: AnswerWords = SILENT,
): AttemptResult<A> {
  const read = endpoint.answer.safeParse(answer, { reportInput: true });
  if (read.success) return { ok: true, answer: read.data };
  return unreadable(endpoint, status, 'shape', { ...told, wrong: shapeWords(read.error) });
}

const SILENT: AnswerWords = { words: null, fields: {} };

function unreadable(
  endpoint: Endpoint<never>,
  status: number,
  why: 'html' | 'cut' | 'shape',
  told: Parameters<typeof unreadableFailure>[3],
): AttemptResult<never> {
  return { ok: false, failure: unreadableFailure(endpoint as Endpoint, status, why, told) };
}
