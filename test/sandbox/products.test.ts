import { describe, expect, test } from 'vitest';
import { type Opened, open, PACKAGE } from './open.ts';

async function created(service: Opened, body: object): Promise<number> {
  const answer = await service.call('PUT', '/api/v1/product/pakket/create', body);
  expect(answer.body).toEqual({ ProductID: expect.any(Number), success: true });
  return answer.body.ProductID;
}

const detail = async (service: Opened, kind: string, id: number) =>
  (await service.call('GET', `/api/v1/product/${kind}/detail/${id}`)).body;

describe('a product', () => {
  test('is written field by field: absent leaves alone, null clears', async () => {
    const service = await open();
    const id = await created(service, {
      ...PACKAGE,
      Volume: 2.25,
      OmschrijvingExtern: 'Lunch',
      OpnemenInOfferte: true,
    });
    await service.call('POST', '/api/v1/product/pakket/update', {
      ...PACKAGE,
      ProductID: id,
      Verkoopprijs: 13,
      Volume: null,
    });
    const changed = await detail(service, 'pakket', id);
    expect(changed).toMatchObject({
      Verkoopprijs: 13,
      Volume: null,
      OmschrijvingExtern: 'Lunch',
      OpnemenInOfferte: true,
    });
  });

  test('has a later LMT after each write, however fast the writes come', async () => {
    const service = await open();
    const ids = await Promise.all(Array.from({ length: 10 }, () => created(service, PACKAGE)));
    const moments = await Promise.all(ids.map(async (id) => (await detail(service, 'pakket', id)).LMT));
    expect(new Set(moments).size).toBe(10);
    for (const moment of moments) expect(moment).toMatch(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\.\d{3}$/);
    const [first = 0] = ids;
    await service.call('POST', '/api/v1/product/pakket/update', { ...PACKAGE, ProductID: first });
    expect((await detail(service, 'pakket', first)).LMT > moments.sort().at(-1)).toBe(true);
  });
});
