import { expect, test } from 'vitest';
import { openShelf } from './shelf.ts';

test('rows of stock say the name of their product, also where they are wrong, asked once for each and for 300 at most', async () => {
  const { send, used, service } = openShelf();
  const soups = Array.from({ length: 310 }, (_, at) =>
    service.add.recipe({ OmschrijvingIntern: `Linzensoep ${at}` }),
  );
  const more = { as: 'stock-mutations', dryRun: true };
  const wrong = await send([used(-2), used('veel'), used(-2, undefined, { ProductID: 99_999 })], more);
  expect(wrong.rows.map(({ label }) => label)).toEqual(['Soep 0', 'Soep 0', undefined]);
  service.journal.requests.length = 0;
  const done = await send(
    [...soups, ...soups].map((ProductID) => used(-2, undefined, { ProductID })),
    more,
  );
  expect(service.journal.of('product.detail').length).toBeLessThanOrEqual(300);
  expect(done.rows.filter(({ label }) => label?.startsWith('Linzensoep'))).toHaveLength(2 * 300);
  expect(done.notes?.join()).toContain('names of products: only the first 300');
});
