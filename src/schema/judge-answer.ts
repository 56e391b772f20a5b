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
 * any other sign of an error leaves the outcome open.
 */
export function judgeAnswer(content: unknown): AnswerJudgement {
  const flag = booleanCodec.read(flagOf(content));
  if (flag === false) return 'refused';
  return speaksOfError(content, flag === true) ? 'doubtful' : 'done';
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

const judged = (tells: (content: unknown) => boolean): z.ZodType<WriteAnswer> =>
  z.unknown().transform((content, context) => {
    const verdict = judgeAnswer(content);
    const isSure = verdict === 'refused' || (verdict === 'done' && tells(content));
    if (isSure) return { ...writeAnswer.parse(content ?? {}), success: verdict === 'done' };
    context.issues.push({ code: 'custom', input: content, ...UNTOLD });
    return z.NEVER;
  });

/**
 * As `writeAnswer`, for a write that can’t be looked up afterwards: refused where neither its id nor its flag
 * tells that it was done or not.
 */
export const tellingAnswer = judged((content) => flagOf(content) != null || holdsId(content));

/** As `writeAnswer`, for a request that may safely be repeated: only a sign of an error is refused. */
export const harmlessAnswer = judged(() => true);

/** The same where nothing of the answer is shown. */
export const unshownAnswer: z.ZodType<WriteAnswer> = openAnswer
  .transform(({ content }) => content)
  .pipe(harmlessAnswer);

/** The flag of a write, in either spelling (interface 7). */
const SUCCESS_FLAG = /^success?$/i;
const ID = /^(?:id|document_?id|(?:voorraad)?mutatie_?id)$/i;
/** Names of members that hold an error, and words that are one in place of a status. */
const ERROR_NAME =
  /^(?:errors?|exceptions?|faults?|failed|failures?|rejected|mislukt|geweigerd|fout(?:en|melding)?|error_?(?:message|code))$/i;
const STATUS_NAME =
  /^(?:(?:http|response|return|result|send|edi)_?)?(?:status|state|result|resultaat|code)(?:_?code)?$/i;
/** Names of flags and counts that some services use in place of a status. */
const DOING_NAME = /^(?:ok|sent|done|accepted|queued|verzonden|verstuurd|gelukt|geslaagd)$/i;
/** What services wrap an answer in; a member of any other name is about something else. */
const WRAPPING = /^(?:data|result|resultaat|response|\d+)$/i;
const WORDS_NAME = /^(?:message|msg|melding|bericht|detail|title|reason|reden)$/i;

/** Whether an answer, part by part, speaks of an error; with a flag that it is done, its words don't count. */
function speaksOfError(content: unknown, isDone = false): boolean {
  if (typeof content === 'string') return !isDone && soundsWrong(content);
  if (typeof content !== 'object' || content === null) return false;
  return Object.entries(content).some(([name, value]) => {
    if (ERROR_NAME.test(name)) return !saysNothing(value);
    if (SUCCESS_FLAG.test(name)) return booleanCodec.read(value) !== true;
    if (typeof value === 'object' && value !== null) {
      const wraps = WRAPPING.test(name);
      // A record in the answer has flags and words of its own.
      return (wraps || !isDone) && speaksOfError(value, isDone || !wraps);
    }
    if (STATUS_NAME.test(name)) return isWrongStatus(value, isDone);
    // A count of 0 is no error where a flag says that it is done.
    if (DOING_NAME.test(name)) return !(isDone && value === 0) && booleanCodec.read(value) === false;
    return !isDone && WORDS_NAME.test(name) && typeof value === 'string' && soundsWrong(value);
  });
}

function isWrongStatus(value: unknown, isDone: boolean): boolean {
  if (typeof value === 'boolean') return !value;
  const status = String(value).trim();
  return /^[45]\d\d$/.test(status) || ERROR_NAME.test(status) || (!isDone && soundsWrong(status));
}

const holdsId = (content: unknown): boolean =>
  typeof content === 'object' &&
  content !== null &&
  Object.entries(content).some(
    ([name, value]) =>
      (ID.test(name) && Number(integerCodec.read(value)) > 0) || (WRAPPING.test(name) && holdsId(value)),
  );

function saysNothing(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return /^(?:|0|no|none|null|undefined|false|nee|geen|ok)$/i.test(String(value).trim());
}

/** Whether words tell of an error, or of something that was not done. */
function soundsWrong(words: string): boolean {
  const rest = words.replace(NONE_WRONG, '');
  return WRONG.test(rest) || (DONE.test(rest) && NOT.test(rest));
}

const NONE_WRONG = /\b(?:no|without|zero|0|geen|zonder) (?:errors?|failures?|failed|fouten|fout)\b/gi;
const WRONG =
  /\b(?:errors?|exception|fault|fatal|fail(?:ed|ure)?|warning|denied|refused|rejected|invalid|unauthori[sz]ed|forbidden|not found|unknown|does not exist|no connection|time[d -]*out|unable|could not|cannot|can't|unavailable|not ok|fout|fouten|mislukt|geweigerd|afgekeurd|ongeldig|onbekend|niet gevonden|bestaat niet|geen verbinding|niet bereikbaar|kon niet|kan niet|niet verstuurd|niet verzonden)\b/i;
const DONE =
  /\b(?:ok|okay|sent|success\w*|succes|done|completed?|accepted|queued|processed|delivered|transmitted|verzonden|verstuurd|gelukt|geslaagd|verwerkt)\b/i;
/** What says of such words that it is not so. */
const NOT = /\b(?:0|no|not|none|nothing|never|\w+n['’]t|geen|niet|niets|nooit)\b/i;
