import { z } from 'zod';
import { booleanCodec } from '../core/codecs/boolean.ts';
import { datetimeCodec } from '../core/codecs/datetime.ts';
import { integerCodec } from '../core/codecs/integer.ts';
import { textCodec } from '../core/codecs/text.ts';
import { type Bilingual, t } from '../core/language.ts';
import { outline } from '../core/shape-words.ts';
import {
  type AnswerRecord,
  isMissing,
  isRefusal,
  type Members,
  recordAnswer,
  recordReader,
  WRAPPING,
} from './answer.ts';
import { judgeAnswer } from './judge-answer.ts';

/** The strict body of allModified (interface 4.3). */
export const productQuery = z.strictObject({
  LMT: datetimeCodec.wire,
  downloadResponseAsJSON: z.boolean().optional(),
  exportWithDeclaration: z.boolean().optional(),
});
/** What allModified is asked with. */
export type ProductQuery = Readonly<z.infer<typeof productQuery>>;

/**
 * One answer to a list read: all of it, or one page (interface 4.3); the records, where the next page is, and
 * how many there are. Members are null where the service did not say.
 */
export interface RecordPage {
  readonly data: AnswerRecord[];
  readonly links: Readonly<Record<'next' | 'first', string | null>>;
  readonly meta: Readonly<Record<'current' | 'last' | 'perPage' | 'total', number | null>> & {
    /** It says that more follows, also in a way not known here (a cursor). */
    readonly more: boolean;
  };
  /** The service tells that the record whose list it would be does not exist. */
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
function pageDetails(page: RawPage): PageDetails {
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
  members: Members = {},
  { id, ofRecord = false, inPages = false }: ListOptions = {},
): z.ZodType<RecordPage> {
  const read = recordReader(members);
  const isThere = (answer: unknown): boolean =>
    inPages ? Array.isArray(answer) || !isMissing(answer) : answer !== undefined;
  return recordAnswer({ form: inPages ? 'pages' : 'list', members }, (answer, refuse) => {
    const missing = refuses(answer);
    if (missing && !ofRecord) return refuse(REFUSED);
    if (!isThere(answer)) return refuse(NOTHING);
    if (holdsNull(answer)) return refuse(NULL);
    const { data, ...told } = ofList(answer);
    if (!Array.isArray(data)) return refuse({ expected: 'array', input: data, path: ['data'] });
    const records = data.map(read);
    // Of many the first is told: an answer may hold millions.
    const at = records.findIndex(
      (one) => one === undefined || !(id === undefined || Number.isSafeInteger(one[id])),
    );
    const wrong = records[at];
    if (wrong !== undefined) return refuse(withoutId(wrong, id));
    if (at >= 0) return refuse({ expected: 'object', input: data[at], path: ['data', at] });
    return { data: records as AnswerRecord[], ...told, missing };
  });
}

/** A record needs its id: what has none is something else in place of a record. */
const withoutId = (record: AnswerRecord, id: string | undefined): Bilingual =>
  t(`a record without ${id}: ${outline(record)}`, `een record zonder ${id}: ${outline(record)}`);

const NO_LIST = { data: [], ...NOTHING_TOLD };
const NOTHING = t('nothing at all in place of a list', 'helemaal niets in plaats van een lijst');
const NULL = t('data null in place of a list', 'data null in plaats van een lijst');
const REFUSED = t('success false in place of a list', 'success false in plaats van een lijst');

const refuses = (answer: unknown): boolean =>
  isRefusal(Array.isArray(answer) && answer.length === 1 ? answer[0] : answer);

function ofList(answer: unknown): PageDetails & { readonly data: unknown } {
  if (isMissing(answer) || refuses(answer)) return NO_LIST;
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

const TOTAL = /^total$/i;
const DEEPEST = 4;

/**
 * The schema of a read of totals (interface 4.2): `{total: [...]}`, that inside `data` or a list, the list
 * itself, or one record in place of a list. `amounts` are the members of which a total has at least one.
 * Anything else is no total, as an absent one would be read as nothing in stock; null for an answer that
 * holds nothing at all, as of a missing record.
 */
export function totalAnswer(
  members: Members,
  amounts: readonly string[],
): z.ZodType<{ readonly total: readonly AnswerRecord[] } | null> {
  const readPlace = recordReader(members);
  const isPlace = (value: unknown): boolean =>
    isRecord(value) && amounts.some((name) => value[name] !== undefined);
  const read = (answer: unknown, depth = 0): readonly unknown[] | undefined => {
    if (depth > DEEPEST || typeof answer !== 'object' || answer === null) return undefined;
    const places = membersOfList(answer);
    if (places?.every(isPlace) && (places.length > 0 || Array.isArray(answer))) return places;
    if (places?.length === 1) return read(places[0], depth + 1);
    if (!isRecord(answer) || judgeAnswer(answer) !== 'done' || tellsOfMore(answer)) return undefined;
    const all = Object.entries(answer);
    const [, held] =
      all.find(([one, value]) => TOTAL.test(one) && typeof value !== 'number') ??
      all.find(([one, value]) => WRAPPING.test(one) && typeof value === 'object') ??
      [];
    if (held !== undefined) return read(held, depth + 1);
    return isPlace(answer) ? [answer] : undefined;
  };
  return recordAnswer({ form: 'total', members }, (answer, refuse) => {
    if (isMissing(answer) && !Array.isArray(answer)) return null;
    const places = read(answer);
    if (places === undefined) return refuse(noTotal(answer));
    return { total: places.map((place) => readPlace(place) as AnswerRecord) };
  });
}

/** Whether there are more pages, so that these places are not all. */
function tellsOfMore(answer: AnswerRecord): boolean {
  const { links, meta } = pageDetails(answer);
  return links.next !== null || (meta.last ?? 1) > 1 || meta.more;
}

const noTotal = (answer: unknown) =>
  t(`no total that is understood: ${outline(answer)}`, `geen totaal dat te begrijpen is: ${outline(answer)}`);
