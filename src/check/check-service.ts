import { type Bilingual, t } from '../core/language.ts';
import type { RecordProbe } from '../kinds/kind.ts';
import { kindOf } from '../kinds/kinds.ts';
import { type Context, wallClock } from '../run/context.ts';
import { lookupsOf, readLookup, type UsedLookup } from '../run/lookup-lists.ts';
import { type Endpoint, pathParameters } from '../schema/endpoint.ts';
import type { RecordPage } from '../schema/page.ts';
import type { Resource } from '../schema/resource.ts';
import { firstPage } from '../service/pages.ts';
import { RequestError } from '../service/request-error.ts';

/** What an endpoint answered; `ok` is false for an answer that nothing can be done with. */
interface EndpointCheck {
  readonly ok: boolean;
  readonly found: Bilingual;
}

/** An id that no record has: how a service says so differs (design: Dialect). */
const NO_SUCH_ID = 2_147_483_000;

/** What members of a body are tried with, in the shapes that endpoints ask for: a day, a minute, a moment. */
function samples(now: string): Readonly<Record<string, unknown>>[] {
  const [day, minute] = [now.slice(0, 10), now.slice(0, 16)];
  const rest = { EnkelEvenement: false, EnkelEvent: false, ProductID: NO_SUCH_ID };
  return [
    { ...rest, DatumVan: day, DatumTot: day, LMT: minute },
    { ...rest, DatumVan: now, DatumTot: now, LMT: now },
  ];
}

/** The smallest body that an endpoint takes; null when there is none to be thought of. */
function bodyFor({ body }: Endpoint, now: string): unknown {
  const { shape = {} } = (body?.def ?? {}) as { shape?: object };
  const tries = samples(now).map((sample) =>
    Object.fromEntries(Object.entries(sample).filter(([name]) => Object.hasOwn(shape, name))),
  );
  return tries.find((one) => body?.safeParse(one).success) ?? null;
}

/**
 * Asks an endpoint that only reads for as little as it can be asked for: a record that is not there, a list of one day.
 * Throws StopError for a refused token, RequestError when nothing answers at all.
 */
async function tryEndpoint(context: Context, endpoint: Endpoint): Promise<EndpointCheck> {
  if (endpoint.effect !== 'none') throw new TypeError(`${endpoint.name} does more than read`);
  const { name } = endpoint;
  const params = Object.fromEntries(
    pathParameters(endpoint).map((one) => [one, one === 'extension' ? 'pdf' : NO_SUCH_ID]),
  );
  const body = endpoint.body === undefined ? undefined : bodyFor(endpoint, wallClock(context.clock()));
  if (body === null) throw new TypeError(`${name} asks for what nothing here can be`);
  try {
    await context.service.send(endpoint, body === undefined ? { params } : { params, body });
    return { ok: true, found: ANSWERS };
  } catch (error) {
    if (!(error instanceof RequestError) || error.kind === 'unreachable') throw error;
    // What is not there is answered all the same, and so is an id that is refused as such.
    const understood = error.kind === 'missing' || (error.kind === 'refused' && error.status === 422);
    return { ok: understood, found: understood ? ANSWERS : error.reasons };
  }
}

const ANSWERS = t('answers', 'antwoordt');

/** One thing that was tried, and what came of it. */
export interface ServiceCheck {
  readonly what: Bilingual;
  /** No import works without it; the others only tell what to expect. */
  readonly needed: boolean;
  readonly ok: boolean;
  readonly found: Bilingual;
  /** What to do about it, and what works meanwhile; null when there is nothing to do. */
  readonly advice: Bilingual | null;
}

const EPOCH = '1970-01-01 00:00:00.000';

const same = (text: string): Bilingual => t(text, text);

/** Whether imports can work here: everything that is needed was found. */
export function checksPassed(checks: readonly ServiceCheck[]): boolean {
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
): AsyncGenerator<ServiceCheck> {
  for (const resource of context.resources) {
    const probe = kindOf(resource).probe?.(resource);
    if (probe !== undefined) yield* checkResource(context, resource.name, probe);
  }
  for (const lookup of lookupsOf(context.resources)) yield await checkLookup(context, lookup);
  const tried = new Set(context.resources.flatMap(triedBefore));
  for (const endpoint of endpoints)
    if (endpoint.effect === 'none' && !tried.has(endpoint)) yield await checkEndpoint(context, endpoint);
}

/** What is tried with records that are there. */
function triedBefore(resource: Resource): Endpoint[] {
  const probe = kindOf(resource).probe?.(resource);
  return probe === undefined ? [] : ([probe.list, probe.findById] as Endpoint[]);
}

async function checkEndpoint(context: Context, endpoint: Endpoint): Promise<ServiceCheck> {
  const { ok, found } = await tryEndpoint(context, endpoint);
  return info(same(endpoint.name), ok, found, ok ? null : UNANSWERED);
}

const UNANSWERED = t(
  'what needs it does not work here; the rest does',
  'wat dit nodig heeft werkt hier niet; de rest wel',
);

async function* checkResource(
  context: Context,
  name: string,
  probe: RecordProbe,
): AsyncGenerator<ServiceCheck> {
  const { external, id: key } = probe;
  const list = await tried(() => firstPage(context.service, probe.list, { LMT: EPOCH }));
  const page = list.ok ? list.answer.page : null;
  yield needed(same(name), page !== null, list.ok ? listText(list.answer.page) : list.said);
  const [record] = page?.data ?? [];
  if (page === null || record === undefined) return;
  const keyed = page.data.filter((entry) => entry[external] != null).length;
  yield info(same(`${name} ${external}`), true, keyText(keyed, page.data.length));
  const id = record[key];
  const detail = await tried(async () => (typeof id === 'number' ? await probe.read(context, id) : null));
  const readable = detail.ok && detail.answer !== null;
  const found = detail.ok && !readable ? t('not readable', 'niet leesbaar') : t('readable', 'leesbaar');
  yield needed(same(`${name} detail`), readable, detail.ok ? found : detail.said);
  yield await checkMissing(context, name, probe);
}

const needed = (what: Bilingual, ok: boolean, found: Bilingual): ServiceCheck => ({
  ...{ what, needed: true, ok, found },
  advice: null,
});
const info = (
  what: Bilingual,
  ok: boolean,
  found: Bilingual,
  advice: Bilingual | null = null,
): ServiceCheck => ({
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
    return { ok: false, said: t(`${error.reasons.en}${words}`, `${error.reasons.nl}${words}`) };
  }
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

async function checkMissing(
  context: Context,
  name: string,
  { findById }: RecordProbe,
): Promise<ServiceCheck> {
  const what = t(`${name} missing record`, `${name} ontbrekend record`);
  try {
    const answer = await context.service.send(findById, { params: { ID: NO_SUCH_ID } });
    return answer === null
      ? info(what, true, t('an empty answer', 'een leeg antwoord'))
      : info(what, false, t('some other record', 'een ander record'), MISSING_ADVICE);
  } catch (error) {
    if (!(error instanceof RequestError) || error.kind === 'unreachable') throw error;
    if (error.kind === 'missing') return info(what, true, same(`${error.status}`));
    return info(what, false, error.reasons, MISSING_ADVICE);
  }
}

const MISSING_ADVICE = t(
  'an import may stop at a row whose key the service does not know',
  'een import kan stoppen bij een rij waarvan de dienst de sleutel niet kent',
);

async function checkLookup(context: Context, { lookup, columns }: UsedLookup): Promise<ServiceCheck> {
  const { name } = lookup;
  const what = t(`lookup ${name}`, `keuzelijst ${name}`);
  const read = await tried(() => readLookup(context, lookup));
  if (!read.ok) return info(what, false, read.said, idsWork(columns, null));
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
