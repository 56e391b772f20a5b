import { answerOfNames, type ServedAnswer, type ServedPlace, serveJson } from './json-service.ts';

/** What the service does when a page is asked for: records may come and go, or the answer be another one. */
export type OnPage = (page: number, asked: number) => ServedAnswer | undefined;

/** A service that holds a list of packages or recipes, whatever they are, and lists of names. */
export interface ListService {
  /** May be changed at any time. */
  records: readonly unknown[];
  /** Bodies of the requests for pages, and what else was asked for. */
  readonly asked: unknown[];
  /** The lists of names that were asked for. */
  readonly names: string[];
  readonly others: string[];
  readonly options: ServedPlace['options'];
  readonly folder: string;
}

/** Starts such a service for one test; pages are of `size` records. */
export async function listService(
  records: readonly unknown[],
  size = 20,
  onPage: OnPage = () => undefined,
): Promise<ListService> {
  const service = { records, asked: [] as unknown[], names: [] as string[], others: [] as string[] };
  const place = await serveJson(({ method, url, path, body }) => {
    const names = answerOfNames(path);
    if (names !== undefined) {
      service.names.push(path);
      return names;
    }
    if (!url.pathname.endsWith('/allModified')) {
      service.others.push(`${method} ${url.pathname}`);
      return { status: 404, body: { message: 'weg' } };
    }
    service.asked.push(body);
    const current = Number(url.searchParams.get('page') ?? 1);
    const other = onPage(current, service.asked.length);
    if (other !== undefined) return other;
    const total = service.records.length;
    const last = Math.max(1, Math.ceil(total / size));
    const address = `${url.origin}${url.pathname}`;
    const link = (page: number): string | null =>
      page >= 1 && page <= last ? `${address}?page=${page}` : null;
    const data = service.records.slice((current - 1) * size, current * size);
    const links = { first: link(1), last: link(last), prev: link(current - 1), next: link(current + 1) };
    const meta = { current_page: current, last_page: last, per_page: size, total };
    return { status: 200, body: [{ data, links, meta }] };
  });
  return Object.assign(service, place);
}

const WITHOUT_VALUE = [
  ...['ProductCategorieID', 'OfferteTekst', 'InterneOpmerking', 'Volume', 'OpnemenInOfferte'],
  ...['OnderdelenInOfferte', 'OfferteCategorieTonen'],
];

/** A package as a list holds it. */
export const listed = (id: number, more: object = {}): Record<string, unknown> => ({
  ...{
    ProductID: id,
    ProductTypeID: 1,
    Actief: true,
    OmschrijvingIntern: `Pakket ${id}`,
    Verkoopprijs: 12.5,
  },
  ...Object.fromEntries(WITHOUT_VALUE.map((name) => [name, null])),
  ...{ ExternalID: 600_000 + id, LMT: '2027-01-02 03:04:05.678', OmschrijvingExtern: null },
  ...more,
});
