import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { call, eventBody, idOf, packageBody } from './client.ts';
import type { AnswerKnobs } from './knobs.ts';
import { type SecondService, startSecondService } from './second-service.ts';

let service: SecondService;

beforeEach(async () => {
  service = await startSecondService();
});

afterEach(async () => {
  expect(service.faults).toEqual([]);
  await service.close();
});

const send = (method: string, path: string, body?: unknown) => call(service, method, path, body);
const turn = (answers: Partial<AnswerKnobs>) => service.set({ answers });
const january = { EnkelEvenement: true, DatumVan: '2027-01-01', DatumTot: '2027-01-31' };
const never = { EnkelEvenement: true, DatumVan: '1999-01-01', DatumTot: '1999-01-31' };
const all = { LMT: '2000-01-01 00:00:00' };

describe('lists', () => {
  it('come as an array, as the only record, or in data', async () => {
    expect((await send('POST', 'event/all', january)).json).toHaveLength(1);
    turn({ lists: 'single when one' });
    expect((await send('POST', 'event/all', january)).json).toHaveProperty('PartijID');
    turn({ lists: 'data' });
    expect((await send('POST', 'event/all', january)).json.data).toHaveLength(1);
    const trips = { DatumVan: '2027-01-01', DatumTot: '2027-01-31' };
    expect((await send('POST', 'ritten/all', trips)).json).toHaveLength(1);
    turn({ otherLists: 'data', lookupLists: 'data' });
    expect((await send('POST', 'ritten/all', trips)).json.data).toHaveLength(1);
    expect((await send('GET', 'unit/all')).json.data).toHaveLength(3);
  });

  it.each([
    ['empty', 200, []],
    ['null', 200, null],
    ['{}', 200, {}],
    ['[]', 200, []],
  ] as const)('of none come as %s', async (none, status, json) => {
    turn({ none });
    expect(await send('POST', 'event/all', never)).toMatchObject({ status, json });
  });

  it('of none come as 404', async () => {
    turn({ none: '404' });
    expect((await send('POST', 'event/all', never)).status).toBe(404);
  });

  it('have pages of the wanted size and order, bare or in an array', async () => {
    turn({ pageSize: 2, page: 'bare', listOrder: 'id descending', noNumber: 0, noText: '' });
    const { json } = await send('POST', 'product/pakket/allModified', all);
    expect(json.data.map((record: { ProductID: number }) => record.ProductID)).toEqual([1003, 1002]);
    expect(json.meta.last_page).toBe(2);
    expect([json.data[0].Volume, json.data[0].OfferteTekst]).toEqual([0, '']);
  });

  it('end early, or leave out what is not active', async () => {
    turn({ listCap: 1, inactiveInLists: false });
    expect((await send('POST', 'event/all', { ...january, DatumTot: '2027-12-31' })).json).toHaveLength(1);
    service.other.change('package', 1001, { Actief: false });
    service.other.change('trip', 301, { DEL: true });
    expect((await send('POST', 'product/pakket/allModified', all)).json[0].meta.total).toBe(2);
    expect((await send('GET', 'core/ritten/all')).json).toMatchObject([{ RitID: 302 }]);
  });

  it.each([
    ['relative', /^\/api\/v1\/product\/pakket\/allModified\?page=2$/],
    ['other host', /^http:\/\/app\.intern:8080\/api/],
    ['other scheme', /^https:\/\/127\.0\.0\.1:\d+\/api/],
    ['absolute', /^http:\/\/127\.0\.0\.1:\d+\/api/],
  ] as const)('link to their next page in a way that is %s', async (links, shape) => {
    turn({ links, pageSize: 1 });
    expect((await send('POST', 'product/pakket/allModified', all)).json[0].links.next).toMatch(shape);
  });

  it('come whole as records, in data, or in an array with data', async () => {
    const body = { ...all, downloadResponseAsJSON: true };
    turn({ whole: 'data' });
    expect((await send('POST', 'product/pakket/allModified', body)).json.data).toHaveLength(3);
    turn({ whole: 'array with data' });
    expect((await send('POST', 'product/pakket/allModified', body)).json[0].data).toHaveLength(3);
  });
});

describe('single records', () => {
  it('come bare, in data, or in an array of one', async () => {
    turn({ detail: 'data' });
    expect((await send('GET', 'product/pakket/detail/1001')).json.data.ProductID).toBe(1001);
    turn({ detail: 'array' });
    expect((await send('GET', 'product/pakket/detail/1001')).json[0].ProductID).toBe(1001);
  });

  it.each([
    ['404 json', 404, { message: 'Not Found.' }],
    ['404 html', 404, undefined],
    ['null', 200, null],
    ['[]', 200, []],
    ['{}', 200, {}],
  ] as const)('that are missing come as %s', async (missing, status, json) => {
    turn({ missing });
    for (const path of [
      'product/pakket/detail/9',
      'product/recept/detailExternal/9',
      'event/9',
      'relation/9',
    ]) {
      expect(await send('GET', path)).toMatchObject({ status, ...(json === undefined ? {} : { json }) });
    }
    const update = await send('POST', 'event', { PartijID: 9, AantalGasten: 1 });
    expect(update.json?.success ?? false).toBe(false);
    expect(service.journal.writes.at(-1)?.done).toBe('not done');
  });
});

describe('values', () => {
  it('have ids, flags and numbers as their own types or as strings', async () => {
    const id = service.add.package({ Verkoopprijs: 12.5, Volume: 1.125, ExternalID: null });
    const read = async () => (await send('GET', `product/pakket/detail/${id}`)).json;
    expect(await read()).toMatchObject({ ProductID: id, Actief: true, Verkoopprijs: 12.5, ExternalID: null });
    turn({ ids: 'string', flags: 'string', numbers: 'fixed', noExternalId: '0' });
    const strings = { ProductID: String(id), Actief: '1', Verkoopprijs: '12.50', Volume: '1.125' };
    expect(await read()).toMatchObject({ ...strings, ExternalID: '0' });
    turn({ flags: 'number', numbers: 'string', noExternalId: '' });
    expect(await read()).toMatchObject({ Actief: 1, Verkoopprijs: '12.5', ExternalID: '' });
    const created = await send('PUT', 'product/pakket/create', packageBody());
    expect(typeof created.json.ProductID).toBe('string');
  });

  it('change their types from answer to answer where they are mixed', async () => {
    turn({ ids: 'mixed', flags: 'mixed', numbers: 'mixed', order: 'mixed' });
    const seen = new Set<string>();
    for (let n = 0; n < 30; n += 1) {
      const { json } = await send('GET', 'product/pakket/detail/1001');
      seen.add(`${typeof json.ProductID} ${typeof json.Actief}`);
      expect([Number(json.ProductID), Number(json.Verkoopprijs)]).toEqual([1001, 18.75]);
    }
    expect(seen.size).toBeGreaterThan(3);
  });

  it('are strings in lists and not in details where the knob says so', async () => {
    turn({ ids: 'strings in lists', flags: 'strings in lists', numbers: 'strings in lists' });
    const detail = (await send('GET', 'product/pakket/detail/1001')).json;
    expect(detail).toMatchObject({ ProductID: 1001, Actief: true, Verkoopprijs: 18.75 });
    const [listed] = (await send('POST', 'product/pakket/allModified', all)).json[0].data;
    expect(listed).toMatchObject({ ProductID: '1001', Actief: '1', Verkoopprijs: '18.75' });
  });

  it('have datetimes with and without a fraction', async () => {
    const id = idOf(await send('PUT', 'event', eventBody()));
    turn({ dates: 'seconds' });
    expect((await send('GET', `event/${id}`)).json.Datum).toBe('2027-03-04 00:00:00');
    turn({ dates: 'detail fraction' });
    expect((await send('GET', `event/${id}`)).json.Datum).toBe('2027-03-04 00:00:00.000');
    expect((await send('POST', 'event/all', january)).json[0].Datum).toBe('2027-01-08 00:00:00');
  });

  it('are called by several names in lookups', async () => {
    const names = async () => Object.keys((await send('GET', 'unit/all')).json[0]);
    expect(await names()).toEqual(['EenheidID', 'Eenheid']);
    turn({ lookupNames: 'plain' });
    expect(await names()).toEqual(['id', 'name']);
    turn({ lookupNames: 'Dutch' });
    expect(await names()).toEqual(['ID', 'Omschrijving']);
  });
});

describe('writes', () => {
  it.each([
    ['422', 422, { message: 'The given data was invalid.', errors: { Verkoopprijs: expect.any(Array) } }],
    ['400', 400, { error: 'The Verkoopprijs field is required.' }],
    ['200 success false', 200, { success: false, message: 'The Verkoopprijs field is required.' }],
    ['200 id 0', 200, { ProductID: 0, success: false }],
  ] as const)('that are refused are answered with %s', async (refusal, status, json) => {
    turn({ refusal });
    const reply = await send('PUT', 'product/pakket/create', { ProductTypeID: 1, OmschrijvingIntern: 'x' });
    expect([reply.status, reply.json]).toEqual([status, json]);
    expect(service.journal.writes.at(-1)?.done).toBe('not done');
  });

  it.each([true, 1, 'true'] as const)('say their success as %s', async (success) => {
    turn({ success });
    expect((await send('PUT', 'product/pakket/create', packageBody())).json.success).toBe(success);
  });

  it.each([
    ['empty object', 200, '{}'],
    ['id', 200, '{"id":301,"success":true}'],
    ['empty body', 200, ''],
    ['204', 204, ''],
  ] as const)('that delete a trip are answered with %s', async (tripDelete, status, text) => {
    turn({ tripDelete });
    expect(await send('DELETE', 'ritten/301')).toMatchObject({ status, text });
  });

  it('answer with the link or with the package that was linked', async () => {
    const link = { PartijID: service.add.event(), ArrangementID: 1001, Aantal: 2, Datum: '2027-01-01' };
    expect(idOf(await send('PUT', 'event/package', link))).not.toBe(1001);
    service.set({ values: { linkId: 'ArrangementID' } });
    expect(idOf(await send('PUT', 'event/package', link))).toBe(1001);
  });
});

describe('the bytes', () => {
  it('hold unknown members and another order of members', async () => {
    turn({ extraMembers: true, order: 'sorted' });
    const names = Object.keys((await send('GET', 'product/pakket/detail/1001')).json);
    expect(names).toContain('InterneVersie');
    expect(names).toEqual([...names].sort());
  });

  it('are zipped, begin with a byte order mark, or name no charset', async () => {
    turn({ gzip: 'when accepted', bom: true, charset: 'none' });
    const url = `${service.url}/api/v1/unit/all`;
    const reply = await fetch(url, { headers: { Authorization: `Bearer ${service.token}` } });
    expect(reply.headers.get('content-encoding')).toBe('gzip');
    expect(reply.headers.get('content-type')).toBe('application/json');
    expect([...new Uint8Array(await reply.arrayBuffer()).subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  });

  it('come over a connection that is kept, closed, or closed without a word', async () => {
    turn({ keepAlive: 'closed', headerCase: 'upper' });
    const reply = await send('GET', 'unit/all');
    expect(reply.headers.get('connection')).toBe('close');
    turn({ keepAlive: 'silently closed', headerCase: 'lower' });
    expect((await send('GET', 'unit/all')).headers.get('connection')).toBe('keep-alive');
  });

  it('are asked for under a path of their own', async () => {
    const under = await startSecondService({ answers: { basePath: '/kantoor', pageSize: 1 } });
    expect(under.url).toMatch(/\/kantoor$/);
    const reply = await call(under, 'POST', 'product/pakket/allModified', all);
    expect(reply.json[0].links.next).toContain('/kantoor/api/v1/product');
    expect((await call(under, 'POST', reply.json[0].links.next, all)).status).toBe(200);
    await under.close();
  });
});
