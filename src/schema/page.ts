import { z } from 'zod';
import { booleanCodec } from '../core/codecs/boolean.ts';
import { datetimeCodec } from '../core/codecs/datetime.ts';
import { integerCodec } from '../core/codecs/integer.ts';
import { textCodec } from '../core/codecs/text.ts';
import { t } from '../core/language.ts';
import { checkWords } from '../core/shape-words.ts';
import { type AnswerRecord, isMissing } from './answer.ts';

/** The body of allModified (interface 4.3). */
export interface ProductQuery {
  readonly LMT: string;
  readonly downloadResponseAsJSON?: boolean | undefined;
  readonly exportWithDeclaration?: boolean | undefined;
}

/** The strict body of allModified. */
export const productQuery: z.ZodType<ProductQuery> = z.strictObject({
  LMT: datetimeCodec.wire,
  downloadResponseAsJSON: z.boolean().optional(),
  exportWithDeclaration: z.boolean().optional(),
});

/** One page of a list (interface 4.3): the records, where the next page is, and how many there are. */
export interface RecordPage {
  readonly data: AnswerRecord[];
  readonly links: { readonly next: string | null; readonly first: string | null };
  /** Null where the service did not say. */
  readonly meta: {
    readonly current: number | null;
    readonly last: number | null;
    readonly perPage: number | null;
    readonly total: number | null;
    /** It says that more follows, be it by a way that is not known here (a cursor). */
    readonly more: boolean;
  };
}

const count = (answer: unknown): number | null => {
  const value = integerCodec.read(answer);
  return typeof value === 'number' ? value : null;
};

const link = (answer: unknown): string | null => {
  const value = textCodec.read(answer);
  return typeof value === 'string' ? value : null;
};

/** A page as it comes: what is told of the others stands in parts of its own, or beside the records. */
export interface RawPage extends Record<string, unknown> {
  data?: unknown;
  links?: Record<string, unknown> | null;
  meta?: Record<string, unknown> | null;
}

/** Where the other pages are, and how many there are. */
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

/** Members of other services' pages that say whether more follows: as yes or no, or as what is to be asked with. */
const MORE_FLAG = /^has_?more(?:_?pages)?$/i;
const MORE_TOKEN = /^next_?(?:cursor|page_?token)$/i;

function announcesMore(part: Record<string, unknown>): boolean {
  return Object.entries(part).some(([name, value]) =>
    MORE_FLAG.test(name) ? booleanCodec.read(value) === true : MORE_TOKEN.test(name) && hasValue(value),
  );
}

const hasValue = (value: unknown): boolean => value != null && value !== '' && value !== false;

/**
 * The members of a list. PHP writes one of which some were left out as an object with numbers for keys; undefined for what is none.
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
 * `[{data, links, meta}]`, the same without the outer list, or a bare list of records (a whole download). What has one object for its
 * data is a page of one record where that has the `id` of one.
 */
function toPage(answer: unknown, id: string): unknown {
  const listed = Array.isArray(answer);
  const first = listed ? answer[0] : answer;
  // Anything without records is no page: taking it for an empty list would make every row look new.
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

/** Whether what was read of an answer is a page of a list. */
export function isPage(answer: unknown): answer is RecordPage {
  return isRecord(answer) && Array.isArray(answer.data) && isRecord(answer.links) && isRecord(answer.meta);
}

const number = z.number().nullable();
const text = z.string().nullable();

/** The shape of what `aroundPage` gives. */
export const pageShape = {
  links: z.object({ next: text, first: text }),
  meta: z.object({ current: number, last: number, perPage: number, total: number, more: z.boolean() }),
};

/** The lenient shape of a page whose records have the given shape, and an `id`. */
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

/** The records of a page's shape; undefined for any other. */
export function pageRecord(page: z.ZodType): z.ZodType<AnswerRecord> | undefined {
  return recordsOf.get(page);
}
