import { sideBySide } from '../core/batches.ts';
import { type Bilingual, same, t } from '../core/language.ts';
import { ofKind } from '../kinds/kind.ts';
import { EPOCH } from '../records/listing.ts';
import type { ContextOf } from '../records/planning.ts';
import { type Context, wallClock } from '../run/context.ts';
import { lookupsOf, readLookup } from '../run/lookup-lists.ts';
import { type Endpoint, pathParameters } from '../schema/endpoint.ts';
import type { LookupEntry } from '../schema/field.ts';
import type { CatalogueResource, CountResource } from '../schema/resource.ts';
import { lookupList } from '../service/lookups.ts';
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
  let product: number | undefined;
  for (const resource of ofKind(context.resources, 'catalogue')) {
    const { list, findById } = resource.requests;
    probed.add(list as Endpoint).add(findById as Endpoint);
    const found = yield* checkResource({ ...context, resource });
    product ??= found;
  }
  for (const { requests } of product === undefined ? [] : ofKind(context.resources, 'count')) {
    probed.add(requests.currentTotal as Endpoint);
    yield await checkTotal(context, requests.currentTotal, product as number);
  }
  for (const used of lookupsOf(context.resources, { updates: true })) yield await checkLookup(context, used);
  for (const endpoint of endpoints)
    if (endpoint.effect === 'none' && !probed.has(endpoint)) yield await checkEndpoint(context, endpoint);
}

/** Answers the id of a record, where one came. */
async function* checkResource({
  service,
  resource,
}: ContextOf<CatalogueResource>): AsyncGenerator<ServiceCheck, number | undefined> {
  const { name, external, id: key, requests } = resource;
  const list = await tried(() => firstPage(service, requests.list, { LMT: EPOCH }));
  if (list.error !== undefined) yield needed(same(name), false, list.error.text);
  if (list.answer === undefined) return undefined;
  const { data, meta } = list.answer.page;
  yield needed(same(name), true, listText(meta.total ?? data.length, meta.last ?? 1));
  const [record] = data;
  if (record === undefined) return undefined;
  const keyed = data.filter((entry) => entry[external] != null).length;
  const of = t(`on ${keyed} of the first ${data.length}`, `bij ${keyed} van de eerste ${data.length}`);
  yield info(same(`${name} ${external}`), true, of);
  const id = record[key];
  const read = async (ID: number) => await service.send(requests.findById, { params: { ID } });
  const detail = await tried(async () => (typeof id === 'number' ? await read(id) : null));
  const readable = detail.answer != null;
  const found = readable ? t('readable', 'leesbaar') : t('not readable', 'niet leesbaar');
  yield needed(same(`${name} detail`), readable, detail.error ? detail.error.text : found);
  const what = t(`${name} record that is not there`, `${name}: record dat er niet is`);
  const { answer, error } = await tried(() => read(NO_SUCH_ID));
  if (error?.kind === 'missing') yield info(what, true, same(`${error.status}`));
  else if (error !== undefined) yield info(what, false, error.reasons, MISSING_ADVICE);
  else if (answer === null) yield info(what, true, t('an empty answer', 'een leeg antwoord'));
  else yield info(what, false, t('some other record', 'een ander record'), MISSING_ADVICE);
  return typeof id === 'number' ? id : undefined;
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

const listText = (total: number, pages: number): Bilingual =>
  t(
    `${total} records on ${pages} ${pages === 1 ? 'page' : 'pages'}`,
    `${total} records op ${pages} ${pages === 1 ? 'pagina' : 'pagina’s'}`,
  );

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
  if (error !== undefined) return info(what, false, error.text, COUNTS_WAIT);
  if (answer === null) return info(what, false, t('nothing came', 'er kwam niets'), COUNTS_WAIT);
  const { length } = answer.total;
  const one = length === 1;
  const en = `${length} ${one ? 'total' : 'totals'} of product ${id}`;
  return info(what, true, t(en, `${length} ${one ? 'totaal' : 'totalen'} van product ${id}`));
}

const COUNTS_WAIT = t(
  'rows of a stock count are conflicts here; mutations work',
  'rijen van een voorraadtelling zijn hier conflicten; mutaties werken',
);

async function checkLookup(
  context: Context,
  { lookup, columns }: ReturnType<typeof lookupsOf>[number],
): Promise<ServiceCheck> {
  const what = t(`lookup ${lookup.name}`, `keuzelijst ${lookup.name}`);
  const { answer, error } = await tried(() => readLookup(context, lookup));
  if (answer !== undefined && 'entries' in answer) return info(what, true, namesOf(answer.entries));
  return info(what, false, error === undefined ? answer.unreadable : error.text, idsWork(columns));
}

/** Names that a list shows of itself. */
const SHOWN = 3;

function namesOf(entries: readonly LookupEntry[]): Bilingual {
  const some = entries.slice(0, SHOWN).map(({ id, label }) => `${id} ${label}`);
  const list = `${some.join(', ')}${entries.length > some.length ? ', …' : ''}`;
  const one = entries.length === 1;
  return t(
    `${entries.length} ${one ? 'name' : 'names'}: ${list}`,
    `${entries.length} ${one ? 'naam' : 'namen'}: ${list}`,
  );
}

function idsWork(columns: readonly string[]): Bilingual {
  const where = columns.join(', ');
  return t(`ids still work in ${where}, names do not`, `id’s werken nog in ${where}, namen niet`);
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

/** A body of sample values that an endpoint takes; undefined where none fits, or it takes none. */
function bodyFor({ body }: Endpoint, now: string): unknown {
  const { shape = {} } = (body?.def ?? {}) as { shape?: object };
  const tries = samples(now).map((sample) =>
    Object.fromEntries(Object.entries(sample).filter(([name]) => Object.hasOwn(shape, name))),
  );
  return tries.find((one) => body?.safeParse(one).success);
}

/**
 * Requests the least of an endpoint that only reads: a record that is not there, a list of one day. Throws
 * StopError for a refused token, RequestError when nothing answers at all.
 */
async function checkEndpoint(context: Context, endpoint: Endpoint): Promise<ServiceCheck> {
  const params = Object.fromEntries(
    pathParameters(endpoint).map((one) => [one, one === 'extension' ? 'pdf' : NO_SUCH_ID]),
  );
  const body = bodyFor(endpoint, wallClock(context.time.now()));
  const { error } = await tried(() => context.service.send(endpoint, { params, body }));
  const what = same(endpoint.name);
  // A missing record is an answer, and so is a refused id.
  if (error === undefined || error.kind === 'missing' || (error.kind === 'refused' && error.status === 422))
    return info(what, true, t('answers', 'antwoordt'));
  return info(what, false, error.reasons, UNANSWERED);
}

const UNANSWERED = t(
  'what needs it does not work here; the rest does',
  'wat dit nodig heeft werkt hier niet; de rest wel',
);

/** The numbers of dropdown lists that are tried. */
const LAST = 150;
/** So many reads at a time: a service is not to notice. */
const WIDTH = 4;

/**
 * Reads the dropdown lists with the numbers from 1 up, and tells what each holds. A number that fails is no
 * list.
 * @throws as `Service.send` when the service is away.
 */
export async function findLists(context: Context): Promise<ServiceCheck[]> {
  const { service, dialect, signal } = context;
  // The lookups whose list has a number.
  const numbered = lookupsOf(context.resources, { updates: true }).flatMap(({ lookup }) =>
    lookup.endpoint !== undefined && pathParameters(lookup.endpoint).length > 0 ? [lookup] : [],
  );
  const [any] = numbered;
  if (any === undefined) return [];
  const numbers = Array.from({ length: LAST }, (_, at) => at + 1);
  const read = async (dropdown: number) => {
    signal?.throwIfAborted();
    const { answer, error } = await tried(() => lookupList(service, { ...any, dropdown }));
    return { dropdown, error, entries: answer !== undefined && 'entries' in answer ? answer.entries : [] };
  };
  const checks: ServiceCheck[] = [];
  let [done, failed]: [number, RequestError | undefined] = [0, undefined];
  for await (const { dropdown, entries, error } of sideBySide(numbers, WIDTH, read)) {
    context.onProgress?.({ stage: 'reading', of: NUMBERS, done: ++done, total: LAST });
    failed ??= error;
    // Some services answer a value's own number with that value.
    if (entries.length === 0 || (entries.length === 1 && entries[0]?.id === dropdown)) continue;
    const own = numbered.find((one) => (one.dropdown ?? dialect.dropdowns[one.name]) === dropdown)?.name;
    const { en, nl } = namesOf(entries);
    const found = own === undefined ? t(en, nl) : t(`${en} → ${own}`, `${nl} → ${own}`);
    checks.push(info(t(`list ${dropdown}`, `lijst ${dropdown}`), true, found));
  }
  const none = failed === undefined ? NO_LIST : failed.text;
  return checks.length > 0 ? checks : [info(t('dropdown lists', 'keuzelijsten'), false, none)];
}

const NUMBERS = t('numbers of dropdown lists', 'nummers van keuzelijsten');
const NO_LIST = t(`none with a number from 1 to ${LAST}`, `geen met een nummer van 1 tot ${LAST}`);
