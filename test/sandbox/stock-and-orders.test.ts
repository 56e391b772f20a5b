import { describe, expect, test } from 'vitest';
import { MUTATION, type Opened, open, RECIPE } from './open.ts';

const total = async (service: Opened, id: number) =>
  (await service.call('GET', `/api/v1/product/voorraadmutatie/currenttotal/${id}`, { ProductID: id })).body
    .total[0];

const post = (service: Opened, amounts: object) =>
  service.call('PUT', '/api/v1/product/voorraadmutatie/create', { ...MUTATION, ...amounts });

describe('stock', () => {
  test.each([
    ['units of calculation', { AantalRekeneenheid: 2.5 }, 2.5, 0.25],
    ['product units of OPK each', { AantalProducteenheid: 3 }, 30, 3],
  ])('moves by %s', async (_, amounts, Aantal, AantalProductEenheid) => {
    const service = await open();
    const { ProductID } = (
      await service.call('PUT', '/api/v1/product/recept/create', { ...RECIPE, RekenEenheidID: 1 })
    ).body;
    const none = {
      Aantal: 0,
      Aantal_Edit: '0,00',
      RekenEenheid: 'kilogram',
      ProductEenheid: 'bak',
      AantalProductEenheid: 0,
      Waarde: 0,
    };
    expect(await total(service, ProductID)).toEqual(none);
    expect((await post(service, { ProductID, ...amounts })).body).toEqual({
      id: expect.any(Number),
      success: true,
    });
    expect(await total(service, ProductID)).toMatchObject({ Aantal, AantalProductEenheid });
  });

  test('adds up tenths exactly', async () => {
    const service = await open();
    for (const AantalRekeneenheid of [0.1, 0.2]) await post(service, { ProductID: 7002, AantalRekeneenheid });
    expect((await total(service, 7002)).Aantal).toBe(0.3);
    expect(await service.records('mutation')).toHaveLength(2);
  });
});

describe('purchase orders', () => {
  test('are sent once all together, and again when one is asked for', async () => {
    const service = await open();
    await service.call('GET', '/api/v1/edi/purchaseorder/send/4502');
    const all = await service.call('GET', '/api/v1/edi/purchaseorder/sendAll');
    expect(all.body).toEqual({ success: true, verzonden: 5 });
    expect((await service.call('GET', '/api/v1/edi/purchaseorder/sendAll')).body).toEqual({
      success: true,
      verzonden: 0,
    });
    await service.call('GET', '/api/v1/edi/purchaseorder/send/4502');
    const sent = (await service.records('order')).map(({ Verzonden }) => Verzonden);
    expect(sent).toEqual([1, 2, 1, 1, 1, 1]);
    expect((await service.records('orderCall')).map(({ InkooporderID }) => InkooporderID)).toEqual([
      4502,
      null,
      null,
      4502,
    ]);
  });
});
