import { describe, expect, test } from 'vitest';
import { EVENT, type Opened, open } from './open.ts';

const LINK = { ArrangementID: 3, Aantal: 40, Datum: '2027-04-28 00:00:00' };

async function event(service: Opened): Promise<number> {
  return (await service.call('PUT', '/api/v1/event', EVENT)).body.id;
}

describe('arrangements of an event', () => {
  const list = async (service: Opened, id: number) =>
    (await service.call('GET', `/api/v1/event/${id}/packages`)).body;

  test('are linked, changed and unlinked', async () => {
    const service = await open();
    const PartijID = await event(service);
    expect(await list(service, PartijID)).toEqual([]);
    await service.call('PUT', '/api/v1/event/package', { PartijID, ...LINK });
    const linked = {
      PartijID,
      ...LINK,
      ArrangementNaam: 'Lunchbuffet luxe',
      VerkoopPrijs: 24.5,
      Actief: true,
    };
    expect(await list(service, PartijID)).toEqual([
      { ...linked, OfferteOmschrijving: 'Lunchbuffet luxe, prijs per persoon' },
    ]);
    await service.call('POST', '/api/v1/event/package', {
      PartijID,
      ArrangementID: 3,
      OfferteOmschrijving: 'Lunch in de tuin',
    });
    expect(await list(service, PartijID)).toEqual([{ ...linked, OfferteOmschrijving: 'Lunch in de tuin' }]);
    const remove = { PartijID, ArrangementID: 3, DEL: true };
    expect(
      (await service.call('POST', '/api/v1/event/package/delete', { ...remove, DEL: false })).body,
    ).toEqual({ succes: true });
    expect(await list(service, PartijID)).toHaveLength(1);
    expect((await service.call('POST', '/api/v1/event/package/delete', remove)).body).toEqual({
      succes: true,
    });
    expect(await list(service, PartijID)).toEqual([]);
    expect((await service.call('POST', '/api/v1/event/package/delete', remove)).status).toBe(404);
  });
});

describe('trips', () => {
  const DAY = { DatumVan: '2026-10-02 00:00:00', DatumTot: '2026-10-02 23:59:59.999' };
  const day = async (service: Opened) => (await service.call('POST', '/api/v1/ritten/all', DAY)).body;
  const since = async (service: Opened, LMT: string) =>
    (await service.call('POST', '/api/v1/ritten/allByLMT', { LMT })).body;

  test('are updated and then found by LMT', async () => {
    const service = await open();
    const update = { RitID: 8002, Chauffeur: 'F. El Amrani', TypeVoertuigID: 9702, RetourRit: null };
    expect((await service.call('POST', '/api/v1/ritten', update)).body).toEqual({});
    const [changed, ...others] = await since(service, '2026-02-01 00:00:00');
    expect(changed).toMatchObject({
      RitID: 8002,
      Chauffeur: 'F. El Amrani',
      TypeVoertuigID: 9702,
      RetourRit: false,
      KM: 8,
    });
    expect(others).toEqual([]);
  });

  test('are marked when deleted: gone from the dates, told to whoever follows the changes', async () => {
    const service = await open();
    await service.call('DELETE', '/api/v1/ritten/8001');
    expect((await day(service)).map(({ RitID }: { RitID: number }) => RitID)).toEqual([8002]);
    expect(await since(service, '2026-02-01 00:00:00')).toMatchObject([{ RitID: 8001, DEL: true }]);
    expect((await service.call('DELETE', '/api/v1/ritten/8001')).status).toBe(404);
    expect((await service.call('POST', '/api/v1/ritten', { RitID: 8001, Chauffeur: 'x' })).status).toBe(404);
  });
});
