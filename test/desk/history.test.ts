import { userInfo } from 'node:os';
import { expect, test } from 'vitest';
import { draftOn, openDesk } from './open-desk.ts';

test('a row shows every change that was sent to its record, and nothing for one that is new', async () => {
  const desk = await openDesk();
  const place = { sheet: 'Pakketten', row: 2 };
  const send = async (price: string) => {
    const { draft, planned, send } = await draftOn(desk, 'Pakketten.csv', [
      'ExternalID;ProductTypeID;OmschrijvingIntern;Verkoopprijs',
      `71001;Buffet;Lentebuffet;${price}`,
    ]);
    await planned();
    const before = await desk.ask('history', { ...(await desk.plan(draft)), ...place });
    return { before, ...(await send()) };
  };
  const made = await send('12,50');
  expect(made.before.changes).toEqual([]);
  const raised = await send('15');
  const user = userInfo().username;
  expect(raised.before.changes).toMatchObject([
    { run: made.run, file: 'Pakketten.csv', user, status: 'created' },
  ]);
  const { changes } = await desk.ask('history', { run: raised.run, ...place });
  expect(changes).toMatchObject([
    { run: raised.run, status: 'updated', changes: [{ field: 'Verkoopprijs', from: 12.5, to: 15 }] },
    { run: made.run, status: 'created' },
  ]);
  expect((await desk.fetch('history', { run: raised.run, sheet: 'Pakketten', row: 99 })).status).toBe(404);
});

test('of a record that has no number of its own but its id, no other record is shown that has it as ExternalID', async () => {
  const desk = await openDesk();
  const send = async (...lines: readonly string[]) => {
    const { planned, send } = await draftOn(desk, 'Pakketten.csv', lines);
    await planned();
    return await send();
  };
  const made = await send('ProductTypeID;OmschrijvingIntern;Verkoopprijs;#action', 'Buffet;Zonder;7;create');
  const { row } = await desk.ask('row', { run: made.run, sheet: 'Pakketten', row: 2 });
  await send('ExternalID;ProductTypeID;OmschrijvingIntern;Verkoopprijs', `${row.id};Buffet;Andere;8`);
  const { run } = await send('ProductID;OmschrijvingIntern;Verkoopprijs', `${row.id};;40`);
  const { changes } = await desk.ask('history', { run, sheet: 'Pakketten', row: 2 });
  expect(changes).toMatchObject([{ run, status: 'updated' }]);
});
