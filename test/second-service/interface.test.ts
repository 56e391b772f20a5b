import { beforeEach, describe, expect, it } from 'vitest';
import { call, eventBody, idOf, mutationBody, open, packageBody, recipeBody } from './client.ts';
import * as names from './fields.ts';
import { startSecondService } from './second-service.ts';

let { service, send } = {} as ReturnType<typeof open>;
beforeEach(() => {
  ({ service, send } = open());
});

describe('who may ask', () => {
  it('answers 401 with the two members to whoever is not authenticated, and does nothing', async () => {
    const reply = await call(service, 'PUT', 'product/pakket/create', packageBody(), {
      Authorization: 'Bearer no',
    });
    expect(reply.status).toBe(401);
    expect(Object.keys(reply.json).sort()).toEqual(['errors', 'message']);
    expect(reply.json.message).toBe('Unauthenticated.');
    expect(service.journal.ours).toEqual([]);
    expect(service.journal.requests.at(-1)).toMatchObject({ done: 'not done', answered: 401 });
  });
});

describe('packages and recipes', () => {
  it('creates, reads, updates and deletes a package', async () => {
    const created = await send('PUT', 'product/pakket/create', packageBody({ ExternalID: 8712345678901 }));
    const id = idOf(created);
    expect(created.json).toEqual({ ProductID: id, success: true });
    const read = await send('GET', `product/pakket/detail/${id}`);
    expect(Object.keys(read.json)).toEqual(names.packageDetail);
    expect(read.json).toMatchObject({
      OmschrijvingIntern: 'Lentepakket',
      ExternalID: 8712345678901,
      Volume: null,
    });
    expect(read.json.LMT).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/);
    await send('POST', 'product/pakket/update', packageBody({ ExternalID: 8712345678901, Verkoopprijs: 11 }));
    const found = await send('GET', 'product/pakket/detailExternal/8712345678901');
    expect(found.json).toMatchObject({ ProductID: id, Verkoopprijs: 11 });
    const deleted = await send('DELETE', 'product/pakket/delete', { ProductID: id });
    expect(deleted.json).toEqual({ id, succes: true });
    expect((await send('GET', `product/pakket/detail/${id}`)).status).toBe(404);
  });

  it('creates, reads and updates a recipe, and does not take it for a package', async () => {
    const id = idOf(await send('PUT', 'product/recept/create', recipeBody()));
    const read = await send('GET', `product/recept/detail/${id}`);
    expect(Object.keys(read.json)).toEqual(names.recipeDetail);
    expect((await send('GET', `product/pakket/detail/${id}`)).status).toBe(404);
    await send('POST', 'product/recept/update', recipeBody({ ProductID: id, THTDagen: 5 }));
    expect((await send('GET', `product/recept/detail/${id}`)).json.THTDagen).toBe(5);
    expect((await send('GET', `product/detail/${id}`)).json.ProductID).toBe(id);
  });

  it('refuses a body without a required field and names the field', async () => {
    const reply = await send('PUT', 'product/pakket/create', { OmschrijvingIntern: 'x', Verkoopprijs: 1 });
    expect(reply.status).toBe(422);
    expect(Object.keys(reply.json.errors)).toEqual(['ProductTypeID']);
    expect(service.journal.writes.at(-1)).toMatchObject({ done: 'not done', answered: 422 });
  });

  it('lists what was modified after a moment, page by page, with links and meta', async () => {
    service.set({ answers: { pageSize: 2 } });
    const first = await send('POST', 'product/pakket/allModified', { LMT: '2000-01-01 00:00:00.000' });
    expect(first.json).toHaveLength(1);
    const [{ data, links, meta }] = first.json;
    expect(Object.keys(data[0])).toEqual(
      expect.arrayContaining([...names.productList, ...names.productNested]),
    );
    expect(data[0].productType.ProductType).toBe('Pakket');
    expect(meta).toMatchObject({ current_page: 1, from: 1, to: 2, last_page: 2, total: 3, per_page: '2' });
    expect(links.prev).toBeNull();
    const second = await call(service, 'POST', links.next, { LMT: '2000-01-01 00:00:00.000' });
    expect(second.json[0].data).toHaveLength(1);
    expect(second.json[0].links.next).toBeNull();
    const whole = await send('POST', 'product/pakket/allModified', {
      LMT: '2000-01-01 00:00:00.000',
      downloadResponseAsJSON: true,
    });
    expect(whole.json).toHaveLength(3);
  });
});

describe('stock', () => {
  it('adds mutations to a total, in either unit', async () => {
    const product = service.add.product({ Kostprijs: 2 });
    service.add.stock(product, 10, { Factor: 4 });
    const reply = await send('PUT', 'product/voorraadmutatie/create', mutationBody(product));
    expect(reply.json.success).toBe(true);
    expect(service.mutations.get(idOf(reply))).toMatchObject({ ProductID: product, AantalRekeneenheid: 2.5 });
    const units = mutationBody(product, { AantalRekeneenheid: undefined, AantalProducteenheid: -1 });
    await send('PUT', 'product/voorraadmutatie/create', units);
    const total = await send('GET', `product/voorraadmutatie/currenttotal/${product}`);
    expect(total.json).toMatchObject({
      success: true,
      total: [{ Aantal: 8.5, AantalProductEenheid: 2.125 }],
    });
    expect(total.json.total[0].Waarde).toBe(17);
    expect(service.stockTotal(product)).toBe(8.5);
  });
});

describe('events and their packages', () => {
  const year = { EnkelEvenement: true, DatumVan: '2027-01-01', DatumTot: '2027-12-31' };

  it('creates, reads, updates and refreshes an event', async () => {
    const created = await send('PUT', 'event', eventBody({ ExternalID: 77 }));
    const id = idOf(created);
    expect(created.json).toEqual({ id, success: true });
    await send('POST', 'event', { PartijID: id, AantalGasten: 60, FactuurContactpersoonID: 6002 });
    const read = await send('GET', `event/${id}`);
    expect(Object.keys(read.json)).toEqual(names.eventDetail);
    expect(read.json).toMatchObject({ AantalGasten: 60, FactuurContactPersoonID: 6002, ExternalID: 77 });
    expect((await send('GET', `event/${id}/processevent`)).json).toEqual({ id, success: true });
    expect((await send('GET', `event/${id}`)).json.LaatsteProductieVerversingLMT).not.toBeNull();
  });

  it('lists events by their dates, by LMT, and the definitive ones with fewer fields', async () => {
    const all = await send('POST', 'event/all', year);
    expect(all.json).toHaveLength(2);
    expect(Object.keys(all.json[0])).toEqual(names.eventList);
    const kassa = await send('POST', 'event/allkassa', { ...year, EnkelEvent: true });
    expect(kassa.json).toHaveLength(1);
    expect(Object.keys(kassa.json[0]).at(-1)).toBe('GeenOmzet');
    const id = idOf(await send('PUT', 'event', eventBody()));
    const LMT = '2027-03-01 07:00';
    const modified = await send('POST', 'event/allByLMT', { ...year, LMT });
    expect(modified.json.map((event: { PartijID: number }) => event.PartijID)).toEqual([id]);
    const january = await send('POST', 'event/all', { ...year, DatumTot: '2027-01-31' });
    expect(january.json).toHaveLength(1);
  });

  it('links a package to an event, changes the link and unlinks it', async () => {
    const event = service.add.event();
    const borrel = service.add.package({ Verkoopprijs: 7.5 });
    const keys = { PartijID: event, ArrangementID: borrel };
    await send('PUT', 'event/package', { ...keys, Aantal: 12, Datum: '2027-03-04' });
    await send('POST', 'event/package', { ...keys, OfferteOmschrijving: 'Met bubbels', Aantal: 14 });
    const list = await send('GET', `event/${event}/packages`);
    expect(list.json).toEqual([
      {
        ...keys,
        ArrangementNaam: 'Borrelpakket',
        OfferteOmschrijving: 'Met bubbels',
        VerkoopPrijs: 7.5,
        Actief: true,
        Aantal: 14,
        Datum: '2027-03-04 00:00:00.000',
      },
    ]);
    await send('POST', 'event/package/delete', { ...keys, DEL: 0 });
    expect(service.links.where(keys)).toHaveLength(1);
    expect((await send('POST', 'event/package/delete', { ...keys, DEL: 1 })).json).toEqual({ succes: true });
    expect((await send('GET', `event/${event}/packages`)).json).toEqual([]);
  });

  it('takes a document as a form and as JSON', async () => {
    const event = service.add.event();
    const port = await startSecondService();
    const form = new FormData();
    form.set('PartijID', '5001');
    form.set('Submap', 'Offertes');
    form.set('Document', new Blob(['inhoud']), 'offerte.pdf');
    const headers = { Authorization: `Bearer ${port.token}` };
    const url = `${port.url}/api/v1/event/uploaddocument`;
    const reply = await fetch(url, { method: 'POST', headers, body: form });
    expect(await reply.json()).toEqual({ id: 5001, success: true });
    expect(port.documents.all()).toMatchObject([{ Document: 'aW5ob3Vk' }]);
    await port.close();
    const body = { PartijID: event, Submap: 'Offertes', Document: 'aW5ob3Vk' };
    expect((await send('POST', 'event/uploaddocument', body)).json.success).toBe(true);
    expect(service.documents.all()).toMatchObject([{ Document: 'aW5ob3Vk' }]);
  });
});

describe('trips, lookups and the general endpoints', () => {
  it('lists trips with their nested records and shows the subtype in the list by LMT alone', async () => {
    const range = { DatumVan: '2027-01-01 00:00:00', DatumTot: '2027-01-31 00:00:00' };
    const [trip] = (await send('POST', 'ritten/all', range)).json;
    expect(trip).toMatchObject({ Chauffeur: 'Joost', relation: { Bedrijfsnaam: 'Zalencentrum De Linde' } });
    expect(Object.keys(trip.event)).toEqual(names.eventInTrip);
    expect(trip.demand.planning).toHaveLength(1);
    expect(trip).not.toHaveProperty('SubtypeRitID');
    const body = { RitID: trip.RitID, Chauffeur: 'Mila', SubtypeRitID: 9601, RetourRit: true };
    expect((await send('POST', 'ritten', body)).json).toEqual({});
    const LMT = '2027-03-01 07:00:00';
    const changed = await send('POST', 'ritten/allByLMT', { LMT });
    expect(changed.json).toHaveLength(1);
    expect(changed.json[0]).toMatchObject(body);
    expect((await send('DELETE', `ritten/${trip.RitID}`)).status).toBe(200);
    expect(service.trips.size).toBe(1);
  });

  it.each([
    ['relation/4002', 'Bakkerij Van Oord & Zn.'],
    ['relation/contact/6001', 'Timmers'],
    ['location/801', 'Grote zaal'],
    ['dropdownvalue/49', 'Telling'],
    ['unit/all', 'liter'],
    ['productcategory/all', 'Desserts'],
    ['productactiecategory/all', 'Snijden'],
    ['core/ritten/all', 'Joost'],
  ])('answers %s with the names that belong there', async (path, name) => {
    const reply = await send('GET', path);
    expect(reply.status).toBe(200);
    expect(reply.text).toContain(name);
  });

  it('gives an invoice file and puts every sending of orders down', async () => {
    const file = await send('GET', 'invoice/file/12/pdf');
    expect(file.text).toMatch(/^%PDF/);
    await send('GET', 'edi/purchaseorder/sendAll');
    await send('GET', 'edi/purchaseorder/send/55');
    expect(service.orders.all().map((order) => order.Inkooporder)).toEqual([null, 55]);
  });
});
