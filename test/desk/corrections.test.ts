import { expect, test } from 'vitest';
import { draftOn, openDesk } from './open-desk.ts';

test('a bad cell is corrected in place, the same is offered for the others, and what comes back holds it', async () => {
  const desk = await openDesk();
  const { ask, draft, params, planned, look, correct, send } = await draftOn(desk, 'Pakketten.csv', [
    'ExternalID;ProductTypeID;OmschrijvingIntern;Verkoopprijs',
    '71001;Buffet;Lentebuffet;nnb',
    '71002;Buffet;Zomerbuffet;nnb',
    '71003;Bufet;Herfstbuffet;19,5',
    '71004;Buffet;Winterbuffet;nnb',
    '71005;Buffet;Paasbuffet;21',
  ]);
  expect((await planned()).state).toBe('done');
  const rows = (body: object) => desk.rows(draft, body);
  const before = await rows({ work: true });
  expect(before.rows.map(({ row, status }) => `${row} ${status}`)).toEqual(
    [2, 3, 4, 5].map((row) => `${row} invalid`),
  );
  const cell = (await look(2)).cells.find(({ field }) => field === 'Verkoopprijs');
  expect(cell).toMatchObject({ letters: 'D', text: 'nnb', before: null, issues: [{}] });

  const answered = await correct(2, 4, '12,50');
  expect(answered).toMatchObject({
    rows: [{ row: 2, status: 'create', corrected: true }],
    same: { count: 2, text: '12,50', column: 4 },
  });
  expect((await rows({})).counts).toMatchObject({ created: 2, invalid: 3 });
  const groupOf = async () => (await desk.plan(draft)).groups.find(({ field }) => field === 'Verkoopprijs');
  expect((await groupOf())?.count).toBe(2);
  const { count: _, ...same } = answered.same as NonNullable<typeof answered.same>;
  const all = async (text: string | null) => {
    expect(await ask('correctSame', { body: { ...same, text } })).toEqual({ changed: text === null ? 3 : 2 });
    return (await rows({})).counts;
  };
  expect(await all('12,50')).toMatchObject({ created: 4, invalid: 1 });
  expect(await groupOf()).toBeUndefined();
  // All of them are taken back in one go, and given once more.
  expect(await all(null)).toMatchObject({ created: 1, invalid: 4 });
  expect((await rows({ replaced: true })).total).toBe(0);
  await correct(2, 4, '12,50');
  expect(await all('12,50')).toMatchObject({ created: 4, invalid: 1 });

  const { column, list } = (await look(4)).cells.find(({ field }) => field === 'ProductTypeID') ?? {};
  expect(list).toBe(true);
  const suggested = await ask('suggest', { query: { sheet: 'Pakketten', column, search: 'buf' } });
  expect(suggested.entries.map(({ text }) => text)).toContain('Buffet');
  await correct(4, column, 'Buffet');

  // What was shown is made anew with the whole file before anything is sent.
  const { run, of } = await desk.plan(draft);
  expect(of.stale).toBe(true);
  expect((await desk.fetch('send', { params, body: { run, deletes: 0 } })).status).toBe(409);
  await planned();
  expect(await desk.plan(draft)).toMatchObject({ of: { stale: false }, counts: { created: 5, invalid: 0 } });
  const sent = await send();
  expect(sent.job).toMatchObject({ state: 'done', outcomes: { created: 5 } });
  const result = await desk.fetch('result', { params: { run: sent.run } });
  expect(result.headers.get('content-disposition')).toContain('attachment; filename="Pakketten.result.csv"');
  const prices = (await result.text()).split('\r\n').slice(1, 6);
  expect(prices.map((line) => line.split(';')[3])).toEqual(['12,50', '12,50', '19,5', '12,50', '21']);
  const packages = await desk.service.records('package');
  expect(packages.filter(({ OmschrijvingIntern }) => OmschrijvingIntern === 'Lentebuffet')).toHaveLength(1);
});
