import { answerOfNames, type ServedAnswer, type ServedPlace, serveJson } from './json-service.ts';

type ServedRecord = Record<string, unknown>;

/** What a service of a few lists holds; all of it may be changed at any time. */
export interface PlannerService {
  events: ServedRecord[];
  trips: ServedRecord[];
  /** By PartijID. */
  links: Record<number, ServedRecord[]>;
  products: ServedRecord[];
  /** Lists of places by ProductID. */
  totals: Record<number, unknown>;
  /** Without the lists of names. */
  readonly asked: { readonly path: string; readonly body: ServedRecord }[];
  /** Called before each request is answered; what it returns is answered in its place. */
  onRequest: (path: string, body: ServedRecord, page: string | null) => ServedAnswer | undefined;
  readonly options: ServedPlace['options'] & { readonly lang: 'en' };
  readonly folder: string;
}

const day = (record: ServedRecord): string => String(record.Datum).slice(0, 10);
const lmt = (record: ServedRecord): string => String(record.LMT);

/** Starts a service for one test that lists events, trips, arrangements and stock as they are put there. */
export async function plannerService(): Promise<PlannerService> {
  const service: Omit<PlannerService, 'options' | 'folder'> = {
    ...{ events: [], trips: [], links: {}, products: [], totals: {}, asked: [] },
    onRequest: () => undefined,
  };
  const { folder, options } = await serveJson(({ path, body, url }) => {
    const answer =
      service.onRequest(path, body, url.searchParams.get('page')) ??
      answerOfNames(path) ??
      answerTo(path, body, service);
    if (answerOfNames(path) === undefined) service.asked.push({ path, body });
    return answer;
  });
  return Object.assign(service, { options: { ...options, lang: 'en' as const }, folder });
}

function answerTo(
  path: string,
  body: ServedRecord,
  { events, trips, links, products, totals }: Omit<PlannerService, 'options' | 'folder'>,
): ServedAnswer {
  const ok = (answer: unknown) => ({ status: 200, body: answer });
  const [from, to] = [String(body.DatumVan).slice(0, 10), String(body.DatumTot).slice(0, 10)];
  const within = (record: ServedRecord): boolean => day(record) >= from && day(record) <= to;
  // Of one that does not say when it was written nobody can say that it was before.
  const since = (record: ServedRecord): boolean => !record.LMT || lmt(record) > String(body.LMT);
  const id = Number(path.split('/').find((part) => /^\d+$/.test(part)));
  if (path === 'event/all') return ok(events.filter(within));
  if (path === 'event/allkassa') return ok(events.filter((event) => within(event) && event.StatusID === 3));
  if (path === 'event/allByLMT') return ok(events.filter((event) => within(event) && since(event)));
  if (path === 'ritten/all') return ok(trips.filter((trip) => within(trip) && trip.DEL !== true));
  if (path === 'ritten/allByLMT') return ok(trips.filter(since));
  if (path.endsWith('/packages')) return ok(links[id] ?? []);
  if (/^product\/(pakket|recept)\/allModified$/.test(path)) {
    const data = path.includes('recept') ? products : [];
    return ok([{ data, links: {}, meta: { current_page: 1, last_page: 1, total: data.length } }]);
  }
  const found =
    events.find(({ PartijID }) => PartijID === id && path === `event/${id}`) ??
    products.find(({ ProductID, ExternalID }) =>
      path.startsWith('product/recept/detailExternal')
        ? ExternalID === id
        : path.startsWith('product/recept/detail/') && ProductID === id,
    );
  if (found !== undefined) return ok(found);
  if (path.includes('currenttotal') && totals[id] !== undefined)
    return ok({ total: totals[id], success: true });
  return { status: 404, body: { message: 'weg' } };
}
