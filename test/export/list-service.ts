import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { tempFolder } from '../helpers/run-cli.ts';

/** What the service does when a page is asked for: records may come and go, or the answer be another one. */
export type OnPage = (
  page: number,
  asked: number,
) => { readonly status: number; readonly body: unknown } | undefined;

/** A service that holds a list of packages or recipes, whatever they are, and answers nothing else. */
export interface ListService {
  /** May be changed at any time. */
  records: readonly unknown[];
  /** Bodies of the requests for pages, and what else was asked for. */
  readonly asked: unknown[];
  readonly others: string[];
  readonly options: {
    readonly baseUrl: string;
    readonly token: string;
    readonly ledger: string;
    readonly log: string;
    readonly retries: number;
  };
  readonly folder: string;
}

/** Starts such a service for one test; pages are of `size` records. */
export async function listService(
  records: readonly unknown[],
  size = 20,
  onPage: OnPage = () => undefined,
): Promise<ListService> {
  const folder = tempFolder();
  const service = { records, asked: [] as unknown[], others: [] as string[], folder };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const url = new URL(request.url ?? '', 'http://127.0.0.1');
    const answer = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (!url.pathname.endsWith('/allModified')) {
      service.others.push(`${request.method} ${url.pathname}`);
      return answer(404, { message: 'weg' });
    }
    service.asked.push(JSON.parse(Buffer.concat(chunks).toString()));
    const current = Number(url.searchParams.get('page') ?? 1);
    const other = onPage(current, service.asked.length);
    if (other !== undefined) return answer(other.status, other.body);
    const total = service.records.length;
    const last = Math.max(1, Math.ceil(total / size));
    const address = `http://${request.headers.host}${url.pathname}`;
    const link = (page: number): string | null =>
      page >= 1 && page <= last ? `${address}?page=${page}` : null;
    const data = service.records.slice((current - 1) * size, current * size);
    const links = { first: link(1), last: link(last), prev: link(current - 1), next: link(current + 1) };
    answer(200, [{ data, links, meta: { current_page: current, last_page: last, per_page: size, total } }]);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const options = {
    baseUrl,
    token: 'sleutel',
    ledger: `${folder}/ledger.db`,
    log: `${folder}/run.log`,
    retries: 1,
  };
  return Object.assign(service, { options });
}

/** A package as a list holds it. */
export const listed = (id: number, more: object = {}): Record<string, unknown> => ({
  ...{
    ProductID: id,
    ProductTypeID: 1,
    Actief: true,
    OmschrijvingIntern: `Pakket ${id}`,
    Verkoopprijs: 12.5,
  },
  ...{ ExternalID: 600_000 + id, LMT: '2027-01-02 03:04:05.678', OmschrijvingExtern: null },
  ...more,
});
