import { copyFileSync, renameSync } from 'node:fs';
import exceljs from 'exceljs';
import { describe, expect, it } from 'vitest';
import { sheetLines } from '../../../src/cli/view/problems.ts';
import { BASELINE_SHEET, type BaselineRecord } from '../../../src/files/baseline-sheet.ts';
import type { ImportResult } from '../../../src/import/import.ts';
import { EXIT, importWorkbook, planImport } from '../../../src/index.ts';
import { makeWorkbook, packageRows } from '../../helpers/make-workbook.ts';
import { openTestService, optionsFor, type TestService } from '../../helpers/test-service.ts';
import { changePackage, packageOf, serviceOf, withBaseline } from './fixtures.ts';

const COLUMNS = [
  'ProductID',
  'OmschrijvingIntern',
  'Verkoopprijs',
  'Volume',
  'InterneOpmerking',
  'LMT',
  '#action',
];

type Row = readonly (string | number | boolean | null)[];

interface Exported {
  readonly service: TestService;
  readonly ids: readonly number[];
  /** Writes the file as it was exported, with other rows where these say so. */
  write(edit?: (rows: Row[]) => readonly Row[], over?: { readonly service?: string }): Promise<string>;
}

/** Six packages of the sandbox, as an export of some columns would hold them. */
async function exported(): Promise<Exported> {
  const service = await openTestService();
  const all = await service.records('package');
  const ids = all.slice(0, 6).map(({ id }) => Number(id));
  const records = await Promise.all(ids.map((id) => packageOf(service, id)));
  const base = records.map((values, index): BaselineRecord => {
    const { LMT } = values;
    return { resource: 'packages', key: `id:${ids[index]}`, lmt: String(LMT), values };
  });
  return {
    service,
    ids,
    async write(edit = (rows) => rows, { service: address = serviceOf(service) } = {}) {
      const rows = records.map((values) => COLUMNS.map((name) => values[name] ?? null));
      const sheets = { Pakketten: [[...COLUMNS], ...edit(rows)] };
      return await withBaseline(`${service.folder}/export.xlsx`, sheets, address, base);
    },
  };
}

/** The row with another price, and what else it is to say. */
const priced = (row: Row, price: Row[number], remark: Row[number] = row[4] ?? null): Row => [
  ...row.slice(0, 2),
  price,
  row[3] ?? null,
  remark,
  ...row.slice(5),
];

const statuses = (rows: readonly { readonly status: string }[]): string[] => rows.map(({ status }) => status);

describe('an export that comes back', () => {
  it('untouched, is unchanged whatever others did meanwhile, and sends nothing', async () => {
    const { service, ids, write } = await exported();
    await changePackage(service, ids[0] ?? 0, { Verkoopprijs: 77, OmschrijvingIntern: 'Van een ander' });
    await service.clearLog();
    const file = await write();
    const done = await importWorkbook(file, optionsFor(service));
    expect(done.counts).toMatchObject({ read: 6, unchanged: 6 });
    expect((await service.log()).counts['packages.update']).toBeUndefined();
    expect(done.rows[0]?.message).toMatch(/left as someone else changed it.*Verkoopprijs: .* → 77/);
    // Nobody is bothered with the hidden sheet.
    const plan = await planImport(file, optionsFor(service));
    expect(sheetLines({ plan } as unknown as ImportResult, 'en')).toEqual({
      problems: [],
      skipped: [],
      unused: [],
    });
    expect(done.notes).toBeUndefined();
    expect(await packageOf(service, ids[0] ?? 0)).toMatchObject({ Verkoopprijs: 77 });
  });

  it('sorted, with rows deleted and added, sends what the user changed and leaves what others changed', async () => {
    const { service, ids, write } = await exported();
    const [first = 0, second = 0, third = 0, fourth = 0, , last = 0] = ids;
    const file = await write(([a = [], b = [], c = [], d = []]) => [
      priced(d, 41),
      priced(c, 31, 'nieuw'),
      priced(b, 21),
      a,
      priced([null, 'Nieuw pakket', 5, 1, null, null], 5),
    ]);
    await changePackage(service, first, { Verkoopprijs: 99 });
    await changePackage(service, second, { Verkoopprijs: 21 });
    await changePackage(service, third, { OmschrijvingIntern: 'Van een ander', Volume: 8 });
    await changePackage(service, fourth, { Verkoopprijs: 40 });
    const done = await importWorkbook(file, optionsFor(service));
    expect(statuses(done.rows)).toEqual(['conflict', 'updated', 'unchanged', 'unchanged', 'invalid']);
    expect(await packageOf(service, fourth)).toMatchObject({ Verkoopprijs: 40 });
    expect(await packageOf(service, third)).toMatchObject({
      ...{ Verkoopprijs: 31, InterneOpmerking: 'nieuw' },
      ...{ OmschrijvingIntern: 'Van een ander', Volume: 8 },
    });
    expect(await packageOf(service, last)).toMatchObject({ ProductID: last });
    const [conflict] = done.rows;
    expect(conflict?.issues).toEqual([
      expect.objectContaining({ code: 'changed-by-both', cell: 'C2', field: 'Verkoopprijs', found: '41' }),
    ]);
    expect(conflict?.message).toMatch(/it was [\d,]+, is now 40,00;/);
  });

  it('changed by both: --on-conflict leaves the row, sends mine or leaves theirs', async () => {
    const { service, ids, write } = await exported();
    const [first = 0] = ids;
    const file = await write(([row = []]) => [priced(row, 50, 'nieuw')]);
    for (const [onConflict, status, price, remark] of [
      ['skip', 'conflict', 55, null],
      ['theirs', 'updated', 55, 'nieuw'],
      ['mine', 'updated', 50, 'nieuw'],
    ] as const) {
      await changePackage(service, first, { Verkoopprijs: 55 });
      const done = await importWorkbook(file, optionsFor(service, { onConflict }));
      expect([onConflict, ...statuses(done.rows)]).toEqual([onConflict, status]);
      expect(await packageOf(service, first)).toMatchObject({
        Verkoopprijs: price,
        InterneOpmerking: remark,
      });
    }
  });

  it('#CLEAR is a change like any other, a blank cell none', async () => {
    const { service, ids } = await exported();
    const [first = 0, second = 0, third = 0] = ids;
    for (const id of ids.slice(0, 3)) await changePackage(service, id, { Volume: 3 });
    const all = await Promise.all(ids.slice(0, 3).map((id) => packageOf(service, id)));
    const records = all.map(
      (values): BaselineRecord => ({
        ...{ resource: 'packages', key: `id:${values.ProductID}`, lmt: null, values },
      }),
    );
    const rows = ['#CLEAR', '#CLEAR', null].map((volume, index) => [ids[index] ?? 0, volume]);
    const sheets = { Pakketten: [['ProductID', 'Volume', 'Actief'], ...rows] };
    const file = await withBaseline(`${service.folder}/c.xlsx`, sheets, serviceOf(service), records);
    await changePackage(service, second, { Volume: 4 });
    await changePackage(service, third, { Volume: 4 });
    const done = await importWorkbook(file, optionsFor(service));
    expect(statuses(done.rows)).toEqual(['updated', 'conflict', 'unchanged']);
    expect(await packageOf(service, first)).toMatchObject({ Volume: null });
    expect(await packageOf(service, second)).toMatchObject({ Volume: 4 });
  });

  it('deletes what is as it was, and not what someone else changed; knows of what is gone that it was there', async () => {
    const { service, ids, write } = await exported();
    const [first = 0, second = 0] = ids;
    const file = await write(([a = [], b = []]) => [a, b].map((row) => [...row.slice(0, 6), 'delete']));
    await changePackage(service, second, { OmschrijvingExtern: 'in geen kolom van het blad' });
    const options = optionsFor(service, { allowDelete: true });
    expect(statuses((await importWorkbook(file, options)).rows)).toEqual(['deleted', 'conflict']);
    expect((await service.records('package')).some(({ id }) => id === first)).toBe(false);
    const kept = await importWorkbook(file, { ...options, onConflict: 'theirs' });
    expect(statuses(kept.rows)).toEqual(['unchanged', 'skipped']);
    const gone = await importWorkbook(file, { ...options, onConflict: 'mine' });
    expect(statuses(gone.rows)).toEqual(['unchanged', 'deleted']);
    // Of a record that is gone is said that it was there.
    const done = await importWorkbook(await write(), options);
    expect(done.rows[0]).toMatchObject({
      status: 'skipped',
      message: expect.stringContaining('31 Mar 2026'),
    });
    expect(done.counts).toMatchObject({ skipped: 2, unchanged: 4 });
  });
});

describe('the same file once more', () => {
  it('is unchanged, and so is its result, which keeps the hidden sheet', async () => {
    const { service, ids, write } = await exported();
    const options = optionsFor(service);
    // Two rows on one record that say the same are no conflict with each other.
    const twice = await write(([row = []]) => [priced(row, 31), priced(row, 31)]);
    expect(statuses((await importWorkbook(twice, options)).rows)).toEqual(['updated', 'unchanged']);
    expect(await packageOf(service, ids[0] ?? 0)).toMatchObject({ Verkoopprijs: 31 });
    const file = await write((rows) => rows.map((row, index) => priced(row, 500 + index)));
    expect((await importWorkbook(file, options)).counts).toMatchObject({ updated: 6 });
    expect(
      (await importWorkbook(file, { ...options, out: `${service.folder}/s.xlsx` })).counts,
    ).toMatchObject({
      unchanged: 6,
    });
    const again = await importWorkbook(`${service.folder}/r.xlsx`, {
      ...options,
      out: `${service.folder}/t.xlsx`,
    });
    expect(again.counts).toMatchObject({ read: 6, unchanged: 6 });
    const result = new exceljs.Workbook();
    await result.xlsx.readFile(`${service.folder}/t.xlsx`);
    expect(result.getWorksheet(BASELINE_SHEET)?.state).toBe('veryHidden');
    expect(result.getWorksheet(BASELINE_SHEET)?.rowCount).toBe(8);
  });

  it('edited again, what it sent before is nobody else’s change: in place, and in its result under any name', async () => {
    const { service, ids, write } = await exported();
    const [first = 0, second = 0] = ids;
    const remark = (price: number, text: string) =>
      write((rows) => rows.slice(0, 2).map((row) => priced(row, price, text)));
    const options = optionsFor(service);
    const { Verkoopprijs } = await packageOf(service, first);
    expect((await importWorkbook(await remark(50, 'een'), options)).counts).toMatchObject({ updated: 2 });
    // Once more another price, and once more; then back to what it was at first.
    expect((await importWorkbook(await remark(60, 'een'), options)).counts).toMatchObject({ updated: 2 });
    await write(([a = [], b = []]) => [a, priced(b, 60, 'een')]);
    const file = `${service.folder}/export.xlsx`;
    const back = await importWorkbook(file, options);
    expect(statuses(back.rows)).toEqual(['updated', 'unchanged']);
    expect(await packageOf(service, first)).toMatchObject({ Verkoopprijs });
    // What someone else changed after that is theirs, whatever the sheet says of the time before.
    await changePackage(service, second, { Verkoopprijs: 70 });
    await changePackage(service, first, { Verkoopprijs: 71 });
    const renamed = `${service.folder}/anders genoemd.xlsx`;
    renameSync(`${service.folder}/r.xlsx`, renamed);
    const out = `${service.folder}/s.xlsx`;
    const left = await importWorkbook(renamed, { ...options, out });
    expect(statuses(left.rows)).toEqual(['unchanged', 'unchanged']);
    expect(left.rows.map(({ message }) => /→ (\d+)/.exec(message ?? '')?.[1])).toEqual(['71', '70']);
    // What someone else changed is a conflict in a copy too, and no copy takes back what the file sent.
    copyFileSync(await remark(61, 'een'), `${service.folder}/kopie.xlsx`);
    const copy = await importWorkbook(`${service.folder}/kopie.xlsx`, { ...options, dryRun: true });
    expect(statuses(copy.rows)).toEqual(['conflict', 'conflict']);
  });

  it('keeps it too where only the rows that need work are seen', async () => {
    const { service, ids, write } = await exported();
    const file = await write((rows) => rows.map((row, index) => priced(row, index === 0 ? 70 : 600)));
    await changePackage(service, ids[0] ?? 0, { Verkoopprijs: 71 });
    const out = `${service.folder}/p.xlsx`;
    const done = await importWorkbook(file, optionsFor(service, { out, onlyProblems: true }));
    expect(done.counts).toMatchObject({ conflict: 1, updated: 5 });
    const again = await importWorkbook(out, optionsFor(service));
    expect(again.counts).toMatchObject({ read: 6, conflict: 1, unchanged: 5 });
    const mine = await importWorkbook(out, optionsFor(service, { onConflict: 'mine' }));
    expect(mine.counts).toMatchObject({ updated: 1 });
  });
});

describe('a file without a baseline that counts', () => {
  it('is compared with the service alone; one of another service only where that is asked for', async () => {
    const { service, ids, write } = await exported();
    const file = await write((rows) => rows, { service: 'https://elders.example/' });
    await changePackage(service, ids[0] ?? 0, { Verkoopprijs: 77 });
    for (const onConflict of ['skip', 'theirs'] as const) {
      const stop = await importWorkbook(file, optionsFor(service, { onConflict })).catch((error) => error);
      expect(stop).toMatchObject({
        exit: EXIT.usage,
        next: expect.stringContaining('--on-conflict mine'),
      });
      expect(String(stop)).toContain('https://elders.example/');
    }
    const done = await importWorkbook(file, optionsFor(service, { dryRun: true, onConflict: 'mine' }));
    expect(done.counts).toMatchObject({ read: 6, updated: 1, unchanged: 5 });
    expect(done.notes?.join()).toContain('https://elders.example/');
    const plain = await makeWorkbook(`${service.folder}/plain.xlsx`, { Pakketten: packageRows(2) });
    expect((await importWorkbook(plain, optionsFor(service, { dryRun: true }))).notes).toBeUndefined();
    // A sheet of the user's own with its name is taken for what it is.
    const named = await makeWorkbook(`${service.folder}/own.xlsx`, { catersheet: packageRows(3) });
    expect((await importWorkbook(named, optionsFor(service, { dryRun: true }))).counts).toMatchObject({
      created: 3,
    });
  });
});
