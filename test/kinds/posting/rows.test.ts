import { expect, it } from 'vitest';
import { importWorkbook } from '../../../src/index.ts';
import { openTestService, optionsFor } from '../../helpers/test-service.ts';
import {
  codesOf,
  importSheet,
  MORNING,
  mutationsOf,
  recipeIds,
  stockOf,
  workbookOf,
} from './stock-fixtures.ts';

const HEADER = [
  'ProductID',
  'Product.ExternalID',
  'WerknemerID',
  'DatumTijd',
  'AantalRekeneenheid',
  'AantalProducteenheid',
  'MutatieCategorieID',
  'MutatieReden',
  '#action',
];
const RECIPES = [
  'ExternalID',
  'OmschrijvingIntern',
  'ProductCategorieID',
  'ProductEenheidWaardeID',
  'Gewicht',
  'OPK',
];

it('a mutation needs one of two amounts, may have both, and can only be created', async () => {
  const service = await openTestService();
  const [id = 0] = await recipeIds(service, 1);
  const row = (units: number | null, products: number | null, action: string | null = null) => [
    ...[id, null, 12, MORNING, units, products, 4901, 'Inkoop', action],
  ];
  const rows = [HEADER, row(1, null), row(null, 2), row(3, 4), row(null, null), row(5, null, 'delete')];
  rows.push(row(6, null, 'update'), row(7, null, 'create'), row(8, null, 'skip'));
  const done = await importSheet(service, 'Voorraadmutaties', rows);
  expect(done.rows.map(({ status }) => status)).toEqual([
    ...['created', 'created', 'created', 'invalid', 'invalid', 'invalid', 'created', 'skipped'],
  ]);
  expect(done.rows[3]?.issues?.map(({ code, cell }) => `${code} ${cell}`)).toEqual([
    'amount-missing E5',
    'amount-missing F5',
  ]);
  expect(codesOf(done.rows[4])).toEqual(['action-not-possible']);
  const posted = await mutationsOf(service);
  expect(posted.filter(({ AantalRekeneenheid }) => AantalRekeneenheid === 3)).toMatchObject([
    { AantalProducteenheid: 4, DatumTijd: MORNING, WerknemerID: 12 },
  ]);
});

it('a mutation may name its category, and what is wrong with it is said on its cells', async () => {
  const service = await openTestService();
  const [id = 0] = await recipeIds(service, 1);
  const entries = (await service.request('GET', 'api/v1/dropdownvalue/49')) as Record<string, unknown>[];
  const name = String(
    Object.values(entries[0] ?? {}).find((value) => typeof value === 'string' && /[a-z]/i.test(value)),
  );
  const rows = [
    HEADER,
    [id, null, 12, MORNING, 1, null, name, 'Inkoop', null],
    [id, null, null, MORNING, 'veel', null, 'Onzin', null, null],
    [null, null, 12, MORNING, 1, null, 4901, 'Inkoop', null],
  ];
  const done = await importSheet(service, 'Voorraadmutaties', rows);
  expect(done.rows.map(({ status }) => status)).toEqual(['created', 'invalid', 'invalid']);
  expect(codesOf(done.rows[1]).sort()).toEqual([
    ...['lookup-unknown', 'number-expected', 'required-missing', 'required-missing'],
  ]);
  expect(codesOf(done.rows[2])).toEqual(['key-missing']);
});

it('a mutation may name its product by ExternalID, also one that the same workbook creates', async () => {
  const service = await openTestService();
  const existing = (await service.records('recipe')).find(({ ExternalID }) => ExternalID !== null);
  const stock = (id: number | null, external: number | null) => [
    ...[id, external, 12, MORNING, 5, null, 4901, 'Inkoop', null],
  ];
  const file = await workbookOf(service, {
    Voorraadmutaties: [
      HEADER,
      stock(null, 620_001),
      stock(null, Number(existing?.ExternalID)),
      stock(null, 699_999),
      stock(null, 620_002),
      stock(Number(existing?.id) + 1, Number(existing?.ExternalID)),
    ],
    Recepten: [RECIPES, [620_001, 'Erwtensoep', 1, 201, 0.5, 4], [620_002, null, 1, 201, 0.5, 4]],
  });
  const done = await importWorkbook(file, optionsFor(service));
  const rows = done.rows.filter(({ sheet }) => sheet === 'Voorraadmutaties');
  expect(rows.map(({ status }) => status)).toEqual(['created', 'created', 'invalid', 'invalid', 'invalid']);
  expect(rows.flatMap(codesOf)).toEqual(['record-missing', 'parent-not-sent', 'keys-differ']);
  const made = (await service.records('recipe')).find(
    ({ OmschrijvingIntern }) => OmschrijvingIntern === 'Erwtensoep',
  );
  expect(await stockOf(service, Number(made?.id))).toBe(5);
  const again = await importWorkbook(file, optionsFor(service));
  expect(again.counts).toMatchObject({ created: 0, unchanged: 3 });
});
