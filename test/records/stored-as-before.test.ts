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
