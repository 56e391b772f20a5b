import { isUtf8 } from 'node:buffer';
import { type Bilingual, t } from '../core/language.ts';
import { shapeWords } from '../core/shape-words.ts';
import { startOf, visibleText } from '../core/visible-text.ts';
import { type FileAnswer, isMissing, type OpenAnswer } from '../schema/answer.ts';
import type { Endpoint } from '../schema/endpoint.ts';
import { type AttemptFailure, SILENT, statusFailure, unreadableFailure } from './failure.ts';
import type { AnswerWords } from './request-error.ts';
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
  if (success && typeof flaw === 'object' && flaw !== null) {
    const why = flaw === TOO_MUCH ? 'much' : 'limit';
    return failed(unreadableFailure(endpoint, status, why, { ...SILENT, wrong: flaw }));
  }
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
  return shaped(endpoint, status, NO_BODY.has(status) ? {} : json, scrub, words);
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

const LONGEST = 300;
/** Fields, and texts about one, that are kept of an answer's words. */
const MOST_WORDS = 100;
/** Characters of an answer that are searched for words. */
const MOST = 100_000;

/** Makes a text of the service fit to show: one short line, without the token. */
type Scrub = (text: string) => string;

/** The scrub for a service whose token this is. */
export function openScrub(token: string): Scrub {
  const secrets = [token, encodeURIComponent(token), Buffer.from(token).toString('base64')];
  const longest = Math.max(...secrets.map((secret) => secret.length));
  return (text) => {
    const open = secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), text.slice(0, MOST));
    // The cut may leave half a secret.
    const whole = text.length > MOST ? open.slice(0, -longest) : open;
    const clean = visibleText(whole.replace(/[\s\p{Cc}]+/gu, ' ').trim());
    return clean.length <= LONGEST ? clean : `${startOf(clean, LONGEST - 1)}…`;
  };
}

/** An answer's text and what it holds. */
interface AnswerText {
  readonly text: string;
  /** Whatever the Content-Type says; undefined for an empty text, and for one that is no JSON. */
  readonly json: unknown;
  /** What it is in place of JSON: a page of markup, a text that may be cut off, or why it is not read. */
  readonly flaw: 'html' | 'cut' | Bilingual | null;
}

/** Decodes an answer: UTF-8, else Windows-1252. */
function decodeAnswer(bytes: Uint8Array): AnswerText {
  const decoded = new TextDecoder(isUtf8(bytes) ? 'utf-8' : 'windows-1252').decode(bytes);
  const text = decoded.replace(/^\ufeff/, '');
  const much = tooMuch(text);
  if (much !== null) return { text, json: undefined, flaw: much };
  try {
    const json: unknown = text.trim() === '' ? undefined : JSON.parse(text);
    const flaw = tooLarge(json);
    return { text, json: flaw === null ? json : undefined, flaw };
  } catch {
    return { text, json: undefined, flaw: MARKUP.test(text.slice(0, 200)) ? 'html' : 'cut' };
  }
}

const MARKUP = /^\s*<(!--|\?xml|(!doctype|html|head|body|h1|p|div|center|title|br|b)\b)/i;

/** The words of a failure: JSON `{message, errors}` in any of the usual shapes, HTML or plain text. */
function readWords({ text, json, flaw }: AnswerText, scrub: Scrub): AnswerWords {
  if (flaw === 'html') return { words: htmlTitle(text, scrub), fields: {} };
  if (json === undefined || typeof json === 'string')
    return { words: scrub(json ?? text) || null, fields: {} };
  if (typeof json !== 'object' || json === null) return SILENT;
  const members = (Array.isArray(json) ? json[0] : json) as Record<string, unknown> | undefined;
  const error = members?.error;
  const inner = typeof error === 'object' && error !== null ? (error as Record<string, unknown>) : {};
  const said = [members?.message, inner.message, error, members?.errors, members?.title, members?.detail];
  const words = said.find((part): part is string => typeof part === 'string' && part.trim() !== '');
  const fields = fieldWords(members?.errors ?? inner.errors ?? inner.fields, scrub);
  return { words: words === undefined ? (Object.values(fields)[0]?.[0] ?? null) : scrub(words), fields };
}

/** `{Field: [texts]}`, `{Field: text}` or a list of `{field, message}`. */
function fieldWords(errors: unknown, scrub: Scrub): AnswerWords['fields'] {
  if (typeof errors !== 'object' || errors === null) return {};
  const pairs = Array.isArray(errors) ? errors.map(fieldAndText) : Object.entries(errors);
  const texts = pairs.slice(0, MOST_WORDS).map(([field, text]) => [
    scrub(String(field)),
    [text]
      .flat(2)
      .slice(0, MOST_WORDS)
      .map((one) => scrub(typeof one === 'string' ? one : (JSON.stringify(one) ?? '')))
      .filter(Boolean),
  ]);
  return Object.fromEntries(texts.filter(([field, said]) => field !== '' && said?.length));
}

function fieldAndText(entry: unknown): [string, unknown] {
  if (typeof entry !== 'object' || entry === null) return ['', ''];
  const { field, name, path, message, detail } = entry as Record<string, unknown>;
  return [String(field ?? name ?? path ?? ''), message ?? detail ?? ''];
}

/** Whether the text of what may be a file, such as XML, is a web page. */
function looksLikePage(text: string): boolean {
  return /^\s*<(!doctype html|html)\b/i.test(text);
}

function htmlTitle(html: string, scrub: Scrub): string | null {
  const title = /<(title|h1)[^>]*>(.*?)<\/\1/is.exec(html.slice(0, 20_000))?.[2] ?? '';
  return scrub(title.replace(/<[^>]*>/g, ' ').replace(/&\w+;|&#\d+;/g, ' ')) || null;
}

/** Levels of lists and objects in one another; a trip with its event and contact has six. */
const DEEPEST = 64;
/** Lists and objects, and values of any kind: a list of the largest records has a third of them. */
const MOST_NESTED = 100_000;
const MOST_VALUES = 4_000_000;
/** Members of one object, and values of each on average: an object of more takes seconds. */
const MOST_MEMBERS = 10_000;

/** Why a JSON text would take more memory than an answer may; null for any other. It is not yet parsed. */
function tooMuch(text: string): Bilingual | null {
  const nested = countOf('[', text, MOST_NESTED) + countOf('{', text, MOST_NESTED);
  if (nested > MOST_NESTED) return TOO_MUCH;
  const most = Math.min(MOST_VALUES, (nested + 1) * MOST_MEMBERS);
  // A value takes two signs at least: most texts are too short to hold so many.
  return text.length > 2 * most && countOf(',', text, most) > most ? TOO_MUCH : null;
}

/** How often a sign stands in a text, to one more than `most`: the engine's own search outruns any loop. */
function countOf(sign: string, text: string, most: number): number {
  let count = 0;
  for (let at = text.indexOf(sign); at >= 0 && count <= most; at = text.indexOf(sign, at + 1)) count++;
  return count;
}

/** Why a parsed answer can't be read on: what reads or writes it calls itself once a level, or copies it. */
function tooLarge(json: unknown): Bilingual | null {
  let level: object[] = isNested(json) ? [json] : [];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > DEEPEST) return TOO_DEEP;
    const next: object[] = [];
    for (const one of level) if (addNested(one, next) > MOST_MEMBERS) return TOO_MUCH;
    level = next;
  }
  return null;
}

/** Adds what is nested in a list or object; answers how many members it has, 0 of a list. */
function addNested(one: object, found: object[]): number {
  if (Array.isArray(one)) {
    for (const value of one) if (isNested(value)) found.push(value);
    return 0;
  }
  const members = one as Record<string, unknown>;
  let count = 0;
  for (const name in members) {
    count++;
    const value = members[name];
    if (isNested(value)) found.push(value);
  }
  return count;
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Of so many values that fewer may well be read: a list may be asked for in parts. */
const TOO_MUCH = t(
  'it holds more values than are accepted',
  'er staan meer waarden in dan worden aangenomen',
);
const TOO_DEEP = t(
  `it is nested more than ${DEEPEST} levels deep`,
  `het is meer dan ${DEEPEST} niveaus diep genest`,
);
