import { join } from 'node:path';
import { expect, test } from 'vitest';
import type {} from '../../../src/desk/contract/documents.ts';
import { openDesk, type TestDesk } from '../../desk/open-desk.ts';
import { makeWorkbook } from '../../helpers/make-workbook.ts';

const HEADERS = ['ExternalID', 'ProductTypeID', 'OmschrijvingIntern', 'Verkoopprijs', 'Actief'];
const PRICE = 4;

async function planned(desk: TestDesk): Promise<string> {
  const file = join(desk.service.folder, 'catalogus.xlsx');
  const rows = [71001, 71002, 71003, 71004].map((id) => [id, 'Buffet', `Buffet ${id}`, 'nnb', 'Ja']);
  await makeWorkbook(file, { Pakketten: [HEADERS, ...rows] });
  const draft = await desk.bring(file);
  expect((await desk.planned(draft)).state).toBe('done');
  return draft;
}

const correction = (row: number) => ({
  corrections: [{ sheet: 'Pakketten', row, column: PRICE, text: `${row},50` }],
});

test('corrections that come at once are all kept', async () => {
  const desk = await openDesk();
  const params = { draft: await planned(desk) };
  await Promise.all([2, 3, 4, 5].map((row) => desk.ask('correct', { params, body: correction(row) })));
  expect((await desk.ask('draft', { params })).draft.corrections).toBe(4);
  const { counts } = await desk.ask('planRows', { params, body: {} });
  expect(counts).toMatchObject({ created: 4, invalid: 0 });
});

test('a plan is sent once, however often that is asked for at once', async () => {
  const desk = await openDesk();
  const params = { draft: await planned(desk) };
  await desk.ask('correct', { params, body: correction(2) });
  await desk.planned(params.draft);
  const { run, deletes } = await desk.ask('plan', { params });
  const body = { run, deletes };
  const answers = await Promise.all([1, 2, 3].map(() => desk.fetch('send', { params, body })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
});
