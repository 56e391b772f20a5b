import { expect, test } from 'vitest';
import { openWorld } from '../promises/world.ts';

test('a link of which the service stores a text as it was before costs one update where another field shows that it arrived (8)', async () => {
  const { service, sheet, machine, importWorkbook } = openWorld({ values: { upperCase: true } });
  const [event, product] = [service.add.event(), service.add.package()];
  service.add.link(event, product, { Aantal: 5, OfferteOmschrijving: 'VOOR DE GASTEN' });
  const file = sheet([
    ['PartijID', 'ArrangementID', 'Aantal', 'OfferteOmschrijving'],
    [event, product, 6, 'Voor de gasten'],
  ]);
  const options = { ...machine(), as: 'arrangements' } as const;
  expect((await importWorkbook(file, options)).rows).toMatchObject([{ status: 'updated' }]);
  expect((await importWorkbook(file, options)).rows).toMatchObject([{ status: 'unchanged' }]);
  expect(service.journal.writes).toHaveLength(1);
});

test('what an update sends along so that it stays is what was sent of it, not what the service made of that', async () => {
  const values = { updateClears: true, escapeHtml: true };
  const { service, sheet, machine, importWorkbook } = openWorld({ values });
  const ids = [1, 2, 3, 4, 5].map((at) => service.add.package({ OmschrijvingIntern: `Lunch ${at}` }));
  const options = { ...machine(), as: 'packages' } as const;
  const send = (field: string, says: (at: number) => string | number) =>
    importWorkbook(sheet([['ProductID', field], ...ids.map((id, at) => [id, says(at)])]), options);
  await send('Offertetekst', () => 'Kaas & ham');
  expect((await send('Verkoopprijs', (at) => 10 + at)).counts.updated).toBe(ids.length);
  const texts = ids.map((id) => service.packages.get(id)?.Offertetekst);
  expect(texts).toEqual(ids.map(() => 'Kaas &amp; ham'));
});

test('a field that lists alone tell is as it was sent where they still show it as before: asked for as it was, it is sent again (8)', async () => {
  const { service, sheet, machine, importWorkbook } = openWorld({ speed: { lagMs: 20_000 } });
  const id = service.add.recipe({ RekenEenheidID: 1 });
  const options = { ...machine(), as: 'recipes' } as const;
  const send = (unit: number) =>
    importWorkbook(
      sheet([
        ['ProductID', 'RekenEenheidID'],
        [id, unit],
      ]),
      options,
    );
  expect((await send(2)).counts.updated).toBe(1);
  expect((await send(1)).counts.updated).toBe(1);
  expect(service.recipes.get(id)?.RekenEenheidID).toBe(1);
  expect((await send(1)).counts.unchanged).toBe(1);
});
