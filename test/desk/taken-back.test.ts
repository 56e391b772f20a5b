import { expect, test } from 'vitest';
import { draftOn, openDesk } from './open-desk.ts';

test('of a run that was taken back the rows that are left are not sent again with those that were taken back', async () => {
  const desk = await openDesk();
  const { draft, planned, send } = await draftOn(desk, 'Pakketten.csv', [
    'ExternalID;ProductTypeID;OmschrijvingIntern;Verkoopprijs',
    '71001;Buffet;Lentebuffet;12,50',
    '71002;Buffet;Zomerbuffet;nnb',
  ]);
  await planned();
  const { run } = await send();
  // Before it is taken back, the row that is left can be gone on with.
  expect((await desk.ended((await desk.ask('planRest', { run })).job)).source).not.toBe(draft);

  const { job } = await desk.ask('takeBack', { run });
  const undo = (await desk.ended(job)).source;
  const planOf = async () =>
    (await desk.ask('home')).drafts.find((one) => one.run.source === undo)?.run.run ?? '';
  await expect.poll(planOf).not.toBe('');
  const plan = await desk.ask('run', { run: await planOf() });
  const sending = { run: plan.run.run, deletes: plan.deletes };
  await desk.ended((await desk.ask('send', sending)).job);
  expect((await desk.ask('run', sending)).run.counts).toMatchObject({ deleted: 1 });

  // How much of it was taken back is told with it.
  const taken = (await desk.ask('run', { run })).undo;
  expect(taken).toMatchObject({ run: plan.run.run, counts: { deleted: 1 } });
  expect((await desk.fetch('planRest', { run })).status).toBe(409);
});
