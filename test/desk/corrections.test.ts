import { join } from 'node:path';
import { expect, test } from 'vitest';
import { applyIn } from '../../src/api/import-workbook.ts';
import type { Offer } from '../../src/desk/contract/answers.ts';
import { applyPlan } from '../../src/index.ts';
import { withSession } from '../../src/session/open-session.ts';
import { draftOn, openDesk } from './open-desk.ts';

/** The same for all other cells with that problem, or that taken back. */
const forAll = (offer: Offer | null, back = false) => ({
  corrections: offer?.corrections.map((one) => (back ? { ...one, text: null } : one)),
});

/** The rows of the cells that something is offered for. */
const rowsOf = (offer: Offer | null) => offer?.corrections.map(({ row }) => row);

test('a bad cell is corrected in place, the same is offered for the others, and what comes back holds it', async () => {
  const desk = await openDesk();
  const { ask, draft, planned, look, correct, send } = await draftOn(desk, 'Pakketten.csv', [
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
    row: { row: 2, status: 'create', corrected: true },
    offer: { found: 'nnb', text: '12,50', corrections: [{ column: 4 }, { column: 4 }] },
  });
  expect(rowsOf(answered.offer)).toEqual([3, 5]);
  expect((await rows({})).counts).toMatchObject({ created: 2, invalid: 3 });
  const groupOf = async () => (await desk.plan(draft)).groups.find(({ field }) => field === 'Verkoopprijs');
  expect(await groupOf()).toMatchObject({ count: 2, message: expect.stringMatching(/^Sales price: /) });
  const all = async (back: boolean) => {
    await ask('correct', forAll(answered.offer, back));
    return (await rows({})).counts;
  };
  expect(await all(false)).toMatchObject({ created: 4, invalid: 1 });
  expect(await groupOf()).toBeUndefined();
  // The others are taken back in one go, and given once more.
  expect(await all(true)).toMatchObject({ created: 2, invalid: 3 });
  expect((await rows({ replaced: true })).total).toBe(1);
  expect(await all(false)).toMatchObject({ created: 4, invalid: 1 });

  const { column, list } = (await look(4)).cells.find(({ field }) => field === 'ProductTypeID') ?? {};
  expect(list).toBe(true);
  const suggested = await ask('suggest', { sheet: 'Pakketten', column });
  expect(suggested.entries.map(({ text }) => text)).toContain('Buffet');
  await correct(4, column, 'Buffet');

  // What was shown is made anew with the whole file before anything is sent.
  const { run, of } = await desk.plan(draft);
  expect(of.stale).toBe(true);
  expect((await desk.fetch('send', { run, deletes: 0 })).status).toBe(409);
  await planned();
  expect(await desk.plan(draft)).toMatchObject({ of: { stale: false }, counts: { created: 5, invalid: 0 } });
  const sent = await send();
  expect(sent.job.state).toBe('done');
  expect((await ask('run', { run: sent.run })).run.counts).toMatchObject({ created: 5 });
  const result = await desk.fetch('result', { run: sent.run });
  expect(result.headers.get('content-disposition')).toContain(
    "attachment; filename*=UTF-8''Pakketten.result.csv",
  );
  const prices = (await result.text()).split('\r\n').slice(1, 6);
  expect(prices.map((line) => line.split(';')[3])).toEqual(['12,50', '12,50', '19,5', '12,50', '21']);
  const packages = await desk.service.records('package');
  expect(packages.filter(({ OmschrijvingIntern }) => OmschrijvingIntern === 'Lentebuffet')).toHaveLength(1);
});

test('what all others got is taken back from them alone: a cell that was corrected otherwise keeps that', async () => {
  const desk = await openDesk();
  const { ask, planned, look, correct } = await draftOn(desk, 'Pakketten.csv', [
    'ExternalID;ProductTypeID;OmschrijvingIntern;Verkoopprijs',
    ...[2, 3, 4].map((row) => `7100${row};Buffet;Buffet ${row};nnb`),
  ]);
  await planned();
  const prices = async () => {
    const cells = await Promise.all([2, 3, 4].map(async (row) => (await look(row)).cells));
    return cells.map((row) => row.find(({ field }) => field === 'Verkoopprijs')?.text);
  };
  await correct(3, 4, '30');
  const { offer } = await correct(2, 4, '24.50');
  expect(rowsOf(offer)).toEqual([4]);
  await ask('correct', forAll(offer));
  expect(await prices()).toEqual(['24.50', '30', '24.50']);
  await ask('correct', forAll(offer, true));
  expect(await prices()).toEqual(['24.50', '30', 'nnb']);
});

test('a correction that was wrong at first is offered for the other cells once it is right', async () => {
  const desk = await openDesk();
  const { planned, correct } = await draftOn(desk, 'Pakketten.csv', [
    'ExternalID;ProductTypeID;OmschrijvingIntern;Verkoopprijs',
    ...[2, 3, 4].map((row) => `7100${row};Buffet;Buffet ${row};nnb`),
  ]);
  await planned();
  expect((await correct(2, 4, 'abc')).offer).toBeNull();
  const { offer } = await correct(2, 4, '24.50');
  expect([offer?.found, rowsOf(offer)]).toEqual(['nnb', [3, 4]]);
});

test('what was corrected stands in the plan: after a new start it is there, and the service is not asked', async () => {
  const first = await openDesk();
  const { draft, planned, correct, ask } = await draftOn(first, 'Pakketten.csv', [
    'ExternalID;ProductTypeID;OmschrijvingIntern;Verkoopprijs',
    ...Array.from({ length: 40 }, (_, at) => `${71_002 + at};Buffet;Buffet ${at};nnb`),
  ]);
  await planned();
  const { offer } = await correct(2, 4, '12,50');
  expect(rowsOf(offer)).toHaveLength(39);
  await ask('correct', forAll(offer));
  const desk = await first.again();
  const { service } = desk;
  await service.clearLog();
  expect(await desk.rows(draft, { replaced: true })).toMatchObject({
    total: 40,
    counts: { created: 40, invalid: 0 },
  });
  expect((await desk.ask('home')).drafts).toMatchObject([{ corrections: 40, run: { stale: true } }]);
  expect((await service.log()).requests).toEqual([]);
  // A terminal does not send what was not planned as a whole since.
  const { run } = await desk.plan(draft);
  const { url: baseUrl, token, folder } = service;
  const sent = applyPlan(run, { baseUrl, token, ledger: join(folder, 'ledger.db') });
  await expect(sent).rejects.toThrow('was corrected on the page');
});

test('what is corrected on the page while a terminal asks whether to send it is not sent by that terminal', async () => {
  const desk = await openDesk();
  const { draft, planned, correct } = await draftOn(desk, 'Pakketten.csv', [
    'ExternalID;ProductTypeID;OmschrijvingIntern;Verkoopprijs',
    '71001;Buffet;Lentebuffet;12,50',
  ]);
  await planned();
  const { run } = await desk.plan(draft);
  const { url: baseUrl, token, folder } = desk.service;
  const options = { baseUrl, token, ledger: join(folder, 'ledger.db') };
  const send = (meanwhile: () => Promise<unknown>) =>
    withSession(options, 'wait', async (session) => {
      const confirm = async () => {
        await meanwhile();
        return true;
      };
      return await applyIn(session, run, {}, { confirm, tell: () => {} });
    });
  await expect(send(() => correct(2, 4, '99'))).rejects.toThrow('was corrected on the page');
  const sent = async () =>
    (await desk.service.records('package')).filter(
      ({ OmschrijvingIntern }) => OmschrijvingIntern === 'Lentebuffet',
    );
  expect(await sent()).toEqual([]);
  expect(await desk.plan(draft)).toMatchObject({ of: { stale: true }, corrections: 1 });
});

test('what was probably meant by a cell is an answer to press: a number written otherwise or with words, a near name', async () => {
  const desk = await openDesk({}, { lang: 'nl' });
  const { planned, look, correct } = await draftOn(desk, 'Pakketten.csv', [
    'ExternalID;ProductTypeID;OmschrijvingIntern;Verkoopprijs',
    '71001;Buffet;Lentebuffet;12.5',
    '71002;Bufet;Zomerbuffet;12.50 p.p.',
    '71003;Buffet;Herfstbuffet;nnb',
  ]);
  await planned();
  const answers = async (row: number) =>
    (await look(row)).cells.flatMap((cell) => cell.answers.map((text) => `${cell.field} ${text}`));
  expect(await answers(2)).toEqual(['Verkoopprijs 12,5']);
  expect(await answers(3)).toEqual([expect.stringMatching(/^ProductTypeID Buffet/), 'Verkoopprijs 12,50']);
  expect(await answers(4)).toEqual([]);
  expect((await correct(2, 4, '12,5')).row.status).toBe('create');
});

test('a count that is corrected is shown in the sum with the other places of its product', async () => {
  const desk = await openDesk();
  const { planned, draft, correct } = await draftOn(desk, 'Voorraadtelling.csv', [
    'ProductID;#plaats;GeteldRekeneenheid;WerknemerID;DatumTijd;MutatieCategorieID;MutatieReden',
    ...['Koelcel;5', 'Vriezer;zeven'].map((one) => `7001;${one};12;2026-03-31 08:00;4901;Week`),
  ]);
  await planned();
  const shown = async () => (await desk.rows(draft, {})).rows.map(({ status, message }) => [status, message]);
  expect(await shown()).toMatchObject([
    ['conflict', expect.stringContaining('row 3')],
    ['invalid', expect.anything()],
  ]);
  await correct(3, 3, '7');
  expect(await shown()).toMatchObject([
    ['create', expect.stringContaining('5 kilogram (Koelcel) + 7 kilogram (Vriezer) = 12 kilogram')],
    ['skipped', expect.stringContaining('row 2')],
  ]);
});
