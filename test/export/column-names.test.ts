import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Cell } from '../../src/core/cell.ts';
import { exportRecords, importWorkbook } from '../../src/index.ts';
import { packages } from '../../src/resources/packages.ts';
import { readWorkbook } from '../../src/workbook/read-workbook.ts';
import { listed, listService } from './list-service.ts';

/** The ids of the records, and what stands in place of each: two share a name, one has none. */
const SHOWN: readonly (readonly [id: number, text: string | number])[] = [
  [1, 'Buffet'],
  [3, 'Barbecue (3)'],
  [5, 'Barbecue (5)'],
  [7, '12 (7)'],
  [9, '=Hapjes; koud'],
  [42, 42],
];
const records = SHOWN.map(([id], at) => listed(at + 1, { ProductTypeID: id, ProductCategorieID: id }));

/** The cells below a header of a workbook's first sheet. */
async function cellsBelow(file: string, header: string): Promise<unknown[]> {
  const [sheet] = (await readWorkbook(file)).sheets;
  const rows: (readonly Cell[])[] = [];
  for await (const { cells } of sheet?.rows ?? []) rows.push(cells);
  const place = rows[0]?.find(({ value }) => value === header)?.column;
  return rows.slice(1).map((cells) => cells.find(({ column }) => column === place)?.value);
}

test.each(['xlsx', 'csv'])(
  'an export holds names in place of ids in %s, which imported untouched changes nothing',
  async (ending) => {
    const service = await listService(records);
    const out = join(service.folder, `uit.${ending}`);
    const done = await exportRecords(packages, { ...service.options, out, lang: 'nl' });
    expect(done.notes).toEqual([]);
    const guarded = (text: string | number) =>
      ending === 'csv' && /^=/.test(`${text}`) ? `'${text}` : `${text}`;
    const texts = (await cellsBelow(out, 'ProductTypeID')).map(String);
    expect(texts).toEqual(SHOWN.map(([, text]) => guarded(text)));
    // A list for each column, once.
    expect(service.names.toSorted()).toEqual(['productcategory/all', 'producttype/all']);
    const { counts, notes, sheets } = await importWorkbook(out, { ...service.options, lang: 'nl' });
    expect({ counts, notes }).toEqual({
      counts: expect.objectContaining({ read: 6, unchanged: 6 }),
      notes: undefined,
    });
    expect(sheets.map(({ sheet }) => sheet)).toEqual([ending === 'csv' ? 'uit' : 'Pakketten']);
  },
);
