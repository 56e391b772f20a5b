import { expect, test } from 'vitest';
import { draftOn, openDesk } from './open-desk.ts';

test('of a run that was taken back the rows that are left are not sent again with those that were taken back', async () => {
  const desk = await openDesk();
  const { ask, draft, params, planned, send } = await draftOn(desk, 'Pakketten.csv', [
    'ExternalID;ProductTypeID;OmschrijvingIntern;Verkoopprijs',
    '71001;Buffet;Lentebuffet;12,50',
    '71002;Buffet;Zomerbuffet;nnb',
  ]);
  await planned();
  const { run } = await send();
  // Before it is taken back, the row that is left can be gone on with.
  const { id } = (await ask('again')).draft;
  expect(id).not.toBe(draft);

  const { job } = await desk.ask('takeBack', { params: { run } });
  const undo = (await desk.ended(job)).draft ?? '';
  const isPlanned = async () => (await desk.ask('draft', { params: { draft: undo } })).draft.run !== null;
  await expect.poll(isPlanned).toBe(true);
  const plan = await desk.plan(undo);
  const sending = { params: { draft: undo }, body: { run: plan.run, deletes: plan.deletes } };
  expect((await desk.ended((await desk.ask('send', sending)).job)).outcomes).toEqual({ deleted: 1 });

  expect((await desk.ask('run', { params: { run } })).run.takenBack).toBe(plan.run);
  expect((await desk.fetch('again', { params })).status).toBe(409);
});
