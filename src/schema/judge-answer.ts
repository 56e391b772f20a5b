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
 * any other sign of an error leaves the outcome open, and with `strict` so does an answer that tells nothing.
 */
export function judgeAnswer(content: unknown, { strict }: { readonly strict: boolean }): AnswerJudgement {
  return judge(content, strict ? saysDone : (said) => !said.has('denied'));
}

const saysDone: TellsDone = (said) => {
  if (said.has('done')) return true;
  const isOpen = said.has('open') || said.has('denied');
  return !isOpen && (said.has('id') || said.has('faultless'));
};

/** Whether JSON is an error in place of what was asked for. */
export function tellsOfError(content: unknown): boolean {
  return booleanCodec.read(flagOf(content)) === false || [...signsOf(content)].includes('wrong');
}

/** Whether signs that hold no error tell that it was done. */
type TellsDone = (said: ReadonlySet<AnswerSign>) => boolean;

function judge(content: unknown, isDone: TellsDone): AnswerJudgement {
  const flag = booleanCodec.read(flagOf(content));
  if (flag === false) return 'refused';
  const said = new Set(signsOf(content, flag === true));
  if (said.has('wrong') || said.has('undone')) return 'doubtful';
  if (flag === true) return 'done';
  return !said.has('alarming') && isDone(said) ? 'done' : 'doubtful';
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

function judged(isDone: TellsDone): z.ZodType<WriteAnswer> {
  return z.unknown().transform((content, context) => {
    const verdict = judge(content, isDone);
    if (verdict !== 'doubtful') return { ...writeAnswer.parse(content ?? {}), success: verdict === 'done' };
    context.issues.push({ code: 'custom', input: content, ...UNTOLD });
    return z.NEVER;
  });
}

/**
 * As `writeAnswer`, for a write that can’t be looked up afterwards: refused where neither its id nor its flag
 * tells that it was done or not.
 */
export const tellingAnswer: z.ZodType<WriteAnswer> = judged((said) => said.has('id'));

/** As `writeAnswer`, for a request that may safely be repeated: only a sign of an error is refused. */
export const harmlessAnswer: z.ZodType<WriteAnswer> = judged(() => true);

/**
 * As `writeAnswer`, for a request of which the answer is not shown, and that leaves the same when it is sent
 * again: done, unless the answer tells of an error.
 */
export const unshownAnswer: z.ZodType<WriteAnswer> = openAnswer
  .transform(({ content }) => (content === '' ? {} : content))
  .pipe(judged((said) => !said.has('denied')));

/**
 * What one part of an answer tells:
 * - `done` it was done
 * - `id` the id of what was written
 * - `faultless` there are no errors
 * - `open` a text that settles nothing
 * - `denied` a text that it was not done, or a count of 0
 * - `alarming` a text about an error
 * - `undone` a flag, of any name, that is not set
 * - `wrong` an error
 */
type AnswerSign = 'done' | 'id' | 'faultless' | 'open' | 'denied' | 'alarming' | 'undone' | 'wrong';

/** The flag of a write, in either spelling (interface 7). */
const SUCCESS_FLAG = /^success?$/i;

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
function* signsOf(content: unknown, own = false, depth = 0): Generator<AnswerSign> {
  if (typeof content === 'string' && depth === 0) yield ofWords(content);
  if (typeof content !== 'object' || content === null || depth > DEEPEST) return;
  for (const [name, value] of Object.entries(content)) yield* ofMember(name, value, own, depth);
}

function* ofMember(name: string, value: unknown, own: boolean, depth: number): Generator<AnswerSign> {
  if (SUCCESS_FLAG.test(name)) yield ofFlag(value);
  else if (ERROR_NAME.test(name)) yield saysNothing(value) ? 'faultless' : 'wrong';
  else if (typeof value === 'object' && value !== null) yield* ofGroup(name, value, own, depth);
  else if (STATUS_NAME.test(name)) yield* ofStatus(value);
  else if (DOING_NAME.test(name)) yield ofDoing(value);
  else if (WORDS_NAME.test(name) && typeof value === 'string') yield ofWords(value);
  else if (ID.test(name) && isId(value)) yield 'id';
}

function* ofGroup(name: string, group: object, own: boolean, depth: number): Generator<AnswerSign> {
  if (DOING_NAME.test(name)) yield Object.keys(group).length > 0 ? 'done' : 'open';
  const wraps = WRAPPING.test(name);
  // A record in the answer has flags of its own.
  if (own && !wraps) return;
  for (const sign of signsOf(group, own, depth + 1))
    if (wraps || sign === 'wrong' || sign === 'undone') yield sign;
}

function ofWords(words: string): AnswerSign {
  if (soundsWrong(words)) return 'alarming';
  if (soundsDone(words)) return 'done';
  const rest = withoutNoErrors(words);
  return DONE.test(rest) && NOT.test(rest) ? 'denied' : 'open';
}

function ofFlag(value: unknown): AnswerSign {
  const flag = booleanCodec.read(value);
  if (flag === true) return 'done';
  return flag === false ? 'wrong' : 'undone';
}

function* ofStatus(value: unknown): Generator<AnswerSign> {
  const status = String(value).trim();
  if (WRONG_STATUS.test(status)) yield 'wrong';
  else if (value === false) yield 'undone';
  else if (value === true || DONE_STATUS.test(status)) yield 'done';
}

function ofDoing(value: unknown): AnswerSign {
  if (Number(value) > 1) return 'done';
  const flag = booleanCodec.read(value);
  // A count of 0 is no sign of an error.
  if (flag === false) return typeof value === 'number' ? 'denied' : 'undone';
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

const NONE_WRONG = /\b(?:no|without|zero|0|geen|zonder) (?:errors?|failures?|failed|fouten|fout)\b/gi;
const WRONG =
  /\b(?:error|errors|exception|fatal|fail(?:ed|ure)?|warning|denied|refused|rejected|invalid|unauthori[sz]ed|forbidden|not found|unknown|no such|(?:does not|doesn.t) exist|no connection|time[d -]*out|unable|could not|cannot|can't|unavailable|fout|fouten|mislukt|geweigerd|ongeldig|onbekend|niet gevonden|bestaat niet|geen verbinding|niet bereikbaar|kon niet|kan niet|niet verstuurd|niet verzonden)\b/i;

const DONE =
  /\b(?:ok|okay|sent|success(?:ful(?:ly)?)?|succes|succesvol|done|completed?|accepted|queued|processed|delivered|transmitted|verzonden|verstuurd|gelukt|geslaagd|verwerkt|geaccepteerd|afgeleverd)\b/i;
/** What negates such words, or makes them depend on something still to come. */
const NOT_YET =
  /\b(?:0|no|not|none|nothing|never|\w+n['’]t|geen|niet|niets|nooit|nog|yet|to be|pending|wait\w*|wacht\w*|can|could|may|might|will|would|shall|should|must|kan|kunnen|mag|zal|zou|zullen|moet|moeten|if|unless|als|indien|tenzij|after|before|na|voordat|nadat|partly|partially|deels|gedeeltelijk)\b/i;

/** What says of such words that it is not so. */
const NOT = /\b(?:0|no|not|none|nothing|never|\w+n['’]t|geen|niet|niets|nooit)\b/i;

const withoutNoErrors = (words: string): string => words.replace(NONE_WRONG, '');

/** Whether a text tells of an error. */
function soundsWrong(words: string): boolean {
  return WRONG.test(withoutNoErrors(words));
}

/** Whether a text tells plainly that it was done. */
function soundsDone(words: string): boolean {
  const rest = withoutNoErrors(words);
  return DONE.test(rest) && !WRONG.test(rest) && !NOT_YET.test(rest);
}
