import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EXIT, exportRecords, importWorkbook } from '../../src/index.ts';
import { stockCount } from '../../src/resources/stock.ts';
import { serviceOnly } from '../helpers/service-options.ts';
import { openWorld } from '../promises/world.ts';
import { type PlannerService, plannerService } from './planner-service.ts';

const place = (Aantal: unknown, more: object = {}): object => ({
  ...{
    Aantal,
    RekenEenheid: 'kilogram',
    ProductEenheid: 'zak',
    AantalProductEenheid: 2,
    Waarde: 1.1,
    ...more,
  },
});
const product = (ProductID: number, more: object = {}): Record<string, unknown> => ({
  ...{
    ProductID,
    ExternalID: 500 + ProductID,
    Artikelnummer: `00${ProductID}`,
    OmschrijvingIntern: `=Meel ${ProductID}`,
    VoorraadProduct: 1,
  },
  ...more,
});

async function pantry(): Promise<PlannerService> {
  const service = await plannerService();
  service.products = [1, 2, 3, 4, 5, 6, 7].map((id) => product(id, { VoorraadProduct: id !== 5 }));
  service.totals = {
    1: [place(0.1), place('0.2', { AantalProductEenheid: '3' })],
    2: [place(-3.5)],
    3: [],
    4: [{ hallo: 'wereld' }],
    5: place(12),
    // Kilograms and litres are no sum.
    6: [place(3), place(4, { RekenEenheid: 'liter', ProductEenheid: 'fles' })],
    7: ['veel'],
  };
  return service;
}

async function rowsOf(service: PlannerService, more: object = {}) {
  const out = join(service.folder, 'telling.csv');
  const done = await exportRecords(stockCount, {
    ...{ ...service.options, out, overwrite: true, locale: 'en' as const, ...more },
  });
  const [header = '', ...lines] = readFileSync(out, 'utf8').replace('\ufeff', '').trim().split('\r\n');
  return { done, out, header: header.split(','), rows: lines.map((line) => line.split(',')) };
}

test('an export of stock adds up the places of a product, and names a product without a total', async () => {
  const service = await pantry();
  const { done, out, header, rows } = await rowsOf(service);
  expect(header.slice(0, 7).join()).toBe(
    'ProductID,OmschrijvingIntern,Artikelnummer,RekenEenheid,ProductEenheid,GeteldRekeneenheid,GeteldProducteenheid',
  );
  const places = ['GeteldRekeneenheid', 'AantalProductEenheid'].map((name) => header.indexOf(name));
  expect(rows.map((row) => [...row.slice(0, 4), ...places.map((at) => row[at])].join())).toEqual([
    "1,'=Meel 1,001,kilogram,0.3,5",
    "2,'=Meel 2,002,kilogram,-3.5,2",
    "3,'=Meel 3,003,,0,0",
  ]);
  expect(done.notes).toEqual([expect.stringMatching(/gives no usable total for it: 4, 6, 7$/)]);
  expect(done.complete).toBe(false);
  const back = await importWorkbook(out, { ...service.options, locale: 'en' });
  expect(back.counts).toMatchObject({ read: 3, unchanged: 3 });
});

test.each([
  ['by their ids', 'ProductID\n5\n1\n1\n77\n', '5 1', /no product of that number: 77$/],
  ['by the user’s own numbers', 'Naam;ExternalID\nMeel;503\nGist;999\n', '3', /: ExternalID 999$/],
  ['in cells that can’t all be read', 'ProductID\n5\nsoep\n', '5', /no product can be read there: A3$/],
  ['by article numbers', 'Artikelnummer\n003\n3\n', '3', /: Artikelnummer 3$/],
  ['by either', 'ProductID;ExternalID\n2;\n;501\n', '2 1', null],
  ['not at all', 'Naam;Prijs\nMeel;12\n', '', /^koelcel\.csv names no product that can be in the sheet\.$/],
  ['by nothing that is read', 'ProductID\nsoep\nbrood\n', '', /no product can be read there: A2, A3\)\.$/],
  ['that the service lacks', 'ExternalID\n999\n', '', /of that number: ExternalID 999\)\.$/],
])(
  'an export of stock holds the products that a file names, or is refused and leaves the earlier one: %s',
  async (...one) => {
    const [, text, ids, says] = one;
    const service = await pantry();
    const [file, earlier] = ['koelcel.csv', 'telling.csv'].map((name) => join(service.folder, name));
    writeFileSync(file ?? '', text);
    writeFileSync(earlier ?? '', 'van gisteren');
    const exported = rowsOf(service, { file });
    if (ids === '') {
      const refused = { exit: EXIT.file, message: expect.stringMatching(says ?? '') };
      await expect(exported).rejects.toMatchObject(refused);
      expect(readFileSync(earlier ?? '', 'utf8')).toBe('van gisteren');
    } else {
      const { done, rows } = await exported;
      expect(rows.map(([id]) => id).join(' ')).toBe(ids);
      expect(done.notes).toEqual(says === null ? [] : [expect.stringMatching(says)]);
    }
  },
);

test('a count that comes back is posted, and a row that nobody counted is left alone though its total changed', async () => {
  const { service, folder, machine, exportRecords, importWorkbook } = openWorld();
  const ids = [1, 2, 3].map((at) => service.add.recipe({ OmschrijvingIntern: `Bouillon ${at}`, OPK: 4 }));
  for (const id of ids) {
    service.other.change('recipe', id, { VoorraadProduct: true });
    service.add.stock(id, 10);
  }
  const out = join(folder, 'telling.csv');
  const { records } = await exportRecords('stock-count', { ...serviceOnly(machine()), out });
  const [header = '', ...lines] = readFileSync(out, 'utf8').split('\r\n');
  const counted = (line: string): string => {
    const cells = line.split(';');
    const at = (name: string) => header.split(';').indexOf(name);
    if (cells.includes('Bouillon 1')) cells[at('GeteldRekeneenheid')] = '14';
    if (cells.includes('Bouillon 2')) cells[at('GeteldProducteenheid')] = '2';
    return cells.join(';');
  };
  writeFileSync(out, [header, ...lines.map(counted)].join('\r\n'));
  service.other.useStock(ids[2] ?? 0, 5);
  const set = {
    ...{ WerknemerID: '12', DatumTijd: '2027-03-01 07:45' },
    ...{ MutatieCategorieID: '4901', MutatieReden: 'Telling' },
  };
  const { counts } = await importWorkbook(out, { ...machine(), as: 'stock-count', set });
  expect(counts).toMatchObject({ read: records, created: 2, unchanged: records - 2 });
  expect(ids.map((id) => service.stockTotal(id))).toEqual([14, 8, 5]);
});
