import { expect, test } from 'vitest';
import { draftOn, openDesk } from './open-desk.ts';

const HEAD = 'ExternalID;ProductTypeID;OmschrijvingIntern;Verkoopprijs';

test('a typed number is read as the page shows numbers, or as only the file’s own way can be, which the file keeps', async () => {
  const desk = await openDesk();
  for (const [at, [language, locale, typed, status, shown, price, written]] of (
    [
      ['en', 'nl', '1,250.75', 'create', '1,250.75', 1250.75, '1.250,75'],
      ['nl', 'en', '1.250,75', 'create', '1.250,75', 1250.75, '1,250.75'],
      ['nl', 'nl', '12,500', 'create', '12,500', 12.5, '12,500'],
      ['en', 'nl', '12,50', 'create', '12.50', 12.5, '12,50'],
      ['en', 'nl', '12.50 each', 'invalid', '12.50 each', undefined, 'nnb'],
    ] as const
  ).entries()) {
    await desk.ask('chooseLanguage', { language });
    const external = 71_001 + at;
    const lines = [HEAD, `${external};Buffet;Lentebuffet;nnb`];
    const { ask, planned, correct, look, send } = await draftOn(desk, `catalogus${at}.csv`, lines);
    const { chosen } = await ask('sheets');
    const choices = [{ sheet: `catalogus${at}`, as: 'packages' }];
    await ask('chooseReading', { reading: { ...chosen, locale, choices } });
    await planned();
    expect((await correct(2, 4, typed)).row.status).toBe(status);
    const { cells } = await look(2);
    expect(cells.find(({ column }) => column === 4)).toMatchObject({ text: shown, before: 'nnb' });
    await planned();
    const { run } = await send();
    const sent = (await desk.service.records('package')).find(({ ExternalID }) => ExternalID === external);
    expect(sent?.Verkoopprijs).toBe(price);
    expect(await (await desk.fetch('result', { run })).text()).toContain(written);
  }
});
