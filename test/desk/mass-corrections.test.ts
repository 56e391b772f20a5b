import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeWorkbook } from '../helpers/make-workbook.ts';
import { openDesk, type TestDesk } from './open-desk.ts';

const HEADERS = ['ExternalID', 'ProductTypeID', 'OmschrijvingIntern', 'Verkoopprijs'];

async function broughtPackages(
  desk: TestDesk,
  rows: readonly (readonly (string | number)[])[],
): Promise<{ readonly draft: string }> {
  const file = join(desk.service.folder, 'catalogus.xlsx');
  await makeWorkbook(file, { Pakketten: [HEADERS, ...rows.map((row) => [...row])] });
  const draft = await desk.bring(file);
  await desk.planned(draft);
  return { draft };
}

const sheet = 'Pakketten';
const statuses = async (desk: TestDesk, params: { readonly draft: string }): Promise<string[]> =>
  (await desk.ask('planRows', { params, body: {} })).rows.map(({ status }) => status);

test('a row that created the same as another is right again as soon as that one has a key of its own', async () => {
  const first = await openDesk();
  const params = await broughtPackages(first, [
    [71_001, 'Buffet', 'Lentebuffet', 12],
    [71_001, 'Buffet', 'Zomerbuffet', 13],
    [71_003, 'Buffet', 'Herfstbuffet', 14],
  ]);
  expect(await statuses(first, params)).toEqual(['invalid', 'invalid', 'create']);
  const key = (row: number, text: string | null) => ({
    params,
    body: { corrections: [{ sheet, row, column: 1, text }] },
  });
  const answer = await first.ask('correct', key(3, '71002'));
  expect(answer.rows.map(({ row, status }) => [row, status])).toEqual([
    [2, 'create'],
    [3, 'create'],
  ]);
  expect(answer.counts).toMatchObject({ created: 3, invalid: 0 });
  expect((await first.ask('plan', { params })).groups).toEqual([]);
  const desk = await first.again();
  expect(await statuses(desk, params)).toEqual(['create', 'create', 'create']);
  // Onto another one's, also where that was corrected itself, and back.
  await desk.ask('correct', key(4, '71002'));
  expect(await statuses(desk, params)).toEqual(['create', 'invalid', 'invalid']);
  await desk.ask('correct', key(4, '71004'));
  expect(await statuses(desk, params)).toEqual(['create', 'create', 'create']);
  await desk.ask('correct', key(3, null));
  expect(await statuses(desk, params)).toEqual(['invalid', 'invalid', 'create']);
});
