import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDesk } from './open-desk.ts';

test.each([
  ['en', 'nl', '1,250.75', 'create', '1,250.75', 1250.75, '1.250,75'],
  ['nl', 'en', '1.250,75', 'create', '1.250,75', 1250.75, '1,250.75'],
  ['nl', 'nl', '12,500', 'create', '12,500', 12.5, '12,500'],
  // A number that only the file's own way can be.
  ['en', 'nl', '12,50', 'create', '12.50', 12.5, '12,50'],
  ['en', 'nl', '12.50 each', 'invalid', '12.50 each', undefined, 'nnb'],
] as const)(
  'on a page in %s %s for a file in %s is read as the page shows numbers, and the file keeps its own way (%s)',
  async (lang, locale, typed, status, shown, price, written) => {
    const desk = await openDesk({}, { lang });
    const file = join(desk.service.folder, 'catalogus.csv');
    writeFileSync(
      file,
      'ExternalID;ProductTypeID;OmschrijvingIntern;Verkoopprijs\r\n71001;Buffet;Lentebuffet;nnb\r\n',
    );
    const draft = await desk.bring(file);
    const params = { draft };
    const { chosen } = await desk.ask('sheets', { params });
    const choices = [{ sheet: 'catalogus', as: 'packages' }];
    await desk.ask('chooseReading', { params, body: { ...chosen, locale, choices } });
    await desk.planned(draft);
    const place = { sheet: 'catalogus', row: 2 };
    const corrections = [{ ...place, column: 4, text: typed }];
    expect((await desk.ask('correct', { params, body: { corrections } })).rows).toMatchObject([{ status }]);
    const { cells } = await desk.ask('planRow', { params, query: place });
    expect(cells.find(({ column }) => column === 4)).toMatchObject({ text: shown, before: 'nnb' });
    await desk.planned(draft);
    const { run } = await desk.ask('plan', { params });
    await desk.ended((await desk.ask('send', { params, body: { run, deletes: 0 } })).job);
    const sent = (await desk.service.records('package')).find(({ ExternalID }) => ExternalID === 71_001);
    expect(sent?.Verkoopprijs).toBe(price);
    expect(await (await desk.fetch('result', { params: { run } })).text()).toContain(written);
  },
);
