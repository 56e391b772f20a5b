import type { Endpoint } from '../schema/endpoint.ts';
import type { ProductPage } from '../schema/page.ts';
import type { CatalogueResource, Resource } from '../schema/resource.ts';
import type { Bilingual } from '../schema/value.ts';
import { firstPage } from '../service/pages.ts';
import { RequestError } from '../service/request-error.ts';
import { NO_SUCH_ID, tryEndpoint } from './check-endpoints.ts';
import type { Context } from './context.ts';
import { readDetail } from './kinds/catalogue/read-detail.ts';
import { lookupsOf, readLookup, type UsedLookup } from './lookups.ts';

/** One thing that was tried, and what came of it. */
export interface Check {
  readonly what: Bilingual;
  /** No import works without it; the others only tell what to expect. */
  readonly needed: boolean;
  readonly ok: boolean;
  readonly found: Bilingual;
  /** What to do about it, and what works meanwhile; null when there is nothing to do. */
  readonly advice: Bilingual | null;
}

const EPOCH = '1970-01-01 00:00:00.000';

const both = (en: string, nl: string): Bilingual => ({ en, nl });
const same = (text: string): Bilingual => both(text, text);

/** Whether imports can work here: everything that is needed was found. */
export function passed(checks: readonly Check[]): boolean {
  return checks.every(({ needed, ok }) => ok || !needed);
}

/**
 * Tries what an import needs, with reads only: the lists, a detail, a missing record, every lookup; and whether each of
 * the other endpoints that only read answers. Throws StopError with EXIT.service for a refused token; RequestError when
 * nothing answers at all.
 */
export async function* checkService(
  context: Context,
  endpoints: readonly Endpoint[] = [],
): AsyncGenerator<Check> {
  for (const resource of context.resources) {
    if (resource.kind === 'catalogue') yield* checkResource(context, resource);
  }
  for (const lookup of lookupsOf(context.resources)) yield await checkLookup(context, lookup);
  const tried = new Set(context.resources.flatMap(triedBefore));
  for (const endpoint of endpoints)
    if (endpoint.effect === 'none' && !tried.has(endpoint)) yield await checkEndpoint(context, endpoint);
}

/** What is tried with records that are there. */
function triedBefore(resource: Resource): Endpoint[] {
  if (resource.kind !== 'catalogue') return [];
  const { list, findById } = resource.requests;
  return [list, findById] as Endpoint[];
}

async function checkEndpoint(context: Context, endpoint: Endpoint): Promise<Check> {
  const { ok, found } = await tryEndpoint(context, endpoint);
  return info(same(endpoint.name), ok, found, ok ? null : UNANSWERED);
}

const UNANSWERED = both(
  'what needs it does not work here; the rest does',
  'wat dit nodig heeft werkt hier niet; de rest wel',
);

async function* checkResource(context: Context, resource: CatalogueResource): AsyncGenerator<Check> {
  const { name, external, id: key } = resource;
  const list = await tried(() => firstPage(context.service, resource.requests.list, { LMT: EPOCH }));
  const page = list.ok ? list.answer.page : null;
  yield needed(same(name), page !== null, list.ok ? listText(list.answer.page) : list.said);
  const [record] = page?.data ?? [];
  if (page === null || record === undefined) return;
  const keyed = page.data.filter((entry) => entry[external] != null).length;
  yield info(same(`${name} ${external}`), true, keyText(keyed, page.data.length));
  const id = record[key];
  const detail = await tried(async () =>
    typeof id === 'number' ? await readDetail(context, resource, id) : null,
  );
  const readable = detail.ok && detail.answer !== null;
  const found = detail.ok && !readable ? both('not readable', 'niet leesbaar') : both('readable', 'leesbaar');
  yield needed(same(`${name} detail`), readable, detail.ok ? found : detail.said);
  yield await checkMissing(context, resource);
}

const needed = (what: Bilingual, ok: boolean, found: Bilingual): Check => ({
  ...{ what, needed: true, ok, found },
  advice: null,
});
const info = (what: Bilingual, ok: boolean, found: Bilingual, advice: Bilingual | null = null): Check => ({
  ...{ what, needed: false, ok, found, advice },
});

type Tried<T> = { readonly ok: true; readonly answer: T } | { readonly ok: false; readonly said: Bilingual };

/** What the service answers, or what it says instead. Throws RequestError when nothing answers at all. */
async function tried<T>(work: () => Promise<T>): Promise<Tried<T>> {
  try {
    return { ok: true, answer: await work() };
  } catch (error) {
    if (!(error instanceof RequestError) || error.kind === 'unreachable') throw error;
    const words = error.words === null ? '' : `: ${error.words}`;
    return { ok: false, said: both(`${error.reasons.en}${words}`, `${error.reasons.nl}${words}`) };
  }
}

function listText({ data, meta }: ProductPage): Bilingual {
  const total = meta.total ?? data.length;
  const pages = meta.last ?? 1;
  return both(
    `${total} records on ${pages} ${pages === 1 ? 'page' : 'pages'}`,
    `${total} records op ${pages} ${pages === 1 ? 'pagina' : 'pagina’s'}`,
  );
}

function keyText(keyed: number, seen: number): Bilingual {
  return both(`on ${keyed} of the first ${seen}`, `bij ${keyed} van de eerste ${seen}`);
}

async function checkMissing(context: Context, resource: CatalogueResource): Promise<Check> {
  const what = both(`${resource.name} missing record`, `${resource.name} ontbrekend record`);
  try {
    const answer = await context.service.send(resource.requests.findById, { params: { ID: NO_SUCH_ID } });
    return answer === null
      ? info(what, true, both('an empty answer', 'een leeg antwoord'))
      : info(what, false, both('some other record', 'een ander record'), MISSING_ADVICE);
  } catch (error) {
    if (!(error instanceof RequestError) || error.kind === 'unreachable') throw error;
    if (error.kind === 'missing') return info(what, true, same(`${error.status}`));
    return info(what, false, error.reasons, MISSING_ADVICE);
  }
}

const MISSING_ADVICE = both(
  'an import may stop at a row whose key the service does not know',
  'een import kan stoppen bij een rij waarvan de dienst de sleutel niet kent',
);

async function checkLookup(context: Context, { lookup, columns }: UsedLookup): Promise<Check> {
  const { name } = lookup;
  const what = both(`lookup ${name}`, `keuzelijst ${name}`);
  const read = await tried(() => readLookup(context, lookup));
  if (!read.ok) return info(what, false, read.said, idsWork(columns, null));
  if (!('entries' in read.answer)) {
    const { found, setting } = read.answer;
    return info(what, false, found, idsWork(columns, setting));
  }
  const { entries } = read.answer;
  const some = entries.slice(0, 3).map(({ id, label }) => `${id} ${label}`);
  const list = `${some.join(', ')}${entries.length > some.length ? ', …' : ''}`;
  return info(what, true, both(`${entries.length} names: ${list}`, `${entries.length} namen: ${list}`));
}

function idsWork(columns: readonly string[], setting: string | null): Bilingual {
  const where = columns.join(', ');
  return setting === null
    ? both(`ids still work in ${where}, names do not`, `id’s werken nog in ${where}, namen niet`)
    : both(
        `ids still work in ${where}; set ${setting} in catersheet.config.json to use names`,
        `id’s werken nog in ${where}; stel ${setting} in catersheet.config.json in om namen te gebruiken`,
      );
}
