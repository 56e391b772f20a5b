import { t } from '../core/language.ts';
import { shapeWords } from '../core/shape-words.ts';
import { type FileAnswer, isMissing, type OpenAnswer } from '../schema/answer.ts';
import type { Endpoint } from '../schema/endpoint.ts';
import { withNextLink } from './address.ts';
import {
  type AnswerText,
  decodeAnswer,
  looksLikePage,
  readWords,
  type Scrub,
  SILENT,
} from './answer-text.ts';
import { type AttemptFailure, statusFailure, unreadableFailure } from './failure.ts';
import type { WireAnswer } from './transport.ts';

/** One attempt's answer or failure. */
export type AttemptResult<A> =
  | { readonly ok: true; readonly answer: A }
  | { readonly ok: false; readonly failure: AttemptFailure };

const failed = (failure: AttemptFailure): AttemptResult<never> => ({ ok: false, failure });

/** Reads an answer: its status, content and shape. `path` is the request's. */
export function readAnswer<A>(
  endpoint: Endpoint<never, A>,
  answer: WireAnswer,
  reading: { readonly scrub: Scrub; readonly now: number; readonly path: string },
): AttemptResult<A> {
  try {
    return understood(endpoint, answer, reading);
  } catch (error) {
    // Whatever reading it runs into: what was written is in doubt, and no row is lost by it.
    const cause = error as Error;
    const wrong = t(`reading it failed (${cause.name})`, `het lezen ervan ging mis (${cause.name})`);
    return failed({ ...unreadableFailure(endpoint, answer.status, 'limit', { ...SILENT, wrong }), cause });
  }
}

function understood<A>(
  endpoint: Endpoint<never, A>,
  answer: WireAnswer,
  { scrub, now, path }: Parameters<typeof readAnswer>[2],
): AttemptResult<A> {
  const { status, bytes } = answer;
  if (status === PARTIAL) return failed(unreadableFailure(endpoint, status, 'cut', SILENT));
  const success = status >= 200 && status < 300;
  const start = bytes.subarray(0, 200).toString('latin1');
  // A login or error page may come instead of a file, unless the file is a page.
  if (success && endpoint.returns === 'binary' && (!looksLikePage(start) || /x?html?$/i.test(path)))
    return shaped(endpoint, status, asFile(answer, scrub), scrub);
  const decoded = decodeAnswer(bytes);
  const { text, json, flaw } = decoded;
  if (success && typeof flaw === 'object' && flaw !== null)
    return failed(unreadableFailure(endpoint, status, 'limit', { ...SILENT, wrong: flaw }));
  if (success && endpoint.returns === 'any' && (flaw !== 'html' || isXml(text))) {
    const open = asOpen(decoded, scrub);
    return shaped(endpoint, status, open, scrub, endpoint.effect === 'none' ? null : open.words);
  }
  const said = readWords(decoded, scrub);
  if (!success) return failed(statusFailure(endpoint, answer, { ...said, html: flaw === 'html', now }));
  if (typeof flaw === 'string')
    return failed(unreadableFailure(endpoint, status, flaw, flaw === 'html' ? said : SILENT));
  // A read may hold personal data; the sender of a write must know what came, where it is short.
  const short = said.words ?? (text.length <= SHORT ? scrub(text) || null : null);
  const words = endpoint.effect === 'none' ? null : short;
  const read = shaped(endpoint, status, NO_BODY.has(status) ? {} : json, scrub, words);
  return read.ok ? { ok: true, answer: withNextLink(read.answer, answer.headers.link) } : read;
}

/** Whether markup is a document of data, and no page. */
const isXml = (text: string): boolean => /^\s*<\?xml\b/i.test(text) && !/<html\b/i.test(text);

/** A file, with its words where it is a short text. */
function asFile({ bytes }: WireAnswer, scrub: Scrub): FileAnswer {
  if (bytes.length > LONGEST_TEXT || bytes.includes(0)) return { bytes, words: null };
  return { bytes, words: readWords(decodeAnswer(bytes), scrub).words };
}

const SHORT = 100;

/** A part of an answer, which nobody asked for. */
const PARTIAL = 206;
/** Done, and says nothing: 204 and 205. */
const NO_BODY: ReadonlySet<number> = new Set([204, 205]);

/** Most bytes of a text that came instead of a file. */
const LONGEST_TEXT = 20_000;

/** An answer that may be anything; JSON without words is shown as it is. */
function asOpen(decoded: AnswerText, scrub: Scrub): OpenAnswer {
  const { text, json } = decoded;
  const content = json === undefined ? text : json;
  const { words } = readWords(decoded, scrub);
  return { content, words: words ?? (isMissing(content) || isPlainFlag(content) ? null : scrub(text)) };
}

/** A success flag and an id say only that it is done. */
function isPlainFlag(content: unknown): boolean {
  if (content === true) return true;
  if (typeof content !== 'object' || content === null) return false;
  return Object.entries(content).every(([name, value]) => /^(?:success?|id)$/i.test(name) && value !== null);
}

/** A write's answer with its message fit to show. */
function withShortMessage<A>(answer: A, scrub: Scrub): A {
  const { message } = answer as { readonly message?: unknown };
  return typeof message === 'string' ? { ...answer, message: scrub(message) || null } : answer;
}

function shaped<A>(
  endpoint: Endpoint<never, A>,
  status: number,
  answer: unknown,
  scrub: Scrub,
  words: string | null = null,
): AttemptResult<A> {
  const read = endpoint.answer.safeParse(answer, { reportInput: true });
  if (read.success && endpoint.effect === 'none') return { ok: true, answer: read.data };
  if (read.success) return { ok: true, answer: withShortMessage(read.data, scrub) };
  const { en, nl } = shapeWords(read.error);
  // It may tell of names that came.
  const told = { words, fields: {}, wrong: t(scrub(en), scrub(nl)) };
  return failed(unreadableFailure(endpoint, status, 'shape', told));
}
