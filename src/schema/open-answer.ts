import { z } from 'zod';
import type { AnswerRecord } from './answer.ts';
import { booleanCodec } from './codecs/boolean.ts';

/** An answer of which the interface shows nothing. */
export interface OpenAnswer {
  /** The JSON that it is, or its text. */
  readonly content: unknown;
  /** What it says in words: one short line, fit to show; null where it says nothing. */
  readonly words: string | null;
}

/** A file that was asked for, or what came in its place. */
export interface FileAnswer {
  readonly bytes: Uint8Array;
  /** The media type that the service gives it, in lower case and without parameters; null where it gives none. */
  readonly type: string | null;
  /** What it says where it is a text: one short line, fit to show; null for any other content. */
  readonly words: string | null;
}

/** Reads an answer of which nothing is shown. */
export const openAnswer: z.ZodType<OpenAnswer> = z.object({
  content: z.unknown(),
  words: z.string().nullable(),
});

/** Reads a file. */
export const fileAnswer: z.ZodType<FileAnswer> = z.object({
  bytes: z.instanceof(Uint8Array),
  type: z.string().nullable(),
  words: z.string().nullable(),
});

/** What an answer of an unknown shape comes to: done, turned down, or something that nobody can be sure of. */
export type Verdict = 'done' | 'refused' | 'doubtful';

const DEEPEST = 4;
const FLAG = /^success?$/i;
const ERROR_NAME = /^(?:errors?|exceptions?|faults?|fout(?:en|melding)?|errormessage)$/i;
const STATUS_NAME = /^(?:status|state|result|resultaat|code|statuscode)$/i;
const WRONG_STATUS =
  /^(?:error|err|fail|failed|failure|fault|fatal|nok|not ok|ko|rejected|denied|fout|mislukt|geweigerd|afgekeurd|[45]\d\d)$/i;
const NONE_WRONG = /\b(?:no|without|zero|0|geen|zonder) (?:errors?|failures?|fouten|fout)\b/gi;
const WRONG_WORDS =
  /\b(?:error|errors|exception|fatal|fail(?:ed|ure)?|warning|denied|refused|rejected|invalid|unauthori[sz]ed|forbidden|not found|no connection|time[d -]*out|unable|could not|cannot|can't|unavailable|fout|fouten|mislukt|geweigerd|ongeldig|niet gevonden|geen verbinding|niet bereikbaar|kon niet|kan niet|niet verstuurd|niet verzonden)\b/i;

/** Whether words tell that something went wrong. */
export function soundsWrong(words: string): boolean {
  return WRONG_WORDS.test(words.replace(NONE_WRONG, ''));
}

/**
 * Judges an answer of an unknown shape. Only the flag of a write (interface 7) turns something down; whatever else
 * speaks of an error leaves open what took place before it.
 */
export function judgeAnswer({ content, words }: OpenAnswer): Verdict {
  const flag = booleanCodec.read(flagOf(content));
  if (flag === false) return 'refused';
  if (tellsOfError(content)) return 'doubtful';
  return flag !== true && words !== null && soundsWrong(words) ? 'doubtful' : 'done';
}

/** The flag of a write, in either spelling, as it stands; undefined where there is none, or one for each of several. */
function flagOf(content: unknown): unknown {
  if (typeof content === 'boolean') return content;
  const record = Array.isArray(content) && content.length === 1 ? content[0] : content;
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return undefined;
  const { data, ...members } = record as AnswerRecord;
  const own = Object.entries(members).find(([name]) => FLAG.test(name))?.[1];
  return own ?? (typeof data === 'object' ? flagOf(data) : undefined);
}

/** Whether any part of an answer says that something went wrong: an error, a status, a flag of one thing of several. */
function tellsOfError(content: unknown, depth = 0): boolean {
  if (typeof content !== 'object' || content === null || depth > DEEPEST) return false;
  return Object.entries(content).some(([name, value]) => {
    if (FLAG.test(name)) return booleanCodec.read(value) === false;
    if (ERROR_NAME.test(name)) return !saysNothing(value);
    if (STATUS_NAME.test(name) && WRONG_STATUS.test(String(value).trim())) return true;
    return tellsOfError(value, depth + 1);
  });
}

function saysNothing(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === 0) return true;
  if (typeof value === 'object') return Object.keys(value).length === 0;
  return /^(?:|0|no|none|null|false|nee|geen|ok)$/i.test(String(value).trim());
}
