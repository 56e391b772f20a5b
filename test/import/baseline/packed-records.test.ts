import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BaselineRecord, encodeBaselineRecord } from '../../../src/files/baseline-sheet.ts';
import { PackedRecords } from '../../../src/import/baseline/packed-records.ts';

const recordOf = (id: number, over: Partial<BaselineRecord> = {}): BaselineRecord => ({
  resource: 'packages',
  key: `id:${id}`,
  lmt: null,
  values: { OmschrijvingIntern: `Buffet ${id}\twith\ntabs`, Verkoopprijs: id / 4 },
  ...over,
});

async function packed(records: readonly BaselineRecord[]): Promise<PackedRecords> {
  const all = new PackedRecords();
  for (const record of records) expect(all.add(encodeBaselineRecord(record))).toBe(true);
  await all.settle(true);
  return all;
}

describe('a record of a packed baseline', () => {
  it('is found by resource and key, in any order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.nat(5_000), { maxLength: 500 }), fc.nat(), async (ids, seed) => {
        const all = await packed(ids.map((id) => recordOf(id)));
        const shuffled = [...ids].sort((a, b) => ((a * 7919 + seed) % 997) - ((b * 7919 + seed) % 997));
        for (const id of shuffled.slice(0, 200))
          expect(all.find('packages', `id:${id}`)).toEqual(recordOf(id));
        expect(all.find('recipes', `id:${ids[0] ?? 0}`)).toBeUndefined();
        expect(all.find('packages', 'id:5001')).toBeUndefined();
      }),
      { numRuns: 5, seed: 39 },
    );
  });

  it('says nothing of a key that stands there twice: either could be meant', async () => {
    const twice = recordOf(7, { resource: 'arrangements', key: '9023:2' });
    const all = await packed([twice, recordOf(7), twice]);
    expect(all.find('arrangements', '9023:2')).toBeUndefined();
    expect(all.find('packages', 'id:7')).toEqual(recordOf(7));
  });

  it.each([
    ['no key', ['packages', '', '', '{}']],
    ['a tab in its key', ['packages', 'id:\t7', '', '{}']],
    ['a line end in its values', ['packages', 'id:7', '', '{"a":\n1}']],
  ])('takes no row with %s', (_, texts) => {
    expect(new PackedRecords().add(texts)).toBe(false);
  });
});
