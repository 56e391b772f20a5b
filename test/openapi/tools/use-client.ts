// A program of somebody who made a client from the OpenAPI document: compiled and run by made-client.test.ts.
import { writeSync } from 'node:fs';
import createClient from 'openapi-fetch';
import type { components, paths } from './interface.d.ts';

const [, , baseUrl = '', token = ''] = process.argv;
const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } });
type Listed = components['schemas']['PackagesAllModified'];

async function told<T>(call: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await call;
  if (data === undefined) throw new Error(`${response.url}: ${response.status} ${JSON.stringify(error)}`);
  return data;
}

const body = { ProductTypeID: 1, OmschrijvingIntern: 'Soep van de dag', Verkoopprijs: 4.5, Volume: null };
const made = await told(client.PUT('/api/v1/product/pakket/create', { body }));
const ID = Number(made?.ProductID);

const read = await told(client.GET('/api/v1/product/pakket/detail/{ID}', { params: { path: { ID } } }));
const price: string | number | null | undefined = read?.Verkoopprijs;

const answer = await told(
  client.POST('/api/v1/product/pakket/allModified', { body: { LMT: '1970-01-01 00:00:00' } }),
);
const pages = Array.isArray(answer) ? answer : [answer];
const listed = pages.flatMap((page): readonly Listed[] => ('data' in page ? page.data : [page]) as Listed[]);

const found = await told(
  client.POST('/api/v1/event/all', {
    body: { EnkelEvenement: false, DatumVan: '2020-01-01', DatumTot: '2035-12-31' },
  }),
);
const events = [found].flat();
const guests = events.map(({ AantalGasten }) => Number(AantalGasten ?? 0));
const first = Number(events[0]?.PartijID);
const linked = await told(client.GET('/api/v1/event/{ID}/packages', { params: { path: { ID: first } } }));
const departments = await told(client.GET('/api/v1/department/all'));

const form = new FormData();
form.append('PartijID', String(first));
form.append('Submap', 'offertes');
form.append('Document', new Blob(['menu']), 'menu.txt');
const sent = await told(
  client.POST('/api/v1/event/uploaddocument', {
    body: { PartijID: first, Submap: 'offertes', Document: 'menu' },
    bodySerializer: () => form,
  }),
);
const gone = await told(client.DELETE('/api/v1/product/pakket/delete', { body: { ProductID: ID } }));
const missing = await client.GET('/api/v1/product/pakket/detail/{ID}', { params: { path: { ID: 1 } } });

/** What a compiler must refuse: never called. */
export const misuse = (): unknown[] => [
  // @ts-expect-error a price is needed
  client.PUT('/api/v1/product/pakket/create', { body: { ProductTypeID: 1, OmschrijvingIntern: 'Soep' } }),
  // @ts-expect-error a number is no text
  client.PUT('/api/v1/product/pakket/create', { body: { ...body, ProductTypeID: '1' } }),
  // @ts-expect-error no such path
  client.GET('/api/v1/product/pakket/details'),
  // @ts-expect-error no such member
  read?.Prijs,
];

writeSync(
  1,
  JSON.stringify({
    ...{
      price,
      name: read?.OmschrijvingIntern,
      listed: listed.some(({ ProductID }) => Number(ProductID) === ID),
    },
    ...{ guests: guests.length, linked: [linked].flat().length, departments: [departments].flat().length },
    ...{ sent: sent?.success, gone: gone?.succes, missing: missing.response.status },
  }),
);
