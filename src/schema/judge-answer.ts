import { z } from 'zod';
import { booleanCodec } from '../core/codecs/boolean.ts';
import { integerCodec } from '../core/codecs/integer.ts';
import { t } from '../core/language.ts';
import { checkWords } from '../core/shape-words.ts';
import { type AnswerRecord, openAnswer, type WriteAnswer, writeAnswer } from './answer.ts';

/** What an answer tells: done, refused, or nothing certain. */
type AnswerJudgement = 'done' | 'refused' | 'doubtful';

/**
 * Judges an answer of which the interface shows nothing. Only the flag of a write (interface 7) is a refusal;
 * any other sign of an error leaves the outcome open, and with `strict` so does an answer that does not say
 * that it was done.
 */
export function judgeAnswer(content: unknown, { strict }: { readonly strict: boolean }): AnswerJudgement {
  return judge(content, strict ? 'done' : undefined);
}

/** Whether JSON is an error in place of what was asked for. */
export function tellsOfError(content: unknown): boolean {
  const signs = [...signsOf(content)];
  return (
    booleanCodec.read(flagOf(content)) === false || signs.includes('wrong') || signs.includes('alarming')
  );
}

/** `needs`: the sign without which an answer that tells of no error, and has no flag, settles nothing. */
function judge(content: unknown, needs: AnswerSign | undefined): AnswerJudgement {
  const flag = booleanCodec.read(flagOf(content));
  if (flag === false) return 'refused';
  const said = new Set(signsOf(content, flag === true));
  if (said.has('wrong')) return 'doubtful';
  if (flag === true) return 'done';
  return !said.has('alarming') && (needs === undefined || said.has(needs)) ? 'done' : 'doubtful';
}

/** The flag of a write, in either spelling; undefined where there is none, or one for each of several. */
function flagOf(content: unknown): unknown {
  if (typeof content === 'boolean') return content;
  const record = Array.isArray(content) && content.length === 1 ? content[0] : content;
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return undefined;
  const { data, ...members } = record as AnswerRecord;
  const own = Object.entries(members).find(([name]) => SUCCESS_FLAG.test(name))?.[1];
  return own ?? (typeof data === 'object' ? flagOf(data) : undefined);
}

const UNTOLD = checkWords(t('it does not tell that it was done', 'er staat niet in dat het gedaan is'));

function judged(needs: AnswerSign | undefined): z.ZodType<WriteAnswer> {
  return z.unknown().transform((content, context) => {
    const verdict = judge(content, needs);
    if (verdict !== 'doubtful') return { ...writeAnswer.parse(content ?? {}), success: verdict === 'done' };
    context.issues.push({ code: 'custom', input: content, ...UNTOLD });
    return z.NEVER;
  });
}

/**
 * As `writeAnswer`, for a write that can’t be looked up afterwards: refused where neither its id nor its flag
 * tells that it was done or not.
 */
export const tellingAnswer: z.ZodType<WriteAnswer> = judged('id');

/** As `writeAnswer`, for a request that may safely be repeated: only a sign of an error is refused. */
export const harmlessAnswer: z.ZodType<WriteAnswer> = judged(undefined);

/** The same where nothing of the answer is shown. */
export const unshownAnswer: z.ZodType<WriteAnswer> = openAnswer
  .transform(({ content }) => content)
  .pipe(harmlessAnswer);

/**
 * What one part of an answer tells:
 * - `done` it was done
 * - `id` the id of what was written
 * - `alarming` a text about an error, or that it was not done; or a count of 0
 * - `wrong` an error, or a flag that is not set
 */
type AnswerSign = 'done' | 'id' | 'alarming' | 'wrong';

/** The flag of a write, in either spelling (interface 7). */
const SUCCESS_FLAG = /^success?$/i;

const DEEPEST = 4;
const ID = /^(?:id|document_?id|(?:voorraad)?mutatie_?id)$/i;
/** Names of members that hold an error, and words that are one in place of a status. */
const ERROR_NAME =
  /^(?:errors?|exceptions?|faults?|failed|failures?|rejected|mislukt|geweigerd|fout(?:en|melding)?|error_?(?:message|code))$/i;
const STATUS_NAME =
  /^(?:(?:http|response|return|result|send|edi)_?)?(?:status|state|result|resultaat|code)(?:_?code)?$/i;
/** Names of flags and counts that some services use in place of a status. */
const DOING_NAME =
  /^(?:ok|sent|done|accepted|queued|delivered|verzonden|verstuurd|gelukt|geslaagd|geaccepteerd)$/i;
/** What services wrap an answer in; a member of any other name is about something else. */
const WRAPPING = /^(?:data|result|resultaat|response|\d+)$/i;
const WORDS_NAME = /^(?:message|msg|melding|bericht|detail|title|reason|reden)$/i;

/**
 * All signs in an answer of unknown shape, part by part; with `own` only those of the answer itself, not of a
 * record in it.
 */
function* signsOf(content: unknown, own = false, depth = 0): Generator<AnswerSign | undefined> {
  if (typeof content === 'string' && depth === 0) yield ofWords(content);
  if (typeof content !== 'object' || content === null || depth > DEEPEST) return;
  for (const [name, value] of Object.entries(content)) {
    if (ERROR_NAME.test(name)) yield saysNothing(value) ? undefined : 'wrong';
    else if (SUCCESS_FLAG.test(name)) yield booleanCodec.read(value) === true ? 'done' : 'wrong';
    else if (typeof value === 'object' && value !== null) yield* ofGroup(name, value, own, depth);
    else if (STATUS_NAME.test(name)) yield ofStatus(value);
    else if (DOING_NAME.test(name)) yield ofDoing(value);
    else if (WORDS_NAME.test(name) && typeof value === 'string') yield ofWords(value);
    else if (ID.test(name) && isId(value)) yield 'id';
  }
}

function* ofGroup(
  name: string,
  group: object,
  own: boolean,
  depth: number,
): Generator<AnswerSign | undefined> {
  const wraps = WRAPPING.test(name);
  // A record in the answer has flags of its own.
  if (own && !wraps) return;
  for (const sign of signsOf(group, own, depth + 1)) if (wraps || sign === 'wrong') yield sign;
}

function ofWords(words: string): AnswerSign | undefined {
  const rest = words.replace(NONE_WRONG, '');
  if (WRONG.test(rest) || (DONE.test(rest) && NOT.test(rest))) return 'alarming';
  return DONE_ALONE.test(rest) ? 'done' : undefined;
}

function ofStatus(value: unknown): AnswerSign | undefined {
  if (typeof value === 'boolean') return value ? 'done' : 'wrong';
  const status = String(value).trim();
  if (/^[45]\d\d$/.test(status) || ERROR_NAME.test(status)) return 'wrong';
  return /^2\d\d$/.test(status) ? 'done' : ofWords(status);
}

function ofDoing(value: unknown): AnswerSign | undefined {
  if (Number(value) > 0) return 'done';
  const flag = booleanCodec.read(value);
  // A count of 0 is no sign of an error.
  if (flag === false) return typeof value === 'number' ? 'alarming' : 'wrong';
  return flag === true ? 'done' : undefined;
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

const NONE_WRONG = /\b(?:no|without|zero|0|geen|zonder) (?:errors?|failures?|failed|fouten|fout)\b/gi;
const WRONG =
  /\b(?:err|errors?|exception|fault|fatal|fail(?:ed|ure)?|warning|denied|refused|rejected|invalid|unauthori[sz]ed|forbidden|not found|unknown|no such|(?:does not|doesn.t) exist|no connection|time[d -]*out|unable|could not|cannot|can't|unavailable|nok|not ok|ko|fout|fouten|mislukt|geweigerd|afgekeurd|ongeldig|onbekend|niet gevonden|bestaat niet|geen verbinding|niet bereikbaar|kon niet|kan niet|niet verstuurd|niet verzonden)\b/i;
const DONE_WORDS =
  'ok|okay|sent|success(?:ful(?:ly)?)?|succes|succesvol|done|completed?|accepted|queued|processed|delivered|transmitted|verzonden|verstuurd|gelukt|geslaagd|verwerkt|geaccepteerd|afgeleverd';
const DONE = new RegExp(`\\b(?:${DONE_WORDS})\\b`, 'i');
/** In a sentence such a word may also tell of what is still to come. */
const DONE_ALONE = new RegExp(`^\\W*(?:${DONE_WORDS})\\W*$`, 'i');
/** What says of such words that it is not so. */
const NOT = /\b(?:0|no|not|none|nothing|never|\w+n['’]t|geen|niet|niets|nooit)\b/i;
