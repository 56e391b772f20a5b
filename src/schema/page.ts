import { z } from 'zod';
import { booleanCodec } from '../core/codecs/boolean.ts';
import { datetimeCodec } from '../core/codecs/datetime.ts';
import { integerCodec } from '../core/codecs/integer.ts';
import { textCodec } from '../core/codecs/text.ts';
import { t } from '../core/language.ts';
import { checkWords } from '../core/shape-words.ts';
import { type AnswerRecord, isMissing } from './answer.ts';

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
export const pageShape = {
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

const count = (answer: unknown): number | null => {
  const value = integerCodec.read(answer);
  return typeof value === 'number' ? value : null;
};

const link = (answer: unknown): string | null => {
  const value = textCodec.read(answer);
  return typeof value === 'string' ? value : null;
};

/** A page as it comes: what it tells of others stands in `links` and `meta`, or beside the records. */
export interface RawPage extends Record<string, unknown> {
  data?: unknown;
  links?: Record<string, unknown> | null;
  meta?: Record<string, unknown> | null;
}

/** What a page tells of the others. */
export function pageDetails(page: RawPage): Pick<RecordPage, 'links' | 'meta'> {
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

/**
 * The members of a list, which PHP may write as an object with numbers for keys; undefined for anything else.
 */
export function membersOfList(value: unknown): readonly unknown[] | undefined {
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
  if (whole) return { data: answer, ...pageDetails({}) };
  const data = page.data === null ? [] : membersOfList(page.data);
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
  const told = z.unknown().refine((page) => page !== undefined, checkWords(NO_LIST));
  const page = z.preprocess(
    (answer) => toPage(answer, id),
    told.pipe(z.object({ data: z.array(record), ...pageShape })),
  );
  recordsOf.set(page, record);
  return page;
}

const NO_LIST = t('no list of records is in it', 'er staat geen lijst van records in');

const recordsOf = new WeakMap<z.ZodType, z.ZodType<AnswerRecord>>();

/** The schema of a page's records; undefined for any other schema. */
export function pageRecord(page: z.ZodType): z.ZodType<AnswerRecord> | undefined {
  return recordsOf.get(page);
}
