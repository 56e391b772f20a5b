import { expect, test } from 'vitest';
import { EVER, type Opened, open, PACKAGE } from './open.ts';

const LIST = '/api/v1/product/pakket/allModified';

const page = async (service: Opened, query = '', body: object = { LMT: EVER }) =>
  (await service.call('POST', `${LIST}${query}`, body)).body[0];

test('a list comes in pages with absolute links and counts', async () => {
  const service = await open({ pageSize: 12 });
  const first = await page(service);
  const at = (number: number): string => `${service.url}${LIST}?page=${number}`;
  expect(first.links).toEqual({ first: at(1), last: at(3), prev: null, next: at(2) });
  expect(first.meta).toEqual({
    current_page: 1,
    from: 1,
    last_page: 3,
    path: `${service.url}${LIST}`,
    per_page: '12',
    to: 12,
    total: 30,
  });
  const last = await page(service, '?page=3');
  expect(last.links).toEqual({ first: at(1), last: at(3), prev: at(2), next: null });
  expect(last.meta).toMatchObject({ current_page: 3, from: 25, to: 30 });
  expect(last.data).toHaveLength(6);
});

test('the pages together hold every record once, in the order of their LMT', async () => {
  const service = await open({ pageSize: 7 });
  await service.call('POST', '/api/v1/product/pakket/update', { ...PACKAGE, ProductID: 5001 });
  const ids: number[] = [];
  for (let number = 1; number <= 5; number += 1) {
    ids.push(
      ...(await page(service, `?page=${number}`)).data.map(
        (record: { ProductID: number }) => record.ProductID,
      ),
    );
  }
  expect(ids).toEqual([...Array.from({ length: 29 }, (_, index) => 5002 + index), 5001]);
});

test('only what was modified after the moment is listed', async () => {
  const service = await open();
  const { LMT } = (await service.call('GET', '/api/v1/product/pakket/detail/5028')).body;
  const later = await page(service, '', { LMT });
  expect(later.data.map((record: { ProductID: number }) => record.ProductID)).toEqual([5029, 5030]);
  const second = await page(service, '', { LMT: LMT.slice(0, 19) });
  expect(second.meta.total).toBe(2);
});
