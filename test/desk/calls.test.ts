import { expect, test } from 'vitest';
import type { JobDocument } from '../../src/desk/contract/documents.ts';
import { openDesk, type TestDesk } from './open-desk.ts';

/** What came of each call of a job, as `id status`. */
function said({ answer }: JobDocument): string[] {
  if (answer?.kind !== 'calls') throw new Error('no calls');
  return answer.document.calls.map(({ id, status }) => `${id} ${status}`);
}

const orders = async (desk: TestDesk, body: object): Promise<JobDocument> =>
  await desk.ended((await desk.ask('makeOrders', { body })).job);

const sentOrders = async (desk: TestDesk): Promise<unknown[]> =>
  (await desk.service.records('orderCall')).map(({ InkooporderID }) => InkooporderID);

test('purchase orders go once, are known as sent, and go once more only where that was said of them', async () => {
  const desk = await openDesk();
  const look = (ids: string[]) => desk.ask('lookAtOrders', { body: { ids } });
  expect(await look(['4501', '4501'])).toEqual({
    orders: [{ id: '4501', state: 'new', at: null }],
    allSent: null,
  });
  expect(said(await orders(desk, { ids: ['4501', '4'] }))).toEqual(['4501 done', '4 failed']);
  const known = await look(['4501', '4', '4502']);
  expect(known.orders.map(({ id, state }) => [id, state])).toEqual([
    ['4501', 'sent'],
    ['4', 'new'],
    ['4502', 'new'],
  ]);
  expect(known.orders[0]?.at).toMatch(/\d{4} \d\d:\d\d$/);
  const second = await orders(desk, { ids: ['4501', '4502'] });
  expect(said(second)).toEqual(['4501 unchanged', '4502 done']);
  expect(JSON.stringify(second)).not.toContain('--again');
  expect(said(await orders(desk, { ids: ['4501', '4502'], again: ['4502'] }))).toEqual([
    '4501 unchanged',
    '4502 done',
  ]);
  expect(await sentOrders(desk)).toEqual([4501, 4502, 4502]);
  expect(said(await orders(desk, { ids: 'all' }))).toEqual(['all done']);
  expect((await look([])).allSent).toMatchObject({ state: 'sent' });
});

test('what is no number of an order is refused, and nothing is sent', async () => {
  const desk = await openDesk();
  for (const body of [{ ids: ['4501', 'x'] }, { ids: [] }, { ids: ['0'] }, { ids: ['../1'] }, {}])
    expect((await desk.fetch('makeOrders', { body })).status).toBe(400);
  expect((await desk.fetch('makeRefresh', { body: { ids: 'all' } })).status).toBe(400);
  expect(await sentOrders(desk)).toEqual([]);
});
