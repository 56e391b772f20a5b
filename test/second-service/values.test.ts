import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { call, eventBody, idOf, mutationBody, packageBody, recipeBody } from './client.ts';
import { nextUp, round } from './habits.ts';
import type { ValueKnobs } from './knobs.ts';
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
const turn = (values: Partial<ValueKnobs>) => service.set({ values });

async function storedPackage(values: Record<string, unknown>) {
  const id = idOf(await send('PUT', 'product/pakket/create', packageBody(values)));
  return (await send('GET', `product/pakket/detail/${id}`)).json;
}

describe('numbers', () => {
  it.each([
    [10.125, 'half up', 10.13],
    [10.125, 'half even', 10.12],
    [10.135, 'half even', 10.14],
    [1.005, 'half up', 1.01],
    [10.129, 'truncate', 10.12],
    [-2.555, 'half up', -2.56],
    [0.999, 'half up', 1],
    [12345678.9, 'half up', 12345678.9],
  ] as const)('such as %s are rounded %s to %s', (value, mode, rounded) => {
    expect(round(value, 2, mode)).toBe(rounded);
  });

  it('that are prices are rounded, and no others unless they are named', async () => {
    turn({ rounding: 'half up' });
    expect(await storedPackage({ Verkoopprijs: 10.125, Volume: 1.125 })).toMatchObject({
      Verkoopprijs: 10.13,
      Volume: 1.125,
    });
    turn({ rounding: 'truncate', roundedFields: ['Volume'], places: 1 });
    expect(await storedPackage({ Verkoopprijs: 10.125, Volume: 1.19 })).toMatchObject({
      Verkoopprijs: 10.125,
      Volume: 1.1,
    });
  });

  it('have noise in their last digit', async () => {
    expect(nextUp(10.1)).toBe(10.100000000000001);
    turn({ noise: true });
    expect((await storedPackage({ Verkoopprijs: 10.1 })).Verkoopprijs).toBe(10.100000000000001);
  });

  it('are single floats', async () => {
    turn({ floats: 'single' });
    expect((await storedPackage({ Verkoopprijs: 10.1 })).Verkoopprijs).toBe(10.100000381469727);
  });

  it('of 13 digits are exact, or cut to 32 bits', async () => {
    expect((await storedPackage({ ExternalID: 8712345678902 })).ExternalID).toBe(8712345678902);
    turn({ integers: '32 bits' });
    expect((await storedPackage({ ExternalID: 8712345678902 })).ExternalID).toBe(2147483647);
  });

  it('that are 0 become null, and texts that are empty too', async () => {
    const sent = { Volume: 0, Offertetekst: '' };
    expect(await storedPackage(sent)).toMatchObject({ Volume: 0, Offertetekst: '' });
    turn({ zeroAsNull: true, emptyAsNull: true });
    expect(await storedPackage(sent)).toMatchObject({ Volume: null, Offertetekst: null });
  });
});

describe('texts', () => {
  it.each<[Partial<ValueKnobs>, string, string]>([
    [{ trim: true }, '  soep ', 'soep'],
    [{ foldBlanks: true }, 'een  twee\t drie', 'een twee drie'],
    [{ cutAt: 4 }, 'soepen', 'soep'],
    [{ cutAt: { OmschrijvingIntern: 2 } }, '🥣🥣🥣', '🥣🥣'],
    [{ cutAt: { Offertetekst: 2 } }, 'soepen', 'soepen'],
    [{ escapeHtml: true }, `A & B <"x"> 'y'`, 'A &amp; B &lt;&quot;x&quot;&gt; &#039;y&#039;'],
    [{ escapeHtml: true, cutAt: 4 }, 'A & B', 'A &a'],
    [{ lineEnds: '\r\n' }, 'a\nb\r\nc', 'a\r\nb\r\nc'],
    [{ lineEnds: '\n' }, 'a\r\nb', 'a\nb'],
    [{ normalise: 'NFD' }, 'crème', 'cre\u0300me'],
    [{ normalise: 'NFC' }, 'cre\u0300me', 'crème'],
    [{ upperCase: true }, 'soep', 'SOEP'],
    [{ stripTags: true }, 'een <b>vette</b> soep', 'een vette soep'],
    [{ characters: 'no four bytes: ?' }, 'crème 🥣 €', 'crème ? €'],
    [{ characters: 'no four bytes: cut' }, 'crème 🥣 €', 'crème '],
    [{ characters: 'latin1: ?' }, 'crème 🥣 €', 'crème ? ?'],
    [{}, '  A & B\r\n ', '  A & B\r\n '],
  ])('with %j: %j is stored as %j', async (knobs, sent, kept) => {
    turn(knobs);
    expect((await storedPackage({ OmschrijvingIntern: sent })).OmschrijvingIntern).toBe(kept);
  });

  it('are upper-cased without touching datetimes, and keep their accents', async () => {
    turn({ upperCase: true, normalise: 'NFC' });
    expect(await storedPackage({ OmschrijvingIntern: 'crème' })).toMatchObject({
      OmschrijvingIntern: 'CRÈME',
      LMT: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:/),
    });
  });
});

describe('datetimes', () => {
  it.each<[Partial<ValueKnobs>, string]>([
    [{}, '2027-01-02 09:30:15.250'],
    [{ datetimes: 'seconds' }, '2027-01-02 09:30:15.000'],
    [{ datetimes: 'minutes' }, '2027-01-02 09:30:00.000'],
    [{ datetimes: 'days' }, '2027-01-02 00:00:00.000'],
    [{ datetimes: { DatumTijd: 'minutes' } }, '2027-01-02 09:30:00.000'],
    [{ datetimes: { Datum: 'days' } }, '2027-01-02 09:30:15.250'],
    [{ shiftMinutes: -600 }, '2027-01-01 23:30:15.250'],
  ])('are stored with %j as %s', async (knobs, kept) => {
    turn(knobs);
    const body = mutationBody(service.add.product(), { DatumTijd: '2027-01-02 09:30:15.250' });
    const id = idOf(await send('PUT', 'product/voorraadmutatie/create', body));
    expect(service.mutations.get(id)?.DatumTijd).toBe(kept);
  });

  it('that do not exist are refused', async () => {
    expect((await send('PUT', 'event', eventBody({ Datum: '2027-02-30 00:00:00' }))).status).toBe(422);
  });
});

describe('fields', () => {
  it('are ignored, for all kinds of record or for one', async () => {
    turn({ ignored: ['Volume', 'recipe.Verkoopprijs'] });
    expect(await storedPackage({ Volume: 3 })).toMatchObject({ Volume: null, Verkoopprijs: 9.95 });
    const id = idOf(await send('PUT', 'product/recept/create', recipeBody({ Verkoopprijs: 3 })));
    expect((await send('GET', `product/recept/detail/${id}`)).json.Verkoopprijs).toBeNull();
  });

  it('that were not sent have default values', async () => {
    turn({ defaults: { package: { ProductCategorieID: 12, OpnemenInOfferte: true } } });
    expect(await storedPackage({})).toMatchObject({ ProductCategorieID: 12, OpnemenInOfferte: true });
    expect((await storedPackage({ ProductCategorieID: 13 })).ProductCategorieID).toBe(13);
  });

  it('that an update does not send are kept, or cleared', async () => {
    const { ProductID } = await storedPackage({ Volume: 3, ExternalID: 9, OpnemenInOfferte: true });
    const update = packageBody({ ProductID });
    await send('POST', 'product/pakket/update', update);
    expect(service.packages.get(ProductID)).toMatchObject({ Volume: 3, ExternalID: 9 });
    turn({ updateClears: true });
    await send('POST', 'product/pakket/update', update);
    expect(service.packages.get(ProductID)).toMatchObject({ Volume: null, OpnemenInOfferte: false });
    const event = service.add.event({ FactuurContactPersoonID: 6002, Opmerkingen: 'let op', ExternalID: 8 });
    turn({ externalId: 'created', ignored: ['Opmerkingen'] });
    await send('POST', 'event', { PartijID: event });
    const kept = { FactuurContactPersoonID: null, Opmerkingen: 'let op', ExternalID: 8, PartijID: event };
    expect(service.events.get(event)).toMatchObject(kept);
  });

  it('that are required may be missing where the service does not care', async () => {
    turn({ required: false });
    expect((await send('PUT', 'product/pakket/create', {})).json.success).toBe(true);
    turn({ unknownFields: 'refused' });
    expect((await send('PUT', 'product/pakket/create', { Kleur: 'rood' })).status).toBe(422);
  });

  it('that name a record must name one that is there where the service looks', async () => {
    const body = eventBody({ RelatieID: 12345 });
    expect((await send('PUT', 'event', body)).status).toBe(200);
    turn({ checkReferences: true });
    expect((await send('PUT', 'event', body)).json.errors).toHaveProperty('RelatieID');
    expect((await send('PUT', 'event', eventBody({ RelatieID: 4000000001 }))).status).toBe(200);
  });
});

describe('external ids', () => {
  it.each([
    ['kept', 5, 6],
    ['created', 5, 5],
    ['updated', null, 6],
    ['never', null, null],
  ] as const)(
    'that are %s are %s after a create with 5 and %s after an update with 6',
    async (externalId, first, second) => {
      turn({ externalId: { event: externalId } });
      const id = idOf(await send('PUT', 'event', eventBody({ ExternalID: 5 })));
      expect(service.events.get(id)?.ExternalID ?? null).toBe(first);
      await send('POST', 'event', { PartijID: id, ExternalID: 6 });
      expect(service.events.get(id)?.ExternalID ?? null).toBe(second);
    },
  );

  it.each([409, 422] as const)('that another record has are refused with %s', async (status) => {
    turn({ externalIdUnique: status });
    const { ProductID } = await storedPackage({ ExternalID: 31 });
    expect((await send('PUT', 'product/pakket/create', packageBody({ ExternalID: 31 }))).status).toBe(status);
    const own = packageBody({ ProductID, ExternalID: 31 });
    expect((await send('POST', 'product/pakket/update', own)).status).toBe(200);
  });

  it('that another record has lead to an update of that record', async () => {
    turn({ externalIdUnique: 'updates' });
    const { ProductID } = await storedPackage({ ExternalID: 33 });
    expect(await storedPackage({ ExternalID: 33, Verkoopprijs: 2 })).toMatchObject({
      ProductID,
      Verkoopprijs: 2,
    });
    const first = await send('PUT', 'event', eventBody({ ExternalID: 34 }));
    expect(idOf(await send('PUT', 'event', eventBody({ ExternalID: 34 })))).toBe(idOf(first));
  });

  it('that two records share name the first or the last', async () => {
    const first = service.add.package({ ExternalID: 32 });
    const last = service.add.package({ ExternalID: 32 });
    const found = async () => (await send('GET', 'product/pakket/detailExternal/32')).json.ProductID;
    expect(await found()).toBe(first);
    turn({ sharedExternalId: 'last' });
    expect(await found()).toBe(last);
    expect(service.packages.doubles(['ExternalID']).some((group) => group.length === 2)).toBe(true);
  });
});

describe('ids, links and deletes', () => {
  it.each(['ascending', 'gaps', 'random'] as const)('give new ids in a way that is %s', async (newIds) => {
    turn({ newIds });
    const ids: number[] = [];
    for (let n = 0; n < 6; n += 1) ids.push((await storedPackage({})).ProductID);
    expect(new Set(ids).size).toBe(6);
    const isAscending = ids.every((id, n) => n === 0 || id > (ids[n - 1] ?? 0));
    expect(isAscending).toBe(newIds !== 'random');
    expect(Math.max(...ids) - Math.min(...ids) === 5).toBe(newIds === 'ascending');
  });

  it('give an id again once its record was deleted, where they are reused', async () => {
    turn({ newIds: 'reused' });
    const { ProductID } = await storedPackage({ OmschrijvingIntern: 'Eerst' });
    await send('DELETE', 'product/pakket/delete', { ProductID });
    expect(await storedPackage({ OmschrijvingIntern: 'Dan' })).toMatchObject({
      ProductID,
      OmschrijvingIntern: 'Dan',
    });
  });

  it.each([
    ['second record', 200, [2, 3]],
    ['overwrites', 200, [3]],
    ['refused', 422, [2]],
  ] as const)('let a second link of one package be a %s', async (linkTwice, status, amounts) => {
    turn({ linkTwice });
    const keys = { PartijID: service.add.event(), ArrangementID: 1001, Datum: '2027-01-01' };
    await send('PUT', 'event/package', { ...keys, Aantal: 2 });
    expect((await send('PUT', 'event/package', { ...keys, Aantal: 3 })).status).toBe(status);
    expect(service.links.where({ PartijID: keys.PartijID }).map((link) => link.Aantal)).toEqual(amounts);
  });

  it('change all links of a pair, or the first of them', async () => {
    const event = service.add.event();
    service.add.link(event, 1001);
    service.add.link(event, 1001);
    const update = { PartijID: event, ArrangementID: 1001 };
    turn({ pairMeans: 'first' });
    await send('POST', 'event/package', { ...update, Aantal: 8 });
    const amounts = () => service.links.where({ PartijID: event }).map((link) => link.Aantal);
    expect(amounts()).toEqual([8, 1]);
    turn({ pairMeans: 'all' });
    await send('POST', 'event/package', { ...update, Aantal: 9 });
    expect(amounts()).toEqual([9, 9]);
  });

  it('keep what was deleted with a flag', async () => {
    turn({ deletes: 'flagged' });
    await send('DELETE', 'product/pakket/delete', { ProductID: 1001 });
    expect((await send('GET', 'product/pakket/detail/1001')).json.Actief).toBe(false);
    await send('DELETE', 'ritten/301');
    expect(service.trips.get(301)?.DEL).toBe(true);
  });
});
