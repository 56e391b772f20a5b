import { type Bilingual, same, t } from '../core/language.ts';
import { ofKind } from '../kinds/kind.ts';
import { EPOCH } from '../records/listing.ts';
import type { ContextOf } from '../records/planning.ts';
import { type Context, wallClock } from '../run/context.ts';
import { lookupsOf, readLookup, type UsedLookup } from '../run/lookup-lists.ts';
import { type Endpoint, pathParameters } from '../schema/endpoint.ts';
import type { RecordPage } from '../schema/page.ts';
import type { CatalogueResource, CountResource } from '../schema/resource.ts';
import { firstPage } from '../service/pages.ts';
import { RequestError } from '../service/request-error.ts';

/** An id that no record has. */
const NO_SUCH_ID = 2_147_483_000;

/** One check of the service, and its result. */
export interface ServiceCheck {
  readonly what: Bilingual;
  /** An import needs it; other checks only tell what to expect. */
  readonly needed: boolean;
  readonly ok: boolean;
  readonly found: Bilingual;
  /** What to do, and what works meanwhile; null where there is nothing to do. */
  readonly advice: Bilingual | null;
}

/** Whether all checks passed that an import needs. */
export const checksPassed = (checks: readonly ServiceCheck[]): boolean =>
  checks.every(({ needed, ok }) => ok || !needed);

/**
 * Tries what an import needs, with reads only: lists, a detail, a missing record, every lookup, and then each
 * other endpoint that only reads. Throws StopError with EXIT.service for a refused token; RequestError when
 * nothing answers at all.
 */
export async function* checkService(
  context: Context,
  endpoints: readonly Endpoint[] = [],
): AsyncGenerator<ServiceCheck> {
  const probed = new Set<Endpoint>();
  const products: number[] = [];
  for (const resource of ofKind(context.resources, 'catalogue')) {
    const { list, findById } = resource.requests;
    probed.add(list as Endpoint).add(findById as Endpoint);
    yield* checkResource({ ...context, resource }, products);
  }
  const [product] = products;
  for (const { requests } of product === undefined ? [] : ofKind(context.resources, 'count')) {
    probed.add(requests.currentTotal as Endpoint);
    yield await checkTotal(context, requests.currentTotal, product as number);
  }
  for (const lookup of lookupsOf(context.resources, { updates: true }))
    yield await checkLookup(context, lookup);
  for (const endpoint of endpoints)
    if (endpoint.effect === 'none' && !probed.has(endpoint)) yield await checkEndpoint(context, endpoint);
}

async function* checkResource(
  context: ContextOf<CatalogueResource>,
  products: number[],
): AsyncGenerator<ServiceCheck> {
  const { name, external, id: key, requests } = context.resource;
  const list = await tried(() => firstPage(context.service, requests.list, { LMT: EPOCH }));
  const page = list.answer?.page;
  yield needed(same(name), page !== undefined, list.error ? whyText(list.error) : listText(list.answer.page));
  const [record] = page?.data ?? [];
  if (page === undefined || record === undefined) return;
  const keyed = page.data.filter((entry) => entry[external] != null).length;
  yield info(same(`${name} ${external}`), true, keyText(keyed, page.data.length));
  const id = record[key];
  if (typeof id === 'number') products.push(id);
  const read = async (ID: number) => await context.service.send(requests.findById, { params: { ID } });
  const detail = await tried(async () => (typeof id === 'number' ? await read(id) : null));
  const readable = detail.answer != null;
  const found = readable ? t('readable', 'leesbaar') : t('not readable', 'niet leesbaar');
  yield needed(same(`${name} detail`), readable, detail.error ? whyText(detail.error) : found);
  yield await checkMissing(context);
}

const info = (what: Bilingual, ok: boolean, found: Bilingual, advice: Bilingual | null = null) =>
  ({ what, needed: false, ok, found, advice }) satisfies ServiceCheck;

const needed = (...check: Parameters<typeof info>): ServiceCheck => ({ ...info(...check), needed: true });

type Tried<T> =
  | { readonly answer: T; readonly error?: never }
  | { readonly answer?: never; readonly error: RequestError };

/** The answer, or why there is none. Throws RequestError when nothing answers at all. */
async function tried<T>(work: () => Promise<T>): Promise<Tried<T>> {
  try {
    return { answer: await work() };
  } catch (error) {
    if (!(error instanceof RequestError) || error.kind === 'unreachable') throw error;
    return { error };
  }
}

function whyText({ reasons, words }: RequestError): Bilingual {
  const said = words === null ? '' : `: ${words}`;
  return t(`${reasons.en}${said}`, `${reasons.nl}${said}`);
}

function listText({ data, meta }: RecordPage): Bilingual {
  const total = meta.total ?? data.length;
  const pages = meta.last ?? 1;
  return t(
    `${total} records on ${pages} ${pages === 1 ? 'page' : 'pages'}`,
    `${total} records op ${pages} ${pages === 1 ? 'pagina' : 'pagina’s'}`,
  );
}

function keyText(keyed: number, seen: number): Bilingual {
  return t(`on ${keyed} of the first ${seen}`, `bij ${keyed} van de eerste ${seen}`);
}

async function checkMissing({
  service,
  resource: { name, requests },
}: ContextOf<CatalogueResource>): Promise<ServiceCheck> {
  const what = t(`${name} record that is not there`, `${name} record dat er niet is`);
  const { answer, error } = await tried(() =>
    service.send(requests.findById, { params: { ID: NO_SUCH_ID } }),
  );
  if (error?.kind === 'missing') return info(what, true, same(`${error.status}`));
  if (error !== undefined) return info(what, false, error.reasons, MISSING_ADVICE);
  return answer === null
    ? info(what, true, t('an empty answer', 'een leeg antwoord'))
    : info(what, false, t('some other record', 'een ander record'), MISSING_ADVICE);
}

const MISSING_ADVICE = t(
  'where a row names a key that the service does not know, an import reads the whole list to be sure',
  'noemt een rij een sleutel die het systeem niet kent, dan leest een import de hele lijst om zeker te zijn',
);

/** Reads a product's total. */
async function checkTotal(
  { service }: Context,
  endpoint: CountResource['requests']['currentTotal'],
  id: number,
): Promise<ServiceCheck> {
  const what = same(endpoint.name);
  const { answer, error } = await tried(() =>
    service.send(endpoint, { params: { id }, body: { ProductID: id } }),
  );
  if (error !== undefined) return info(what, false, whyText(error), COUNTS_WAIT);
  if (answer === null) return info(what, false, t('nothing came', 'er kwam niets'), COUNTS_WAIT);
  const { total } = answer;
  const places = `${total.length} ${total.length === 1 ? 'total' : 'totals'}`;
  return info(what, true, t(`${places} of product ${id}`, `${total.length} totaal van product ${id}`));
}

const COUNTS_WAIT = t(
  'rows of a stock count are conflicts here; mutations work',
  'rijen van een voorraadtelling zijn hier conflicten; mutaties werken',
);

async function checkLookup(context: Context, { lookup, columns }: UsedLookup): Promise<ServiceCheck> {
  const { name } = lookup;
  const what = t(`lookup ${name}`, `keuzelijst ${name}`);
  const read = await tried(() => readLookup(context, lookup));
  if (read.error) return info(what, false, whyText(read.error), idsWork(columns, null));
  if (!('entries' in read.answer)) {
    const { found, setting } = read.answer;
    return info(what, false, found, idsWork(columns, setting));
  }
  const { entries } = read.answer;
  const some = entries.slice(0, 3).map(({ id, label }) => `${id} ${label}`);
  const list = `${some.join(', ')}${entries.length > some.length ? ', …' : ''}`;
  return info(what, true, t(`${entries.length} names: ${list}`, `${entries.length} namen: ${list}`));
}

function idsWork(columns: readonly string[], setting: string | null): Bilingual {
  const where = columns.join(', ');
  return setting === null
    ? t(`ids still work in ${where}, names do not`, `id’s werken nog in ${where}, namen niet`)
    : t(
        `ids still work in ${where}; set ${setting} in catersheet.config.json to use names`,
        `id’s werken nog in ${where}; stel ${setting} in catersheet.config.json in om namen te gebruiken`,
      );
}

/** Sample values for the members of bodies, with moments in each shape that endpoints take. */
function samples(now: string): Readonly<Record<string, unknown>>[] {
  const [day, minute] = [now.slice(0, 10), now.slice(0, 16)];
  const rest = { EnkelEvenement: false, EnkelEvent: false, ProductID: NO_SUCH_ID };
  return [
    { ...rest, DatumVan: day, DatumTot: day, LMT: minute },
    { ...rest, DatumVan: now, DatumTot: now, LMT: now },
  ];
}

/** A body of sample values that an endpoint takes; null where none fits. */
function bodyFor({ body }: Endpoint, now: string): unknown {
  const { shape = {} } = (body?.def ?? {}) as { shape?: object };
  const tries = samples(now).map((sample) =>
    Object.fromEntries(Object.entries(sample).filter(([name]) => Object.hasOwn(shape, name))),
  );
  return tries.find((one) => body?.safeParse(one).success) ?? null;
}

/**
 * Requests the least of an endpoint that only reads: a record that is not there, a list of one day. Throws
 * StopError for a refused token, RequestError when nothing answers at all.
 */
async function checkEndpoint(context: Context, endpoint: Endpoint): Promise<ServiceCheck> {
  const { name } = endpoint;
  if (endpoint.effect !== 'none') throw new TypeError(`${name} does more than read`);
  const params = Object.fromEntries(
    pathParameters(endpoint).map((one) => [one, one === 'extension' ? 'pdf' : NO_SUCH_ID]),
  );
  const body = endpoint.body === undefined ? undefined : bodyFor(endpoint, wallClock(context.time.now()));
  if (body === null) throw new TypeError(`${name} asks for what nothing here can be`);
  const { error } = await tried(() => context.service.send(endpoint, { params, body }));
  // A missing record is an answer, and so is a refused id.
  if (error === undefined || error.kind === 'missing' || (error.kind === 'refused' && error.status === 422))
    return info(same(name), true, ANSWERS);
  return info(same(name), false, error.reasons, UNANSWERED);
}

const ANSWERS = t('answers', 'antwoordt');

const UNANSWERED = t(
  'what needs it does not work here; the rest does',
  'wat dit nodig heeft werkt hier niet; de rest wel',
);
