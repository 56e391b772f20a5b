import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { exportRecords, importWorkbook } from '../../src/index.ts';
import { events } from '../../src/resources/events.ts';
import { packages } from '../../src/resources/packages.ts';
import { recipes } from '../../src/resources/recipes.ts';
import { trips } from '../../src/resources/trips.ts';
import { readWorkbook } from '../../src/workbook/read-workbook.ts';
import { openRows } from '../records/keyed-rows.ts';
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

/** The cells below a header of a workbook's sheet of packages, or of its first sheet. */
async function cellsBelow(file: string, header: string): Promise<unknown[]> {
  const { sheets } = await readWorkbook(file, {});
  const sheet = sheets.find(({ name }) => name === 'Pakketten') ?? sheets[0];
  let place = 0;
  const found: unknown[] = [];
  for await (const { cells } of sheet?.rows ?? []) {
    if (place === 0) place = cells.find(({ value }) => value === header)?.column ?? -1;
    else found.push(cells.find(({ column }) => column === place)?.value);
  }
  return found;
}

describe('an export holds names in place of ids', () => {
  test.each(['xlsx', 'csv'])('in %s, which imported untouched changes nothing', async (ending) => {
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
  });
});

test.each(['own', 'plain', 'Dutch'] as const)(
  'exports of another service, whose lists have %s members, hold its names and come back unchanged',
  async (lookupNames) => {
    const { options: all, folder } = await openRows({ answers: { lookupNames } });
    const { allRows: _, ...options } = all;
    const days = { from: '2026-01-01', to: '2027-12-31' };
    for (const [resource, column, more] of [
      [packages, 'ProductTypeID', {}],
      [recipes, 'ProductCategorieID', {}],
      [trips, 'SubtypeRitID', { since: '2020-01-01' }],
      [events, 'PartijOmschrijving', days],
    ] as const) {
      const out = join(folder, `${resource.name}.xlsx`);
      const { records: count } = await exportRecords(resource, { ...options, ...more, out });
      const texts = (await cellsBelow(out, column)).filter((text) => text !== undefined);
      expect(texts.filter((text) => /^\d*$/.test(String(text)))).toEqual([]);
      const { counts } = await importWorkbook(out, options);
      expect(counts, resource.name).toMatchObject({ read: count, unchanged: count });
      expect(count).toBeGreaterThan(0);
    }
  },
);
