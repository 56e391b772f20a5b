import { soundsDone, soundsWrong } from './answer-words.ts';
import { booleanCodec } from './codecs/boolean.ts';
import { integerCodec } from './codecs/integer.ts';

/**
 * What one part of an answer says:
 * - `done` it was done
 * - `id` the id of what was written
 * - `faultless` there are no errors
 * - `open` words, or a count of none, that settle nothing
 * - `alarming` words that speak of an error
 * - `undone` a flag, of whatever name, that is not set
 * - `wrong` an error
 */
export type Sign = 'done' | 'id' | 'faultless' | 'open' | 'alarming' | 'undone' | 'wrong';

/** The flag of a write, in either of its spellings (interface 7). */
export const FLAG = /^success?$/i;

const DEEPEST = 4;
const ID = /^(?:id|document_?id|(?:voorraad)?mutatie_?id)$/i;
const ERROR_NAME =
  /^(?:errors?|exceptions?|faults?|failed|failures?|rejected|mislukt|geweigerd|fout(?:en|melding)?|error_?(?:message|code))$/i;
const STATUS_NAME =
  /^(?:(?:http|response|return|result|send|edi)_?)?(?:status|state|result|resultaat|code)(?:_?code)?$/i;
const WRONG_STATUS =
  /^(?:error|err|fail|failed|failure|fault|fatal|nok|not ok|ko|rejected|denied|fout|mislukt|geweigerd|afgekeurd|[45]\d\d)$/i;
const DONE_STATUS =
  /^(?:ok|okay|success|succes|successful|done|sent|completed?|accepted|queued|processed|delivered|verzonden|verstuurd|gelukt|geslaagd|verwerkt|geaccepteerd|2\d\d)$/i;
/** Flags and counts of services that have words of their own for it. */
const DOING_NAME =
  /^(?:ok|sent|done|accepted|queued|delivered|verzonden|verstuurd|gelukt|geslaagd|geaccepteerd)$/i;
/** What services put around an answer; anything else that it holds is about something else. */
const WRAPPING = /^(?:data|result|resultaat|response|\d+)$/i;
const WORDS_NAME = /^(?:message|msg|melding|bericht|detail|title|reason|reden)$/i;

/** Everything that an answer of an unknown shape says of itself, part by part; with `own` without what it says of something in it. */
export function* signsOf(content: unknown, own = false, depth = 0): Generator<Sign> {
  if (typeof content === 'string' && depth === 0) yield ofWords(content);
  if (typeof content !== 'object' || content === null || depth > DEEPEST) return;
  for (const [name, value] of Object.entries(content)) yield* ofMember(name, value, own, depth);
}

function* ofMember(name: string, value: unknown, own: boolean, depth: number): Generator<Sign> {
  if (FLAG.test(name)) yield ofFlag(value);
  else if (ERROR_NAME.test(name)) yield saysNothing(value) ? 'faultless' : 'wrong';
  else if (typeof value === 'object' && value !== null) yield* ofGroup(name, value, own, depth);
  else if (STATUS_NAME.test(name)) yield* ofStatus(value);
  else if (DOING_NAME.test(name)) yield ofDoing(value);
  else if (WORDS_NAME.test(name) && typeof value === 'string') yield ofWords(value);
  else if (ID.test(name) && isId(value)) yield 'id';
}

function* ofGroup(name: string, group: object, own: boolean, depth: number): Generator<Sign> {
  if (DOING_NAME.test(name)) yield Object.keys(group).length > 0 ? 'done' : 'open';
  const wraps = WRAPPING.test(name);
  // A record that a write gives back has flags of its own.
  if (own && !wraps) return;
  for (const sign of signsOf(group, own, depth + 1))
    if (wraps || sign === 'wrong' || sign === 'undone') yield sign;
}

function ofWords(words: string): Sign {
  if (soundsWrong(words)) return 'alarming';
  return soundsDone(words) ? 'done' : 'open';
}

function ofFlag(value: unknown): Sign {
  const flag = booleanCodec.read(value);
  if (flag === true) return 'done';
  return flag === false ? 'wrong' : 'undone';
}

function* ofStatus(value: unknown): Generator<Sign> {
  const status = String(value).trim();
  if (WRONG_STATUS.test(status)) yield 'wrong';
  else if (value === false) yield 'undone';
  else if (value === true || DONE_STATUS.test(status)) yield 'done';
}

function ofDoing(value: unknown): Sign {
  if (Number(value) > 1) return 'done';
  const flag = booleanCodec.read(value);
  // A count of none says of nothing that it went wrong.
  if (flag === false) return typeof value === 'number' ? 'open' : 'undone';
  return flag === true ? 'done' : 'open';
}

function isId(value: unknown): boolean {
  const id = integerCodec.read(value);
  return Number.isSafeInteger(id) && Number(id) > 0;
}

function saysNothing(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === 0) return true;
  if (typeof value === 'object') return Object.keys(value).length === 0;
  return /^(?:|0|no|none|null|false|nee|geen|ok)$/i.test(String(value).trim());
}
