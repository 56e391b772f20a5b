import { describe, expect, it } from 'vitest';
import { importWorkbook } from '../../../src/index.ts';
import { openTestService, optionsFor } from '../../helpers/test-service.ts';
import {
  type Cells,
  codesOf,
  csvOf,
  importSheet,
  MORNING,
  MUTATION_HEADER,
  mutationsOf,
  recipeIds,
} from './stock-fixtures.ts';

const SHEET = 'Voorraadmutaties';
const TIME = new Date(Date.UTC(2027, 2, 31, 7, 45));
const row = (id: number, amount: number, reason = 'Bederf', time: Date | string = MORNING): Cells => [
  id,
  12,
  time,
  amount,
  4901,
  reason,
];

describe('a posted mutation', () => {
  it('is unchanged when its file comes again, and says when and in which run it was posted', async () => {
    const service = await openTestService();
    const ids = await recipeIds(service, 3);
    const rows = [MUTATION_HEADER, ...ids.map((id) => row(id, -2.5))];
    const first = await importSheet(service, SHEET, rows);
    expect(first.counts).toMatchObject({ read: 3, created: 3 });
    await service.clearLog();
    const again = await importSheet(service, SHEET, rows);
    expect(again.counts).toMatchObject({ read: 3, unchanged: 3, created: 0 });
    expect(again.rows[0]?.message).toMatch(new RegExp(`posted before, in run ${first.run} on \\d+ [A-Z]`));
    expect(again.rows[0]?.id).toBe(first.rows[0]?.id);
    expect((await service.log()).requests).toEqual([]);
    expect(await mutationsOf(service)).toHaveLength(3);
  });

  it('is unchanged in a CSV that another program saved with its rows in another order', async () => {
    const service = await openTestService();
    const [one = 0, two = 0] = await recipeIds(service, 2);
    await importSheet(service, SHEET, [
      MUTATION_HEADER,
      row(one, 0.1 + 0.2, 'Crème  brûlée'.normalize('NFD'), TIME),
      row(two, 1250, 'Inkoop\nvrijdag', TIME),
    ]);
    const file = csvOf(service, [
      ['MutatieReden', 'MutatieCategorieID', 'AantalRekeneenheid', 'DatumTijd', 'WerknemerID', 'ProductID'],
      ['Inkoop vrijdag', '4901', '1.250,00', '31-03-2027 07:45', '12', `${two}`],
      ['Crème brûlée', '4901', '0,3', '31-03-2027 7:45:00', '12', `${one}`],
    ]);
    const again = await importWorkbook(file, optionsFor(service));
    expect(again.counts).toMatchObject({ read: 2, unchanged: 2 });
    expect(again.sheets[0]?.resource).toBe('stock-mutations');
  });

  it('is told from its equals by how many there are', async () => {
    const service = await openTestService();
    const [id = 0] = await recipeIds(service, 1);
    const same = row(id, -1);
    const two = await importSheet(service, SHEET, [MUTATION_HEADER, same, same]);
    expect(two.counts).toMatchObject({ created: 2 });
    const three = await importSheet(service, SHEET, [MUTATION_HEADER, same, same, same]);
    expect(three.counts).toMatchObject({ unchanged: 2, created: 1 });
    const header = [...MUTATION_HEADER, '#action'];
    const skipping = [[...same, 'skip'], ...[same, same, same].map((cells) => [...cells, null])];
    const four = await importSheet(service, SHEET, [header, ...skipping]);
    expect(four.counts).toMatchObject({ skipped: 1, unchanged: 2, created: 1 });
  });

  it('is recognised across two sheets of one workbook, but not where a value differs', async () => {
    const service = await openTestService();
    const [id = 0] = await recipeIds(service, 1);
    await importSheet(service, SHEET, [MUTATION_HEADER, row(id, -1)]);
    const other = await importSheet(service, SHEET, [MUTATION_HEADER, row(id, -1), row(id, -1, 'Breuk')]);
    expect(other.rows.map(({ status }) => status)).toEqual(['unchanged', 'created']);
  });
});

describe('a #key', () => {
  const header = ['#key', ...MUTATION_HEADER];

  it('names a posting: equal rows with keys of their own are all posted, once', async () => {
    const service = await openTestService();
    const [id = 0] = await recipeIds(service, 1);
    const rows = [header, ['bon 1', ...row(id, -1)], ['bon 2', ...row(id, -1)]];
    expect((await importSheet(service, SHEET, rows)).counts).toMatchObject({ created: 2 });
    const turned = [header, ...rows.slice(1).reverse(), ['bon 3', ...row(id, -1)]];
    const again = await importSheet(service, SHEET, turned);
    expect(again.rows.map(({ status }) => status)).toEqual(['unchanged', 'unchanged', 'created']);
  });

  it('that was posted with other values is a conflict, not unchanged', async () => {
    const service = await openTestService();
    const [id = 0] = await recipeIds(service, 1);
    await importSheet(service, SHEET, [header, ['bon 1', ...row(id, -1)]]);
    const changed = await importSheet(service, SHEET, [header, ['bon 1', ...row(id, -3)]]);
    expect(changed.rows[0]).toMatchObject({ status: 'conflict' });
    expect(changed.rows[0]?.message).toContain('with other values');
    expect(await mutationsOf(service)).toHaveLength(1);
  });

  it('that two rows have is an issue on both, so that neither is posted', async () => {
    const service = await openTestService();
    const [id = 0] = await recipeIds(service, 1);
    const rows = [header, ['bon 1', ...row(id, -1)], ['bon 1', ...row(id, -2)]];
    const done = await importSheet(service, SHEET, rows);
    expect(done.rows.map(({ status }) => status)).toEqual(['invalid', 'invalid']);
    expect(done.rows.flatMap(codesOf)).toEqual(['key-twice', 'key-twice']);
  });
});
