import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { MOMENT_FORMAT } from '../../src/core/shown-moment.ts';
import { exportRecords, importWorkbook } from '../../src/index.ts';
import { packages } from '../../src/resources/packages.ts';
import { recipes } from '../../src/resources/recipes.ts';
import { readWorkbook } from '../../src/workbook/read-workbook.ts';
import { openTestService } from '../helpers/test-service.ts';
import { listed, listService } from './list-service.ts';

/** What stands in the cells of a workbook's first sheet, by header. */
async function columnsOf(file: string) {
  const [sheet] = (await readWorkbook(file)).sheets;
  const headers = new Map<number, string>();
  const columns = new Map<string, { type: string; value: unknown; format: string | undefined }[]>();
  for await (const { number, cells } of sheet?.rows ?? [])
    for (const { column, type, value, format } of cells) {
      if (number === 1) headers.set(column, String(value));
      else {
        const header = headers.get(column) ?? '';
        columns.set(header, [...(columns.get(header) ?? []), { type, value, format }]);
      }
    }
  return columns;
}

test.each(['nl', 'en'] as const)(
  'a column holds one kind of value, whatever a service with many types answers, in %s',
  async (lang) => {
    const {
      folder,
      url: baseUrl,
      token,
    } = await openTestService({
      extraPackages: 60,
      pageSize: 20,
      dialect: { types: 'mixed' },
    });
    const options = { baseUrl, token, lang, ledger: join(folder, 'ledger.db'), log: join(folder, 'log') };
    for (const resource of [packages, recipes]) {
      const out = join(folder, `${resource.name}.xlsx`);
      await exportRecords(resource, { ...options, out });
      const columns = await columnsOf(out);
      const mixed = [...columns].filter(([, cells]) => new Set(cells.map(({ type }) => type)).size > 1);
      expect(mixed).toEqual([]);
      const flags = columns.get('Portieartikel')?.map(({ value }) => value);
      expect([...new Set(flags)]).toEqual([lang === 'nl' ? 'Nee' : 'No']);
      const prices = new Set(columns.get('Verkoopprijs')?.map(({ format }) => format));
      expect([...prices]).toEqual(['#,##0.00########']);
      const moments = new Set(columns.get('LMT')?.map(({ format }) => format));
      expect([...moments]).toEqual([MOMENT_FORMAT[lang]]);
    }
  },
);

describe('of a column whose type the interface does not tell, the first records do:', () => {
  test.each([
    ['flags', [false, 0, '1', 'Ja'], ['Nee', 'Nee', 'Ja', 'Ja']],
    ['numbers', [3, '4', 0, '1.5'], [3, 4, 0, 1.5]],
    ['texts', ['12', '007', 'x'], ['12', '007', 'x']],
    ['texts and numbers', [3, 'drie', true], ['3', 'drie', 'Ja']],
    [
      'days',
      ['2027-03-04 00:00:00', '2027-03-05 00:00:00.000'],
      ['2027-03-04 as dd-mm-yyyy', '2027-03-05 as dd-mm-yyyy'],
    ],
    [
      'moments',
      ['2027-03-04 00:00:00', '2027-03-05 09:30:00'],
      ['2027-03-04 as dd-mm-yyyy hh:mm:ss', '2027-03-05 09:30:00 as dd-mm-yyyy hh:mm:ss'],
    ],
    ['flags, of which a later page has another value', [true, 'n.v.t.'], ['Ja', 'n.v.t.'], 1],
  ])('%s', async (_, values: readonly unknown[], cells: readonly unknown[], size = 20) => {
    const { options, folder } = await listService(
      values.map((value, at) => listed(at + 1, { BeschikbaarVan: value })),
      size,
    );
    const out = join(folder, 'uit.xlsx');
    await exportRecords(packages, { ...options, out, lang: 'nl' });
    const shown = (await columnsOf(out)).get('BeschikbaarVan') ?? [];
    const told = shown.map(({ type, value, format }) => (type === 'date' ? `${value} as ${format}` : value));
    expect(told).toEqual(cells);
    const { counts, notes } = await importWorkbook(out, { ...options, lang: 'nl' });
    expect({ counts, notes }).toMatchObject({ counts: { read: values.length, unchanged: values.length } });
  });
});

test('an object that a service answers, with a toString of its own, ends no export', async () => {
  const odd = { toString: 1, valueOf: 'ja' };
  const { options, folder } = await listService(
    [odd, [odd], 'ja'].map((value, at) => listed(at + 1, { BeschikbaarVan: value })),
  );
  const out = join(folder, 'uit.xlsx');
  expect((await exportRecords(packages, { ...options, out })).records).toBe(3);
  expect((await columnsOf(out)).get('BeschikbaarVan')).toHaveLength(3);
});
