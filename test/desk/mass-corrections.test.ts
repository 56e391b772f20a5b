import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeWorkbook } from '../helpers/make-workbook.ts';
import { openDesk, type TestDesk } from './open-desk.ts';

const SAMPLE = join(import.meta.dirname, '../../fixtures/samples/planning-kwartaal.xlsx');
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

test('problems of one column are told apart by their cause, and each leaves its own rows', async () => {
  const desk = await openDesk();
  const draft = await desk.bring(SAMPLE);
  const params = { draft };
  await desk.planned(draft);
  const { groups } = await desk.ask('plan', { params });
  const placeOf = ({ sheet: of, code, field }: (typeof groups)[number]) => `${of} ${code} ${field}`;
  const places = groups.map(placeOf);
  const alike = groups.filter((group) => places.filter((one) => one === placeOf(group)).length > 1);
  expect(alike.length).toBeGreaterThan(1);
  for (const { sheet: of, code, field, cause, count } of alike) {
    const issue = { sheet: of, code, field, cause };
    expect(await desk.ask('planRows', { params, body: { issue } })).toMatchObject({ total: count });
  }
});

test('a problem of cells with different texts names none of them', async () => {
  const desk = await openDesk();
  const params = await broughtPackages(desk, [
    [71_001, 'Buffet', 'Lentebuffet', 'nnb'],
    [71_002, 'Buffet', 'Zomerbuffet', 'n.t.b.'],
    [71_003, 'Buffet', 'Herfstbuffet', 'nnb'],
    [71_004, 'Buffet', 'Winterbuffet', 'nnb'],
  ]);
  const priceOf = async () =>
    (await desk.ask('plan', { params })).groups.find(({ field }) => field === 'Verkoopprijs');
  expect(await priceOf()).toMatchObject({ count: 4, message: expect.not.stringContaining('nnb') });
  const correct = (row: number, text: string) =>
    desk.ask('correct', { params, body: { corrections: [{ sheet, row, column: 4, text }] } });
  for (const row of [2, 4, 5]) await correct(row, '12,50');
  expect(await priceOf()).toMatchObject({ count: 1, message: expect.not.stringContaining('nnb') });
});

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

test('what was corrected in many cells at once is taken back in one go, also after a new start', async () => {
  const first = await openDesk();
  const rows = Array.from({ length: 30 }, (_, at) => [71_001 + at, 'Buffet', `Buffet ${at}`, 'nnb']);
  const params = await broughtPackages(first, [...rows, [72_001, 'Buffet', 'Ander', 'n.t.b.']]);
  const one = { sheet, row: 2, column: 4 };
  const answer = await first.ask('correct', { params, body: { corrections: [{ ...one, text: '12,50' }] } });
  const { count: _, ...same } = answer.same as NonNullable<typeof answer.same>;
  await first.ask('correctSame', { params, body: same });
  // One of them by itself, and in another column too.
  const more = [
    { ...one, row: 3, text: '14' },
    { ...one, row: 4, column: 3, text: 'Anders' },
    { ...one, row: 32, text: '15' },
  ];
  await first.ask('correct', { params, body: { corrections: more } });

  const desk = await first.again();
  await desk.service.clearLog();
  const cellOf = async (row: number) =>
    (await desk.ask('planRow', { params, query: { sheet, row } })).cells.find(({ column }) => column === 4);
  // They were checked before: nothing is asked for them again.
  expect(await desk.ask('planRows', { params, body: {} })).toMatchObject({ counts: { created: 31 } });
  expect((await desk.service.log()).requests).toEqual([]);
  const solved = (await cellOf(2))?.solved;
  expect(solved).toMatchObject({ found: 'nnb', count: 30 });
  const { code, found } = solved as NonNullable<typeof solved>;
  const back = await desk.ask('correctSame', { params, body: { sheet, column: 4, code, found, text: null } });
  expect(back).toMatchObject({ corrected: 30, counts: { created: 1, invalid: 30 } });
  const left = await desk.ask('planRows', { params, body: { corrected: true } });
  expect(left.rows.map(({ row, status, label }) => [row, status, label])).toEqual([
    [4, 'invalid', 'Anders'],
    [32, 'create', 'Ander'],
  ]);
  expect((await desk.ask('plan', { params })).groups).toMatchObject([{ count: 30 }]);
  expect((await desk.ask('draft', { params })).draft.corrections).toBe(2);
  expect((await desk.ask('planRows', { params, body: { work: true } })).total).toBe(30);
});
