import { z } from 'zod';
import { booleanCodec } from '../core/codecs/boolean.ts';
import { datetimeCodec } from '../core/codecs/datetime.ts';
import { integerCodec } from '../core/codecs/integer.ts';
import { textCodec } from '../core/codecs/text.ts';
import { t } from '../core/language.ts';
import { outline } from '../core/outline.ts';
import { checkWords } from '../core/shape-words.ts';
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
};

/** One page of a list (interface 4.3): the records, where the next page is, and how many there are. */
export interface RecordPage {
  readonly data: AnswerRecord[];
  readonly links: Readonly<z.infer<typeof pageShape.links>>;
  readonly meta: Readonly<z.infer<typeof pageShape.meta>>;
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
      next: link(links.next ?? page.next_page_url),
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

/**
 * Reads `[{data, links, meta}]`, the same without the outer list, or a bare list of records (a whole
 * download). A single object as `data` is a page of one record if it has the `id`.
 */
function toPage(answer: unknown, id: string): unknown {
  const listed = Array.isArray(answer);
  const first = listed ? answer[0] : answer;
  // Anything without records is no page: read as an empty list, it would make every row look new.
  if (isMissing(first) && !(listed && answer.length === 0)) return undefined;
  const page = (first ?? {}) as RawPage;
  const whole = listed && page.data === undefined;
  if (!whole && page.data === undefined) return undefined;
  // Of several pages in one answer only the first would be read.
  if (!whole && listed && answer.length > 1) return undefined;
  if (whole) return { data: answer, ...NOTHING_TOLD };
  // A page inside the data of another.
  const [inner] = Array.isArray(page.data) ? page.data : [];
  if (Array.isArray(page.data) && page.data.length === 1 && holdsList(inner)) return toPage(page.data, id);
  if (isRecord(page.data) && holdsList(page.data)) return toPage(page.data, id);
  if (page.data === null) return undefined;
  const data = membersOfList(page.data);
  if (data === undefined && isRecord(page.data) && !Object.hasOwn(page.data, id)) return undefined;
  return { data: data ?? [page.data], ...pageDetails(page) };
}

/** Whether what was read of an answer is a page. */
export function isPage(answer: unknown): answer is RecordPage {
  return isRecord(answer) && Array.isArray(answer.data) && isRecord(answer.links) && isRecord(answer.meta);
}

/** The lenient schema of a page whose records have this schema, and an `id`. */
export function pageAnswer(
  record: z.ZodType<AnswerRecord>,
  { id }: { readonly id: string },
): z.ZodType<RecordPage> {
  const shape = z.object({ data: recordsOf(record), ...pageShape });
  const page = z
    .unknown()
    .transform((answer, context): unknown => {
      const found = toPage(answer, id);
      if (found !== undefined) return found;
      context.issues.push({ code: 'custom', input: answer, ...checkWords(noList(answer)) });
      return z.NEVER;
    })
    .pipe(shape.superRefine(({ data }, context) => refuseWithout(data, id, context)));
  pageRecords.set(page, record);
  return page;
}

const noList = (answer: unknown) =>
  t(
    `no list of records is in it: ${outline(answer)}`,
    `er staat geen lijst van records in: ${outline(answer)}`,
  );

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

const pageRecords = new WeakMap<z.ZodType, z.ZodType<AnswerRecord>>();

/** The schema of a page's records; undefined for any other schema. */
export const pageRecord = (page: z.ZodType): z.ZodType<AnswerRecord> | undefined => pageRecords.get(page);

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
}

/**
 * The schema of a list read: a list, a single record, or either inside `data` (interface 4.4 does not show
 * whether a list is returned), with what it tells of other pages. `[]`, null and `{}` hold no records.
 * `success` false is no list, nor is an empty body or null in place of `data`, which a failing service
 * answers too: read as an empty list, it would make existing records look new.
 */
export function listAnswer(
  record: z.ZodType<AnswerRecord>,
  { id, ofRecord = false }: ListOptions = {},
): z.ZodType<ListPage> {
  const page = z.object({ data: recordsOf(record), ...pageShape, missing: z.boolean() });
  const list = z
    .unknown()
    .refine((answer) => answer !== undefined, checkWords(NOTHING))
    .refine((answer) => ofRecord || !refuses(answer), checkWords(REFUSED))
    .refine((answer) => !holdsNull(answer), checkWords(NULL))
    .transform((answer): unknown => ({ ...ofList(answer), missing: refuses(answer) }))
    .pipe(
      id === undefined ? page : page.superRefine(({ data }, context) => refuseWithout(data, id, context)),
    );
  listRecords.set(list, record);
  return list;
}

const NOTHING = t('nothing at all in place of a list', 'helemaal niets in plaats van een lijst');
const NULL = t('data null in place of a list', 'data null in plaats van een lijst');
const REFUSED = t('success false in place of a list', 'success false in plaats van een lijst');

const listRecords = new WeakMap<z.ZodType, z.ZodType<AnswerRecord>>();

/** The schema of a list's records; undefined for any other schema. */
export const listRecord = (list: z.ZodType): z.ZodType<AnswerRecord> | undefined => listRecords.get(list);

const refuses = (answer: unknown): boolean =>
  isRefusal(Array.isArray(answer) && answer.length === 1 ? answer[0] : answer);

function ofList(answer: unknown): PageDetails & { readonly data: unknown } {
  if (isMissing(answer) || refuses(answer)) return { data: [], ...NOTHING_TOLD };
  const members = membersOfList(answer);
  if (members !== undefined) {
    if (!members.some(holdsList)) return { data: members, ...NOTHING_TOLD };
    // Several pages in one answer do not tell where the next one is.
    return members.length === 1 ? ofList(members[0]) : { data: null, ...NOTHING_TOLD };
  }
  const { data, ...beside } = answer as RawPage;
  if (data === undefined || typeof data !== 'object') return { data: [answer], ...NOTHING_TOLD };
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
