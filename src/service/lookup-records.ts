import type { AnswerRecord } from '../schema/answer.ts';
import type { Endpoint } from '../schema/endpoint.ts';
import { aroundPage, type ProductPage } from '../schema/page.ts';
import type { PathParams } from './address.ts';
import { firstPage } from './pages.ts';
import { RequestError } from './request-error.ts';
import type { Service } from './service.ts';

/** The records of a lookup, whatever stands around them. */
export interface LookupRecords {
  readonly records: readonly AnswerRecord[];
  /** False where the list says that it has more than could be read. */
  readonly whole: boolean;
}

/** So many pages are asked for side by side. */
const WIDTH = 4;

/**
 * All records of a lookup: what comes in pages is read to its last. Where the way on is shown by nothing, leads elsewhere or is refused,
 * the first page is what there is: its names are of use, and ids are taken without the list.
 * @throws as `Service.send` for the first page, and wherever the service is away.
 */
export async function lookupRecords(
  service: Service,
  endpoint: Endpoint,
  params: PathParams,
): Promise<LookupRecords> {
  const paged: Endpoint<unknown, ProductPage> = { ...endpoint, answer: endpoint.answer.transform(toPage) };
  const first = await firstPage(service, paged, undefined, { params });
  const { data, links, meta } = first.page;
  if (links.next !== null && !isOwn(links.next, service.baseUrl)) return { records: data, whole: false };
  const run = first.all(WIDTH);
  const records = new Map<string, AnswerRecord>();
  try {
    for await (const page of run) for (const record of page.data) records.set(JSON.stringify(record), record);
  } catch (error) {
    if (!saysNo(error)) throw error;
    return { records: data, whole: false };
  }
  const { complete, pages, records: came } = run.tally;
  // A record that comes twice is in the place of another, wherever the list is read by pages.
  if (pages === 1) return { records: data, whole: complete && (meta.last ?? 1) <= 1 };
  return { records: [...records.values()], whole: complete && came === records.size };
}

const AWAY: ReadonlySet<RequestError['kind']> = new Set(['unreachable', 'busy', 'lost']);

/** Whether a service that is there gave no list. */
export function saysNo(error: unknown): error is RequestError {
  return error instanceof RequestError && !AWAY.has(error.kind);
}

function isOwn(link: string, base: string): boolean {
  return URL.canParse(link, base) && new URL(link, base).origin === new URL(base).origin;
}

function toPage(answer: unknown): ProductPage {
  return { data: unfold(answer), ...aroundList(answer) };
}

/** What an answer tells of its pages, beside the records or around them. */
function aroundList(answer: unknown): Pick<ProductPage, 'links' | 'meta'> {
  if (Array.isArray(answer)) return aroundList(answer.length === 1 ? answer[0] : {});
  if (!isRecord(answer)) return aroundPage({});
  const { meta, links, data } = answer;
  const beside = [answer, links, meta].filter(isRecord);
  const told = (name: string): unknown => beside.map((part) => part[name]).find((value) => value != null);
  const around = aroundPage({
    links: { next: told('next') ?? told('next_page_url'), first: told('first') ?? told('first_page_url') },
    meta: Object.fromEntries(COUNTS.map((name) => [name, told(name)])),
  });
  const silent = [...Object.values(around.links), ...Object.values(around.meta)].every(
    (one) => one === null || one === false,
  );
  return silent && isRecord(data) ? aroundList(data) : around;
}

const COUNTS = ['current_page', 'last_page', 'per_page', 'total'] as const;

/** The records in an answer: a list, alone or inside members of its own, or an object from id to name. */
function unfold(answer: unknown): AnswerRecord[] {
  if (Array.isArray(answer)) {
    const [only] = answer;
    return answer.length === 1 ? unfold(only) : answer.filter(isRecord);
  }
  if (!isRecord(answer)) return [];
  if (Array.isArray(answer.data)) return answer.data.filter(isRecord);
  const lists = Object.values(answer).filter(
    (member): member is AnswerRecord[] => Array.isArray(member) && member.some(isRecord),
  );
  if (lists[0] !== undefined && lists.length === 1) return lists[0].filter(isRecord);
  const members = Object.entries(answer);
  const [first] = members;
  if (first !== undefined && members.length === 1 && isRecord(first[1])) return unfold(first[1]);
  const keyed =
    members.length > 0 && members.every(([key, value]) => /^\d+$/.test(key) && typeof value !== 'object');
  return keyed ? members.map(([id, name]) => ({ id, name })) : [answer];
}

function isRecord(value: unknown): value is AnswerRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
