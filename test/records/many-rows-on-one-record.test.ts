import { describe, expect, it, onTestFinished } from 'vitest';
import { importWorkbook } from '../../src/index.ts';
import { openLedger } from '../../src/ledger/sqlite-ledger.ts';
import { createEarlierRows } from '../../src/records/earlier-rows.ts';
import type { RunOf, UnplacedRow } from '../../src/records/planning.ts';
import { packages } from '../../src/resources/packages.ts';
import type { Resource } from '../../src/schema/resource.ts';
import { makeWorkbook } from '../helpers/make-workbook.ts';
import { openTestService, optionsFor, type TestService } from '../helpers/test-service.ts';

const HEADER = ['#action', 'ProductID', 'ExternalID', 'OmschrijvingIntern', 'ProductTypeID', 'Verkoopprijs'];
type Cells = readonly (string | number | null)[];

/** What a dry run makes of rows: how many of each status, and every row with the codes and cells of its issues. */
async function planned(service: TestService, rows: readonly Cells[]) {
  const file = await makeWorkbook(`${service.folder}/in.xlsx`, { Pakketten: [HEADER, ...rows] });
  const done = await importWorkbook(file, optionsFor(service, { allRows: true, dryRun: true }));
  const told = done.rows.map(({ issues = [] }) => issues.map(({ code, cell }) => `${code} ${cell}`));
  return { counts: done.counts, told, rows: done.rows };
}

const COUNT = 1_100;
const many = (row: (at: number) => Cells): Cells[] => Array.from({ length: COUNT }, (_, at) => row(at));

describe('many rows on one record', () => {
  it('that make it otherwise are each told of one other', async () => {
    const { counts, told, rows } = await planned(
      await openTestService(),
      many((at) => [null, null, 71_001, `Soep ${at}`, 1, 1 + at]),
    );
    expect(counts).toMatchObject({ read: COUNT, invalid: COUNT });
    expect(told).toEqual(Array.from({ length: COUNT }, (_, at) => [`created-twice C${at + 2}`]));
    expect(rows[0]?.issues?.[0]?.message).toContain('Pakketten!C3');
    expect(rows[COUNT - 1]?.issues?.[0]?.message).toContain('Pakketten!C2');
  });

  it('that change it otherwise are each told of one other for each field', async () => {
    const service = await openTestService();
    const [one] = await service.records('package');
    const { counts, told } = await planned(
      service,
      many((at) => [null, Number(one?.id), null, `Soep ${at}`, null, 1_000 + at]),
    );
    expect(counts).toMatchObject({ read: COUNT, invalid: COUNT });
    expect(told).toEqual(
      Array.from({ length: COUNT }, (_, at) => [`value-twice D${at + 2}`, `value-twice F${at + 2}`]),
    );
  });

  it('that all say the same are all refused where the last one says otherwise, and are one change where it does not', async () => {
    const service = await openTestService();
    const [one] = await service.records('package');
    const price = (last: number) =>
      many((at) => [null, Number(one?.id), null, null, null, at === COUNT - 1 ? last : 1_234]);
    const agreed = await planned(service, price(1_234));
    expect(agreed.counts).toMatchObject({ read: COUNT, updated: 1, unchanged: COUNT - 1 });
    const disputed = await planned(service, price(1_235));
    expect(disputed.counts).toMatchObject({ read: COUNT, invalid: COUNT });
    for (const [at, codes] of disputed.told.entries())
      expect(codes.filter((code) => code.startsWith('value-twice'))).toEqual([`value-twice F${at + 2}`]);
    expect(disputed.rows[4]?.issues?.at(-1)?.message).toContain(`Pakketten!F${COUNT + 1}`);
  });

  it('names a row that says otherwise, also where the first that was refused says the same', async () => {
    const service = await openTestService();
    const [one] = await service.records('package');
    const { rows, told } = await planned(
      service,
      [1_001, 1_002, 1_001].map((price) => [null, Number(one?.id), null, null, null, price]),
    );
    expect(told).toEqual([['value-twice F2'], ['value-twice F3'], ['value-twice F4']]);
    expect(rows[2]?.issues?.[0]?.message).toContain('Pakketten!F3 says "1002"');
  });

  it('takes back what a refused row changed beside the value it was refused for', async () => {
    const service = await openTestService();
    const [one] = await service.records('package');
    const id = Number(one?.id);
    const { rows } = await planned(service, [
      [null, id, null, 'Soep', null, 1_001],
      [null, id, null, null, null, 1_002],
      [null, id, null, 'Soep', null, null],
    ]);
    expect(rows.map(({ status }) => status)).toEqual(['invalid', 'invalid', 'update']);
  });
});

describe('the rows of a plan on one record', () => {
  const row = (at: number, price: number): UnplacedRow & { seq: number } => ({
    ...{ seq: -1, sheet: 'Pakketten', row: at + 2, resource: 'packages', action: 'update', key: 'id:7' },
    ...{ id: 7, external: null, lmt: null, changes: [{ field: 'Verkoopprijs', from: null, to: price }] },
    ...{ steps: [{ purpose: 'update', endpoint: 'packages.update', body: {} }], needs: [], issues: [] },
    message: null,
  });

  it('are read from the ledger once, however many come, and again only to refuse them', async () => {
    const ledger = openLedger(':memory:');
    onTestFinished(() => ledger.close());
    const run = 'r1';
    await ledger.startRun({
      run,
      service: 'http://x.test',
      file: 'in.xlsx',
      startedAt: '2026-01-01 00:00:00',
    });
    let read = 0;
    const counting = {
      ...ledger,
      plannedFor: async (...about: Parameters<typeof ledger.plannedFor>) => {
        const rows = await ledger.plannedFor(...about);
        read += 1 + rows.length;
        return rows;
      },
      rowsAt: async (...about: Parameters<typeof ledger.rowsAt>) => {
        read += 1 + about[1].length;
        return await ledger.rowsAt(...about);
      },
    };
    const earlier = createEarlierRows({
      ledger: counting,
      run,
      resource: packages,
    } as unknown as RunOf<Resource>);
    const service = { id: 7, external: null, lmt: null, values: { Verkoopprijs: 5 } };
    for (let at = 0; at < 2_000; at += 100) {
      const rows = Array.from({ length: 100 }, (_, more) => row(at + more, at + more));
      for (const one of rows) {
        const soFar = await earlier.soFar('id:7');
        expect(soFar?.after(service)?.values.Verkoopprijs).toBe(
          at === 0 && one.row === 2 ? undefined : one.row - 3,
        );
        expect(await earlier.has('id:7')).toBe(one.row > 2);
        earlier.add(one);
      }
      for (const [more, one] of rows.entries()) one.seq = at + more;
      await ledger.savePlan(run, rows);
      earlier.saved();
    }
    expect(read).toBeLessThan(10);
    const soFar = await earlier.soFar('id:7');
    const gone = soFar?.open.filter((_, at) => at % 2 === 1) ?? [];
    if (soFar !== undefined) await earlier.refuse(soFar, new Map(gone.map((one) => [one, []])));
    expect(read).toBeLessThan(1_020);
    expect(earlier.takeRevised().map(({ now }) => now.seq)).toEqual(gone.map(({ seq }) => seq));
    expect(soFar?.after(service)?.values.Verkoopprijs).toBe(1_998);
  });
});
