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

/** One attempt's answer or failure. */
export type AttemptResult<A> =
  | { readonly ok: true; readonly answer: A }
  | { readonly ok: false; readonly failure: AttemptFailure };

/** Reads an answer: its status, content and shape. `path` is the request's. */
export function readAnswer<A>(
  endpoint: Endpoint<never, A>,
  answer: WireAnswer,
  reading: { readonly scrub: Scrub; readonly now: number; readonly path: string },
): AttemptResult<A> {
  const { status, bytes } = answer;
  // Nobody asked for a part.
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
    // A read may hold personal data; the sender of a write must know what came.
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

/** A file, with its words where it is a short text. */
function asFile({ bytes, headers }: WireAnswer, scrub: Scrub): FileAnswer {
  const type = /^[^;,\s]+/.exec(headers['content-type'] ?? '')?.[0].toLowerCase() ?? null;
  if (bytes.length > LONGEST_TEXT || bytes.includes(0)) return { bytes, type, words: null };
  const text = answerText(bytes);
  const decoded = decodeJson(text);
  return { bytes, type, words: readWords(text, decoded.ok ? decoded.json : undefined, scrub).words };
}

const PARTIAL = 206;

/** Most bytes of a text that came instead of a file. */
const LONGEST_TEXT = 20_000;

/** An answer that may be anything; JSON without words is shown as it is. */
function asOpen(text: string, json: unknown, scrub: Scrub): OpenAnswer {
  const content = json === undefined ? text : json;
  const { words } = readWords(text, json, scrub);
  return { content, words: words ?? (isMissing(content) || isPlainFlag(content) ? null : scrub(text)) };
}

/** A success flag and an id say only that it is done. */
function isPlainFlag(content: unknown): boolean {
  if (content === true) return true;
  if (typeof content !== 'object' || content === null) return false;
  return Object.entries(content).every(([name, value]) => /^(?:success?|id)$/i.test(name) && value !== null);
}

/** A login or error page instead of a file, unless the file is a page. */
function isStrayPage(bytes: Buffer, path: string): boolean {
  return looksLikePage(bytes.subarray(0, 200).toString('latin1')) && !/x?html?$/i.test(path);
}

/** A short answer as it came. */
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
