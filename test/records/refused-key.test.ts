import { expect, it } from 'vitest';
import { importWorkbook } from '../../src/index.ts';
import { makeWorkbook } from '../helpers/make-workbook.ts';
import { openTestService, optionsFor } from '../helpers/test-service.ts';

const RECIPE = [
  ...['ExternalID', 'OmschrijvingIntern', 'ProductCategorieID', 'ProductEenheidWaardeID'],
  ...['Gewicht', 'OPK', 'THTDagen'],
];

it('a recipe whose ExternalID the service refuses is changed all the same, and that is remembered', async () => {
  const service = await openTestService({ dialect: { externalId: 'never', types: 'plain' } });
  let made = 0;
  const importing = async (days: number) => {
    const file = `${service.folder}/recepten-${++made}.xlsx`;
    const rows = [RECIPE, [880_003, 'Soep van de dag', 1, 201, 1, 10, days]];
    await service.clearLog();
    const { rows: results } = await importWorkbook(
      await makeWorkbook(file, { Recepten: rows }),
      optionsFor(service),
    );
    const { status, id, message } = results[0] ?? {};
    const told = /ledger remembers it/.test(message ?? '');
    return { status, id, told, updates: (await service.log()).counts['recipes.update'] ?? 0 };
  };
  const { id, ...first } = await importing(3);
  expect(first).toEqual({ status: 'created', told: true, updates: 1 });
  expect(await importing(9)).toEqual({ status: 'updated', id, told: true, updates: 2 });
  expect((await service.records('recipe')).find((one) => one.id === id)).toMatchObject({ THTDagen: 9 });
  expect(await importing(9)).toEqual({ status: 'unchanged', id, told: true, updates: 1 });
  // Three times is how the service is: it is not asked any more.
  expect(await importing(9)).toEqual({ status: 'unchanged', id, told: false, updates: 0 });
  expect(await importing(5)).toEqual({ status: 'updated', id, told: false, updates: 1 });
});
