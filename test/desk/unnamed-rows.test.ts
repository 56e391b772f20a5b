import { expect, test } from 'vitest';
import { makeWorkbook } from '../helpers/make-workbook.ts';
import { openDesk } from './open-desk.ts';

const MENU = [
  ['ProductTypeID', 'OmschrijvingIntern', 'Verkoopprijs', 'ProductID', 'ExternalID'],
  [1, 'Zomerbuffet', 24.5],
  [2, 'Koude komkommersoep', 6.75],
];

test('rows that name no record are asked about on the page, and the answer stays with the file until it is taken back', async () => {
  const first = await openDesk();
  const draft = await first.bring(
    await makeWorkbook(`${first.service.folder}/zomer.xlsx`, { Pakketten: MENU }),
  );
  const params = { draft };
  await first.planned(draft);
  const asked = await first.ask('plan', { params });
  expect(asked).toMatchObject({ unnamed: [{ sheet: 'Pakketten', rows: 2 }], counts: { invalid: 2 } });
  expect(asked.groups[0]?.message).toContain('say so of all rows without a key, or put create in #action');

  const desk = await first.again();
  const answered = async (createUnnamed: boolean) => {
    await desk.ended((await desk.ask('makePlan', { params, body: { createUnnamed } })).job);
    const { draft: now } = await desk.ask('draft', { params });
    expect(now.createUnnamed).toBe(createUnnamed);
    return await desk.ask('plan', { params });
  };
  expect(await answered(true)).toMatchObject({ unnamed: [], counts: { created: 2, invalid: 0 } });
  expect(await answered(false)).toMatchObject({ unnamed: [{ rows: 2 }], counts: { created: 0, invalid: 2 } });
  await answered(true);

  // A row that is corrected is checked by the same answer.
  const corrections = [{ sheet: 'Pakketten', row: 2, column: 3, text: '26' }];
  const corrected = await desk.ask('correct', { params, body: { corrections } });
  expect(corrected.counts).toMatchObject({ created: 2, invalid: 0 });
  await desk.planned(draft);
  const { run } = await desk.ask('plan', { params });
  const { job } = await desk.ask('send', { params, body: { run, deletes: 0 } });
  expect(await desk.ended(job)).toMatchObject({ state: 'done', outcomes: { created: 2 } });
});
