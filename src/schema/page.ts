import { z } from 'zod';
import { booleanCodec } from '../core/codecs/boolean.ts';
import { datetimeCodec } from '../core/codecs/datetime.ts';
import { integerCodec } from '../core/codecs/integer.ts';
import { textCodec } from '../core/codecs/text.ts';
import { t } from '../core/language.ts';
import { checkWords, outline } from '../core/shape-words.ts';
import { type AnswerRecord, isMissing, isRefusal, recordsOf } from './answer.ts';

/** The strict body of allModified (interface 4.3). */
export const productQuery = z.strictObject({
  LMT: datetimeCodec.wire,
  downloadResponseAsJSON: z.boolean().optional(),
  exportWithDeclaration: z.boolean().optional(),
});
/** What allModified is asked with. */
export type ProductQuery = Readonly<z.infer<typeof productQuery>>;

const number = z.number().nullable();
const text = z.string().nullable();

/** What a page tells of the others; members are null where the service did not say. */
const pageShape = {
  links: z.object({ next: text, first: text }),
  /** `more`: it says that more follows, also in a way not known here (a cursor). */
  meta: z.object({ current: number, last: number, perPage: number, total: number, more: z.boolean() }),
  /** The service tells that the record whose list it would be does not exist. */
  missing: z.boolean(),
};

/**
 * One answer to a list read: all of it, or one page (interface 4.3); the records, where the next page is, and
 * how many there are.
 */
export interface RecordPage {
  readonly data: AnswerRecord[];
  readonly links: Readonly<z.infer<typeof pageShape.links>>;
  readonly meta: Readonly<z.infer<typeof pageShape.meta>>;
  readonly missing: boolean;
}

type PageDetails = Pick<RecordPage, 'links' | 'meta'>;

const count = (answer: unknown): number | null => {
  const value = integerCodec.read(answer);
  return typeof value === 'number' ? value : null;
};

const link = (answer: unknown): string | null => {
  const value = textCodec.read(answer);
  return typeof value === 'string' ? value : null;
};

/** A page as it comes: what it tells of others stands in `links` and `meta`, or beside the records. */
interface RawPage extends Record<string, unknown> {
  data?: unknown;
  links?: Record<string, unknown> | null;
  meta?: Record<string, unknown> | null;
}

/** What a page tells of the others. */
export function pageDetails(page: RawPage): PageDetails {
  const [links, meta] = [page.links ?? {}, page.meta ?? {}];
  return {
    links: {
      next: link(links.next ?? page.next_page_url ?? page.next),
      first: link(links.first ?? page.first_page_url),
    },
    meta: {
      current: count(meta.current_page ?? page.current_page),
      last: count(meta.last_page ?? page.last_page),
      perPage: count(meta.per_page ?? page.per_page),
      total: count(meta.total ?? page.total),
      more: [page, links, meta].some(announcesMore),
    },
  };
}

/** Members that tell whether more follows: a flag, or a token to ask the next page with. */
const MORE_FLAG = /^has_?more(?:_?pages)?$/i;
const MORE_TOKEN = /^next_?(?:cursor|page_?token)$/i;

function announcesMore(part: Record<string, unknown>): boolean {
  return Object.entries(part).some(([name, value]) =>
    MORE_FLAG.test(name) ? booleanCodec.read(value) === true : MORE_TOKEN.test(name) && hasValue(value),
  );
}

const hasValue = (value: unknown): boolean => value != null && value !== '' && value !== false;

const NOTHING_TOLD = pageDetails({});

/** The members of a list, which PHP may write as an object with numbers for keys; undefined for others. */
function membersOfList(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (!isRecord(value)) return undefined;
  const members = Object.entries(value);
  return members.every(([key, member]) => /^\d+$/.test(key) && isRecord(member))
    ? members.map(([, member]) => member)
    : undefined;
}

const isRecord = (value: unknown): value is AnswerRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether what was read of an answer is a page. */
export function isPage(answer: unknown): answer is RecordPage {
  return isRecord(answer) && Array.isArray(answer.data) && isRecord(answer.links) && isRecord(answer.meta);
}

/** A record needs its id: what has none is something else in place of a record. */
function refuseWithout(data: readonly AnswerRecord[], id: string, context: z.RefinementCtx): void {
  const one = data.find((record) => !Number.isSafeInteger(record[id]));
  if (one === undefined) return;
  const said = outline(one);
  context.addIssue({
    code: 'custom',
    ...checkWords(t(`a record without ${id}: ${said}`, `een record zonder ${id}: ${said}`)),
  });
}

const lists = new WeakMap<
  z.ZodType,
  { readonly record: z.ZodType<AnswerRecord>; readonly inPages: boolean }
>();

/** What the schema of a list tells of it: the schema of its records, and whether it comes in pages. */
export const listOf = (schema: z.ZodType) => lists.get(schema);

interface ListOptions {
  /** An integer member of each record: an answer in which one lacks it is no list. */
  readonly id?: string;
  /** The list belongs to one record, which may not exist: `success` false tells so. */
  readonly ofRecord?: boolean;
  /** It comes in pages (interface 4.3): the answer is one, never nothing or a record alone. */
  readonly inPages?: boolean;
}

/**
 * The schema of a list read: a list, a single record, or either inside `data` (interface 4.4 does not show
 * whether a list is returned), with what it tells of other pages. `[]`, and but for pages null and `{}`, hold
 * no records. `success` false is no list, nor is an empty body or null in place of `data`, which a failing
 * service answers too: read as an empty list, it would make existing records look new.
 */
export function listAnswer(
  record: z.ZodType<AnswerRecord>,
  { id, ofRecord = false, inPages = false }: ListOptions = {},
): z.ZodType<RecordPage> {
  const page = z.object({ data: recordsOf(record), ...pageShape });
  const isThere = (answer: unknown): boolean =>
    inPages ? Array.isArray(answer) || !isMissing(answer) : answer !== undefined;
  const list = z
    .unknown()
    .refine((answer) => ofRecord || !refuses(answer), checkWords(REFUSED))
    .refine(isThere, checkWords(NOTHING))
    .refine((answer) => !holdsNull(answer), checkWords(NULL))
    .transform((answer): unknown => ({ ...ofList(answer), missing: refuses(answer) }))
    .pipe(
      id === undefined ? page : page.superRefine(({ data }, context) => refuseWithout(data, id, context)),
    );
  lists.set(list, { record, inPages });
  return list;
}

const NOTHING = t('nothing at all in place of a list', 'helemaal niets in plaats van een lijst');
const NULL = t('data null in place of a list', 'data null in plaats van een lijst');
const REFUSED = t('success false in place of a list', 'success false in plaats van een lijst');

const refuses = (answer: unknown): boolean =>
  isRefusal(Array.isArray(answer) && answer.length === 1 ? answer[0] : answer);

function ofList(answer: unknown): PageDetails & { readonly data: unknown } {
  if (isMissing(answer) || refuses(answer)) return { data: [], ...NOTHING_TOLD };
  const members = membersOfList(answer);
  if (members !== undefined) {
    const [only] = members;
    if (members.length === 1 && typeof (only as RawPage | null)?.data === 'object') return ofList(only);
    // Several pages in one answer do not tell where the next one is.
    return { data: members.some(holdsList) ? null : members, ...NOTHING_TOLD };
  }
  const { data, ...beside } = answer as RawPage;
  if (data === undefined || typeof data !== 'object')
    return { data: [answer], ...pageDetails(answer as RawPage) };
  const inner = ofList(data);
  return saysMore(beside) ? { ...pageDetails(beside), data: inner.data } : inner;
}

/** Whether null stands where a list should: as `data`, however it is wrapped. */
function holdsNull(answer: unknown): boolean {
  const only = Array.isArray(answer) && answer.length === 1 ? answer[0] : answer;
  if (!isRecord(only) || !('data' in only)) return false;
  return only.data === null ? !isRefusal(only) : holdsNull(only.data);
}

const holdsList = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && membersOfList((answer as RawPage).data) !== undefined;

/** Whether anything beside the records tells of pages. */
function saysMore(beside: RawPage): boolean {
  const { links, meta } = pageDetails(beside);
  return [...Object.values(links), ...Object.values(meta)].some((told) => told !== null && told !== false);
}
