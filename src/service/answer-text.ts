import { isUtf8 } from 'node:buffer';
import type { Bilingual } from '../core/language.ts';
import { startOf, visibleText } from '../core/visible-text.ts';
import { tooLarge, tooMuch } from './json-limits.ts';
import type { FieldWords } from './request-error.ts';

const LONGEST = 300;
/** Fields, and texts about one, that are kept of an answer's words. */
const MOST_WORDS = 100;
/** Characters of an answer that are searched for words. */
const MOST = 100_000;

/** Makes a text of the service fit to show: one short line, without the token. */
export type Scrub = (text: string) => string;

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
export interface AnswerText {
  readonly text: string;
  /** Whatever the Content-Type says; undefined for an empty text, and for one that is no JSON. */
  readonly json: unknown;
  /** What it is in place of JSON: a page of markup, a text that may be cut off, or why it is not read. */
  readonly flaw: 'html' | 'cut' | Bilingual | null;
}

/** Decodes an answer: UTF-8, else Windows-1252. */
export function decodeAnswer(bytes: Uint8Array): AnswerText {
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

/** What an answer says, fit to show. */
export interface AnswerWords {
  readonly words: string | null;
  readonly fields: FieldWords;
}

/** Of an answer that says nothing. */
export const SILENT: AnswerWords = { words: null, fields: {} };

/** The words of a failure: JSON `{message, errors}` in any of the usual shapes, HTML or plain text. */
export function readWords({ text, json, flaw }: AnswerText, scrub: Scrub): AnswerWords {
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
function fieldWords(errors: unknown, scrub: Scrub): FieldWords {
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
export function looksLikePage(text: string): boolean {
  return /^\s*<(!doctype html|html)\b/i.test(text);
}

function htmlTitle(html: string, scrub: Scrub): string | null {
  const title = /<(title|h1)[^>]*>(.*?)<\/\1/is.exec(html.slice(0, 20_000))?.[2] ?? '';
  return scrub(title.replace(/<[^>]*>/g, ' ').replace(/&\w+;|&#\d+;/g, ' ')) || null;
}
