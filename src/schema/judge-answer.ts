import { z } from 'zod';
import { type AnswerRecord, type WriteAnswer, writeAnswer } from './answer.ts';
import { FLAG, type Sign, signsOf } from './answer-signs.ts';
import { booleanCodec } from './codecs/boolean.ts';
import { checkWords } from './shape-words.ts';

/** What an answer comes to: done, turned down, or something that nobody can be sure of. */
export type Verdict = 'done' | 'refused' | 'doubtful';

/**
 * Judges an answer of which the interface shows nothing. Only the flag of a write (interface 7) turns something down; whatever
 * else speaks of an error leaves open what took place before it, and so does an answer that says nothing.
 */
export function judgeAnswer(content: unknown): Verdict {
  return judge(content, (said) => {
    if (said.has('done')) return true;
    return !said.has('open') && (said.has('id') || said.has('faultless'));
  });
}

/** Judges an answer that the interface shows as `{id, success}`: one of the two has to say that it was done. */
function judgeWrite(content: unknown): Verdict {
  return judge(content, (said) => said.has('id'));
}

/** Judges an answer to what does no harm when it is done twice: what speaks of no error will do. */
function judgeHarmless(content: unknown): Verdict {
  return judge(content, () => true);
}

/** Whether any part of JSON that was asked for says that it is an error in its place. */
export function tellsOfError(content: unknown): boolean {
  return booleanCodec.read(flagOf(content)) === false || [...signsOf(content)].includes('wrong');
}

function judge(content: unknown, isDone: (said: ReadonlySet<Sign>) => boolean): Verdict {
  const flag = booleanCodec.read(flagOf(content));
  if (flag === false) return 'refused';
  const said = new Set(signsOf(content, flag === true));
  if (said.has('wrong') || said.has('undone')) return 'doubtful';
  if (flag === true) return 'done';
  return !said.has('alarming') && isDone(said) ? 'done' : 'doubtful';
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

const UNTOLD = checkWords({
  en: 'it does not tell that it was done',
  nl: 'er staat niet in dat het gedaan is',
});

function judged(judgeContent: (content: unknown) => Verdict): z.ZodType<WriteAnswer> {
  return z.unknown().transform((content, context) => {
    const verdict = judgeContent(content);
    if (verdict !== 'doubtful') return { ...writeAnswer.parse(content), success: verdict === 'done' };
    context.issues.push({ code: 'custom', input: content, ...UNTOLD });
    return z.NEVER;
  });
}

/**
 * As `writeAnswer`, of a write that can't be looked up afterwards: what neither says that it was done nor that it was not is no
 * answer to it.
 */
export const tellingAnswer: z.ZodType<WriteAnswer> = judged(judgeWrite);

/** As `writeAnswer`, of what does no harm when it is done twice: only what speaks of an error is no answer to it. */
export const harmlessAnswer: z.ZodType<WriteAnswer> = judged(judgeHarmless);
