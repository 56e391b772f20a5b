import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { EVENT, type Opened, open, TOKEN } from './open.ts';

const plain = { dialect: { types: 'plain' } } as const;
const days = (DatumVan: string, DatumTot = DatumVan) => ({ EnkelEvenement: false, DatumVan, DatumTot });
const get = async (service: Opened, id: number) => (await service.call('GET', `/api/v1/event/${id}`)).body;

async function created(service: Opened, more: object = {}): Promise<number> {
  const { body } = await service.call('PUT', '/api/v1/event', { ...EVENT, ...more });
  expect(body).toEqual({ id: expect.any(Number), success: true });
  return body.id;
}

describe('an event', () => {
  test('is read back in the words of its record', async () => {
    const service = await open(plain);
    const id = await created(service, { ExternalID: 71000, CentraleProductieLocatieID: 1 });
    await service.call('POST', '/api/v1/event', {
      PartijID: id,
      FactuurContactpersoonID: 4,
      AantalGastenDefinitief: true,
    });
    const event = await get(service, id);
    expect(event).toMatchObject({
      PartijID: id,
      ExternalID: 71000,
      FactuurContactPersoonID: 4,
      AantalGastenDefinitief: true,
      CentraleProductieLocatieID: 1,
    });
    for (const name of ['Starttijd', 'Eindtijd', 'FactuurContactpersoonID'])
      expect(event).not.toHaveProperty(name);
  });

  test('keeps its LMT when it is refreshed, and gets a later one when it is written', async () => {
    const service = await open(plain);
    const before = await get(service, 9001);
    await service.call('GET', '/api/v1/event/9001/processevent');
    const refreshed = await get(service, 9001);
    expect(refreshed).toMatchObject({
      LMT: before.LMT,
      HeeftVulling: true,
      LaatsteProductieVerversingLMT: expect.any(String),
    });
    await service.call('POST', '/api/v1/event', { PartijID: 9001, AantalGasten: 5 });
    expect((await get(service, 9001)).LMT > before.LMT).toBe(true);
  });
});

describe('event lists', () => {
  const list = async (service: Opened, path: string, body: object) =>
    (await service.call('POST', `/api/v1/event/${path}`, body)).body;
  const ids = (events: { PartijID: number }[]): number[] => events.map(({ PartijID }) => PartijID);

  test('go by whole days, both included', async () => {
    const service = await open(plain);
    const late = await created(service, { Datum: '2027-04-29 23:59:00' });
    const early = await created(service, { Datum: '2027-04-28 00:00:00' });
    await created(service, { Datum: '2027-04-30 00:00:00' });
    expect(ids(await list(service, 'all', days('2027-04-28', '2027-04-29')))).toEqual([early, late]);
  });
});

describe('a document', () => {
  const upload = (service: Opened, fields: Record<string, string | File>) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    return fetch(`${service.url}/api/v1/event/uploaddocument`, {
      method: 'POST',
      body: form,
      headers: { authorization: `Bearer ${TOKEN}` },
    });
  };
  const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, index) => index % 251));

  test('is kept by name, size and content', async () => {
    const service = await open();
    const Document = new File([bytes], 'plattegrond é.pdf');
    const response = await upload(service, { PartijID: '9001', Submap: 'Locatie', Document });
    expect(await response.json()).toEqual({ id: expect.any(Number), success: true });
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const [kept] = await service.records('document');
    expect(kept).toMatchObject({
      PartijID: 9001,
      Submap: 'Locatie',
      Bestandsnaam: 'plattegrond é.pdf',
      Grootte: 70_000,
      sha256,
    });
  });
});
