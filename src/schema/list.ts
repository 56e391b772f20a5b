import { z } from 'zod';
import { t } from '../core/language.ts';
import { checkWords } from '../core/shape-words.ts';
import { type AnswerRecord, isMissing, isRefusal } from './answer.ts';
import { membersOfList, pageDetails, pageShape, type RawPage, type RecordPage } from './page.ts';

/** One answer to a list read: usually all of it, or one page. */
export interface ListPage extends RecordPage {
  /** The service tells that the record whose list it would be does not exist. */
  readonly missing: boolean;
}

interface ListOptions {
  /** An integer member of each record: an answer in which one lacks it is no list. */
  readonly id?: string;
  /** The list belongs to one record, which may not exist: `success` false tells so. */
  readonly ofRecord?: boolean;
  /** An integer member that a single record must have; without it, it is an error in place of a list. */
  readonly only?: string;
}

/**
 * The schema of a list read: a list, a single record, or either inside `data` (interface 4.4 does not show
 * whether a list is returned), with what it tells of other pages. `[]`, null and `{}` hold no records.
 * `success` false is no list, nor is an empty body, which a failing service answers too: read as an empty
 * list, it would make existing records look new.
 */
export function listAnswer(
  record: z.ZodType<AnswerRecord>,
  { id, only, ofRecord = false }: ListOptions = {},
): z.ZodType<ListPage> {
  const page = z.object({ data: z.array(record), ...pageShape, missing: z.boolean() });
  const holds = (one: AnswerRecord, member: string | undefined): boolean =>
    member === undefined || Number.isSafeInteger(one[member]);
  const whole = ({ data }: ListPage): boolean =>
    data.every((one) => holds(one, id)) && (data.length !== 1 || data.every((one) => holds(one, only)));
  const list = z
    .unknown()
    .refine((answer) => answer !== undefined, checkWords(NOTHING))
    .refine((answer) => ofRecord || !refuses(answer), checkWords(REFUSED))
    .transform((answer): unknown => ({ ...toPage(answer), missing: refuses(answer) }))
    .pipe(page)
    .refine(whole, checkWords(t(`a record without ${id ?? only}`, `een record zonder ${id ?? only}`)));
  recordsOf.set(list, record);
  return list;
}

const NOTHING = t('nothing at all in place of a list', 'helemaal niets in plaats van een lijst');
const REFUSED = t('success false in place of a list', 'success false in plaats van een lijst');

const recordsOf = new WeakMap<z.ZodType, z.ZodType<AnswerRecord>>();

/** The schema of a list's records; undefined for any other schema. */
export function listRecord(list: z.ZodType): z.ZodType<AnswerRecord> | undefined {
  return recordsOf.get(list);
}

const refuses = (answer: unknown): boolean =>
  isRefusal(Array.isArray(answer) && answer.length === 1 ? answer[0] : answer);

type Page = Pick<RecordPage, 'links' | 'meta'> & { readonly data: unknown };

function toPage(answer: unknown): Page {
  if (isMissing(answer) || refuses(answer)) return { data: [], ...pageDetails({}) };
  const members = membersOfList(answer);
  if (members !== undefined) {
    if (!members.some(holdsList)) return { data: members, ...pageDetails({}) };
    // Several pages in one answer do not tell where the next one is.
    return members.length === 1 ? toPage(members[0]) : { data: null, ...pageDetails({}) };
  }
  const { data, ...beside } = answer as RawPage;
  if (data === undefined || typeof data !== 'object') return { data: [answer], ...pageDetails({}) };
  const inner = toPage(data);
  return saysMore(beside) ? { ...pageDetails(beside), data: inner.data } : inner;
}

const holdsList = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && membersOfList((answer as RawPage).data) !== undefined;

/** Whether anything beside the records tells of pages. */
function saysMore(beside: RawPage): boolean {
  const { links, meta } = pageDetails(beside);
  return [...Object.values(links), ...Object.values(meta)].some((told) => told !== null && told !== false);
}
