import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openDesk, type TestDesk } from './open-desk.ts';

type Locale = 'nl' | 'en';

const HEADER = 'ExternalID;ProductTypeID;OmschrijvingIntern;Verkoopprijs;ProductCategorieID;Actief';
const PRICE = 4;

/** A catalogue of one package, whose price stands there as `price`, planned. */
async function broughtCatalogue(desk: TestDesk, price: string, locale: Locale) {
  const file = join(desk.service.folder, 'catalogus.csv');
  writeFileSync(file, `${HEADER}\r\n71001;Buffet;Lentebuffet;${price};Feestdagen;Ja\r\n`);
  const draft = await desk.bring(file);
  const params = { draft };
  const { chosen } = await desk.ask('sheets', { params });
  const choices = [{ sheet: 'catalogus', as: 'packages' }];
  await desk.ask('chooseReading', { params, body: { ...chosen, locale, choices } });
  await desk.planned(draft);
  const place = { sheet: 'catalogus', row: 2 };
  return {
    params,
    type: async (text: string) =>
      (await desk.ask('correct', { params, body: { corrections: [{ ...place, column: PRICE, text }] } }))
        .rows[0],
    cell: async () => {
      const { cells } = await desk.ask('planRow', { params, query: place });
      return cells.find(({ column }) => column === PRICE);
    },
    send: async () => {
      await desk.planned(draft);
      const { run } = await desk.ask('plan', { params });
      await desk.ended((await desk.ask('send', { params, body: { run, deletes: 0 } })).job);
      const packages = await desk.service.records('package');
      const sent = packages.find(({ OmschrijvingIntern }) => OmschrijvingIntern === 'Lentebuffet');
      const result = await desk.fetch('result', { params: { run } });
      return { price: sent?.Verkoopprijs, result: await result.text() };
    },
  };
}

describe.each<[Locale, Locale]>([
  ['en', 'nl'],
  ['nl', 'nl'],
  ['en', 'en'],
  ['nl', 'en'],
])('on a page in %s a number of a file in %s', (lang, locale) => {
  test.each([
    ['12.50', '12,50', 12.5],
    ['1,250.75', '1.250,75', 1250.75],
    ['12,500', '12.500', 12_500],
    ['€ 9.95', '€ 9,95', 9.95],
  ])('that is typed as %s (%s) is read as the page shows numbers', async (english, dutch, price) => {
    const desk = await openDesk({}, { lang });
    const { type, cell, send } = await broughtCatalogue(desk, 'nnb', locale);
    const typed = lang === 'en' ? english : dutch;
    expect(await type(typed)).toMatchObject({ status: 'create' });
    expect(await cell()).toMatchObject({ text: typed, before: 'nnb' });
    const sent = await send();
    expect(sent.price).toBe(price);
    // The file keeps its own way.
    expect(sent.result).toContain((locale === 'nl' ? dutch : english).replace('€ ', ''));
  });

  test('is shown as the page writes it, and what was typed over comes back so', async () => {
    const desk = await openDesk({}, { lang });
    const { cell, type } = await broughtCatalogue(desk, locale === 'nl' ? '19,25' : '19.25', locale);
    const shown = lang === 'nl' ? '19,25' : '19.25';
    expect(await cell()).toMatchObject({ text: shown });
    await type('20');
    expect(await cell()).toMatchObject({ text: '20', before: shown });
  });

  test('that is given for all rows is read as the page shows numbers, and stays as it was typed', async () => {
    const desk = await openDesk({}, { lang });
    const { params, send } = await broughtCatalogue(desk, '', locale);
    const { chosen } = await desk.ask('sheets', { params });
    const Verkoopprijs = lang === 'nl' ? '12,50' : '12.50';
    const body = { ...chosen, set: { Verkoopprijs } };
    const answers = [await desk.ask('chooseReading', { params, body }), await desk.ask('sheets', { params })];
    for (const answer of answers) expect(answer.chosen).toMatchObject({ set: { Verkoopprijs } });
    expect((await send()).price).toBe(12.5);
  });
});

test('a number that only the file’s own way can be is read so, and its cell shows it as the page does', async () => {
  const desk = await openDesk({}, { lang: 'en' });
  const { type, cell, send } = await broughtCatalogue(desk, 'nnb', 'nl');
  expect(await type('12,50')).toMatchObject({ status: 'create' });
  expect(await cell()).toMatchObject({ text: '12.50' });
  expect((await send()).price).toBe(12.5);
});

test('a text that is no number stays as it was typed, with its problem', async () => {
  const desk = await openDesk({}, { lang: 'en' });
  const { type, cell } = await broughtCatalogue(desk, '8', 'nl');
  expect(await type('12.50 each')).toMatchObject({ status: 'invalid' });
  expect(await cell()).toMatchObject({ text: '12.50 each', issues: [{ code: 'number-expected' }] });
});
