import { z } from 'zod';
import { t } from '../core/language.ts';
import { checkWords, outline } from '../core/shape-words.ts';
import { type AnswerRecord, answerMembers, isMissing, WRAPPING } from './answer.ts';
import { tellsOfError } from './judge-answer.ts';
import { pageDetails } from './page.ts';

/** What a read of a total answers. */
export interface TotalAnswer {
  /** A record for each place, also none. */
  readonly total: readonly AnswerRecord[];
}

const TOTAL = /^total$/i;
const DEEPEST = 4;

/**
 * The schema of a read of totals (interface 4.2): `{total: [...]}`, that inside `data` or a list, the list
 * itself, or one record in place of a list. `amounts` are the members of which a total has at least one;
 * names may be in other capitals. Anything else is no total, as an absent one would be read as nothing in
 * stock; null for an answer that holds nothing at all, as of a missing record.
 */
export function totalAnswer(
  record: z.ZodType<AnswerRecord>,
  amounts: readonly string[],
): z.ZodType<TotalAnswer | null> {
  const names = new Map(Object.keys(answerMembers(record) ?? {}).map((name) => [plain(name), name]));
  const own = (place: object): AnswerRecord => {
    const members = Object.entries(place).map(([name, value]) => [names.get(plain(name)) ?? name, value]);
    // A member in its own capitals goes before the same in others.
    return { ...Object.fromEntries(members), ...place };
  };
  const isPlace = (value: unknown): value is object =>
    isGroup(value) && !Array.isArray(value) && amounts.some((name) => own(value)[name] !== undefined);
  const read = (answer: unknown, depth = 0): AnswerRecord[] | undefined => {
    if (depth > DEEPEST || !isGroup(answer)) return undefined;
    if (Array.isArray(answer)) {
      if (answer.every(isPlace)) return answer.map(own);
      return answer.length === 1 ? read(answer[0], depth + 1) : undefined;
    }
    if (tellsOfError(answer) || tellsOfMore(answer)) return undefined;
    const members = Object.entries(answer);
    const [, held] =
      members.find(([one, value]) => TOTAL.test(one) && typeof value !== 'number') ??
      members.find(([one, value]) => WRAPPING.test(one) && isGroup(value)) ??
      [];
    if (held !== undefined) return read(held, depth + 1);
    if (isPlace(answer)) return [own(answer)];
    // PHP writes a list that lacks some of its numbers as an object.
    const isNumbered = members.length > 0 && members.every(([one]) => /^\d+$/.test(one));
    return isNumbered ? read(Object.values(answer), depth + 1) : undefined;
  };
  const answered = z
    .unknown()
    .transform((answer, context): unknown => {
      if (isMissing(answer) && !Array.isArray(answer)) return null;
      const found = read(answer);
      if (found !== undefined) return { total: found };
      context.issues.push({ code: 'custom', input: answer, ...checkWords(noTotal(answer)) });
      return z.NEVER;
    })
    .pipe(z.looseObject({ total: z.array(record), success: z.unknown().optional() }).nullable());
  return answered as z.ZodType<unknown> as z.ZodType<TotalAnswer | null>;
}

/** A name whatever its capitals. */
const plain = (name: string): string => name.toLowerCase().replaceAll('_', '');

const isGroup = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Whether there are more pages, so that these places are not all. */
function tellsOfMore(answer: object): boolean {
  const { links, meta } = pageDetails(answer as AnswerRecord);
  return links.next !== null || (meta.last ?? 1) > 1 || meta.more;
}

const noTotal = (answer: unknown) =>
  t(`no total that is understood: ${outline(answer)}`, `geen totaal dat te begrijpen is: ${outline(answer)}`);
