import { expect, it } from 'vitest';
import { call, eventBody, idOf, mutationBody, open, PACKAGE, packageBody } from './client.ts';

const since = { LMT: '2000-01-01 00:00:00.000' };

it('answers 401 with the two members to whoever is not authenticated, and does nothing', async () => {
  const { service } = open();
  const { status, json } = await call(service, 'PUT', PACKAGE, packageBody(), { Authorization: 'Bearer no' });
  expect([status, json]).toEqual([401, { errors: expect.any(String), message: 'Unauthenticated.' }]);
  expect([service.journal.ours, service.journal.requests[0]?.done]).toEqual([[], 'not done']);
});

it('refuses a body without a required field and names the field', async () => {
  const { send, service } = open();
  const { status, json } = await send('PUT', PACKAGE, { OmschrijvingIntern: 'x', Verkoopprijs: 1 });
  expect([status, Object.keys(json.errors)]).toEqual([422, ['ProductTypeID']]);
  expect(service.journal.writes).toMatchObject([{ done: 'not done', answered: 422 }]);
});

it('creates, finds, updates and deletes a package, which is no recipe', async () => {
  const { send } = open();
  const ExternalID = 8712345678901;
  const created = await send('PUT', PACKAGE, packageBody({ ExternalID }));
  const id = idOf(created);
  expect(created.json).toEqual({ ProductID: id, success: true });
  await send('POST', 'product/pakket/update', packageBody({ ExternalID, Verkoopprijs: 11 }));
  const { json } = await send('GET', `product/pakket/detailExternal/${ExternalID}`);
  expect(json).toMatchObject({ ProductID: id, ExternalID, Verkoopprijs: 11, Volume: null });
  expect(json.LMT).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/);
  expect((await send('GET', `product/recept/detail/${id}`)).status).toBe(404);
  const deleted = await send('DELETE', 'product/pakket/delete', { ProductID: id });
  expect(deleted.json).toEqual({ id, succes: true });
  expect((await send('GET', `product/pakket/detail/${id}`)).status).toBe(404);
});

it('lists what was modified after a moment, page by page, with links and meta, or whole', async () => {
  const { send, service } = open({ answers: { pageSize: 2 } });
  const first = await send('POST', 'product/pakket/allModified', since);
  const [{ data, links, meta }] = first.json;
  expect(data[0].productType.ProductType).toBe('Pakket');
  expect(meta).toMatchObject({ current_page: 1, from: 1, to: 2, last_page: 2, total: 3, per_page: '2' });
  const [second] = (await call(service, 'POST', links.next, since)).json;
  expect([links.prev, second.data.length, second.links.next]).toEqual([null, 1, null]);
  const whole = { ...since, downloadResponseAsJSON: true };
  expect((await send('POST', 'product/pakket/allModified', whole)).json).toHaveLength(3);
});

it('adds mutations of stock to a total, in either unit', async () => {
  const { send, service } = open();
  const product = service.add.product({ Kostprijs: 2 });
  service.add.stock(product, 10, { Factor: 4 });
  await send('PUT', 'product/voorraadmutatie/create', mutationBody(product));
  const units = mutationBody(product, { AantalRekeneenheid: undefined, AantalProducteenheid: -1 });
  await send('PUT', 'product/voorraadmutatie/create', units);
  const { json } = await send('GET', `product/voorraadmutatie/currenttotal/${product}`);
  const total = [{ Aantal: 8.5, AantalProductEenheid: 2.125, Waarde: 17 }];
  expect(json).toMatchObject({ success: true, total });
});

it('creates, updates and refreshes an event, and lists events by dates, by LMT, and the definitive ones', async () => {
  const { send } = open();
  const created = await send('PUT', 'event', eventBody({ ExternalID: 77 }));
  const id = idOf(created);
  expect(created.json).toEqual({ id, success: true });
  const year = { EnkelEvenement: true, EnkelEvent: true, DatumVan: '2027-01-01', DatumTot: '2027-12-31' };
  const listed = async (path: string) =>
    (await send('POST', `event/${path}`, { ...year, LMT: '2027-03-01 07:00' })).json.map(
      ({ PartijID }: { PartijID: number }) => PartijID,
    );
  expect(await Promise.all(['all', 'allByLMT', 'allkassa'].map(listed))).toEqual([
    [5001, 5002, id],
    [id],
    [5001],
  ]);
  await send('POST', 'event', { PartijID: id, AantalGasten: 60, FactuurContactpersoonID: 6002 });
  expect((await send('GET', `event/${id}/processevent`)).json).toEqual({ id, success: true });
  const { json } = await send('GET', `event/${id}`);
  expect(json).toMatchObject({ AantalGasten: 60, FactuurContactPersoonID: 6002, ExternalID: 77 });
  expect(json.LaatsteProductieVerversingLMT).not.toBeNull();
});

it('links a package to an event, changes the link and unlinks it', async () => {
  const { send, service } = open();
  const keys = { PartijID: service.add.event(), ArrangementID: service.add.package({ Verkoopprijs: 7.5 }) };
  await send('PUT', 'event/package', { ...keys, Aantal: 12, Datum: '2027-03-04' });
  await send('POST', 'event/package', { ...keys, OfferteOmschrijving: 'Met bubbels', Aantal: 14 });
  const listed = async () => (await send('GET', `event/${keys.PartijID}/packages`)).json;
  const own = { OfferteOmschrijving: 'Met bubbels', Aantal: 14, Datum: '2027-03-04 00:00:00.000' };
  expect(await listed()).toMatchObject([{ ...keys, ...own, VerkoopPrijs: 7.5 }]);
  await send('POST', 'event/package/delete', { ...keys, DEL: 0 });
  expect(await listed()).toHaveLength(1);
  expect((await send('POST', 'event/package/delete', { ...keys, DEL: 1 })).json).toEqual({ succes: true });
  expect(await listed()).toEqual([]);
});

it('lists trips with their nested records and shows the subtype in the list by LMT alone', async () => {
  const { send, service } = open();
  const range = { DatumVan: '2027-01-01 00:00:00', DatumTot: '2027-01-08' };
  const [trip, ...none] = (await send('POST', 'ritten/all', range)).json;
  expect(none).toEqual([]);
  expect(trip).toMatchObject({ Chauffeur: 'Joost', relation: { Bedrijfsnaam: 'Zalencentrum De Linde' } });
  expect([trip.event.PartijID, trip.demand.planning.length]).toEqual([5001, 1]);
  expect(trip).not.toHaveProperty('SubtypeRitID');
  const body = { RitID: trip.RitID, Chauffeur: 'Mila', SubtypeRitID: 9601, RetourRit: true };
  expect((await send('POST', 'ritten', body)).json).toEqual({});
  expect((await send('POST', 'ritten/allByLMT', { LMT: '2027-03-01 07:00:00' })).json).toMatchObject([body]);
  expect((await send('DELETE', `ritten/${trip.RitID}`)).status).toBe(200);
  expect(service.trips.size).toBe(1);
});

it('answers lookups with the names that belong there, gives an invoice, and puts each sending of orders down', async () => {
  const { send, service } = open();
  for (const [path, text] of [
    ['relation/4002', 'Bakkerij Van Oord & Zn.'],
    ['relation/contact/6001', 'Timmers'],
    ['location/801', 'Grote zaal'],
    ['dropdownvalue/49', 'Telling'],
    ['unit/all', 'liter'],
    ['productactiecategory/all', 'Snijden'],
    ['core/ritten/all', 'Joost'],
    ['invoice/file/12/pdf', '%PDF'],
    ['edi/purchaseorder/sendAll', 'success'],
    ['edi/purchaseorder/send/55', 'success'],
  ] as const)
    expect((await send('GET', path)).text, path).toContain(text);
  expect(service.orders.all().map((order) => order.Inkooporder)).toEqual([null, 55]);
});
