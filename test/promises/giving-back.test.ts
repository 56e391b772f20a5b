import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import exceljs from 'exceljs';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../src/index.ts';
import { makeWorkbook } from '../helpers/make-workbook.ts';
import { serviceOnly } from '../helpers/service-options.ts';
import type { Failure } from '../second-service/knobs.ts';
import { newPackages, onEachLedger, openWorld } from './world.ts';

describe('the account closes, and the exit code says how (25)', () => {
  const LOST: Failure = { kind: 'status', status: 504, when: 'before' };
  test.each<[string, readonly (string | number)[], Failure | null, number]>([
    ['every row is done', [900_009, 'Diner', 1, '30,00'], null, EXIT.ok],
    ['a row is invalid', [900_009, 'Diner', 'geen type', '30,00'], null, EXIT.rows],
    [
      'a row is refused',
      [900_009, 'Diner', 1, '30,00'],
      { kind: 'status', status: 422, when: 'before' },
      EXIT.rows,
    ],
    ['an answer is lost, and nothing came of it', [900_009, 'Diner', 1, '30,00'], LOST, EXIT.ok],
  ])('%s', async (_, row, failure, exit) => {
    const { service, sheet, machine, importWorkbook } = openWorld();
    if (failure !== null) service.failNext(failure, ({ endpoint }) => endpoint === 'package.create');
    const done = await importWorkbook(sheet([...newPackages(3), row]), machine());
    const { read, ...others } = done.counts;
    expect(read).toBe(4);
    expect(Object.values(others).reduce((sum, count) => sum + count, 0)).toBe(4);
    expect([done.exit, done.rows.length]).toEqual([exit, 4]);
  });
});

describe('an export imported again without an edit sends nothing (27)', () => {
  test.each([
    ['packages', {}],
    ['recipes', {}],
    ['events', { from: '2027-01-01', to: '2027-03-01' }],
    ['arrangements', { from: '2027-01-01', to: '2027-03-01' }],
    ['trips', { from: '2027-01-01', to: '2027-03-01' }],
  ])('%s', async (what, period) => {
    const { service, folder, machine, exportRecords, importWorkbook } = openWorld();
    const out = join(folder, `${what}.xlsx`);
    const exported = await exportRecords(what, { ...serviceOnly(machine()), ...period, out });
    expect(exported.records).toBeGreaterThan(0);
    const { counts } = await importWorkbook(out, { ...machine(), out: join(folder, 'r.xlsx') });
    expect(counts).toMatchObject({ read: exported.records, unchanged: exported.records });
    expect(service.journal.writes).toEqual([]);
  });
});

onEachLedger(() => {
  test('corrected and imported again, only what was corrected is sent (24)', async () => {
    const { service, folder, machine, importWorkbook } = openWorld();
    const rows = newPackages(4).map((row) => [...row]);
    rows[2] = [900_002, 'Lunch 2', 1, 'op aanvraag'];
    const file = await makeWorkbook(join(folder, 'week.xlsx'), { Pakketten: rows });
    const out = join(folder, 'week.result.xlsx');
    const options = machine();
    expect((await importWorkbook(file, { ...options, out })).counts).toMatchObject({
      created: 3,
      invalid: 1,
    });
    const { length } = service.journal.writes;
    const book = new exceljs.Workbook();
    await book.xlsx.readFile(out);
    (book.getWorksheet('Pakketten') ?? expect.fail('no sheet')).getCell('D3').value = 12.75;
    await book.xlsx.writeFile(out);
    for (const ledger of [options, machine()]) {
      const { counts, rows } = await importWorkbook(out, { ...ledger, out: join(folder, 'again.xlsx') });
      expect([counts.invalid, rows.flatMap(({ issues = [] }) => issues)]).toEqual([0, []]);
    }
    const sent = service.journal.writes.slice(length).filter(({ endpoint }) => endpoint === 'package.create');
    expect(sent.map(({ body }) => body)).toMatchObject([{ OmschrijvingIntern: 'Lunch 2' }]);
  });

  test('an undo gives a workbook that takes a run back, and refuses what someone changed since (26)', async () => {
    const { service, folder, sheet, machine, importWorkbook, undoRun } = openWorld();
    const [borrel, diner] = ['Borrel', 'Diner'].map((name) =>
      service.add.package({ OmschrijvingIntern: name, Verkoopprijs: 15, ProductTypeID: 1 }),
    ) as [number, number];
    const rows = [
      ['ProductID', 'Verkoopprijs'],
      [borrel, '21,5'],
      [diner, '31,5'],
    ];
    const options = machine();
    const { run } = await importWorkbook(sheet(rows), { ...options, as: 'packages' });
    service.other.change('package', diner, { Verkoopprijs: 99 });
    const out = join(folder, 'undo.xlsx');
    await undoRun(run, { ...serviceOnly(options), ledger: options.ledger, out });
    await importWorkbook(out, { ...options, out: join(folder, 'undone.xlsx') });
    expect([borrel, diner].map((id) => service.packages.get(id)?.Verkoopprijs)).toEqual([15, 99]);
  });

  test('--since last misses no record, and never moves its mark past one that was not written (28)', async () => {
    const { service, folder, machine, exportRecords, time } = openWorld();
    const options = { ...serviceOnly(machine()), since: 'last' };
    const out = (name: string): string => join(folder, `${name}.ndjson`);
    const first = await exportRecords('packages', { ...options, out: out('a') });
    const ids = Array.from({ length: 5 }, (_, at) =>
      service.add.package({ OmschrijvingIntern: `Nieuw ${at}` }),
    );
    expect(first.records).toBeGreaterThan(0);
    for (const id of ids) service.other.change('package', id, { Verkoopprijs: 33 });
    service.failNext({ kind: 'status', status: 400, when: 'before' }, ({ endpoint }) =>
      endpoint.startsWith('package'),
    );
    await expect(exportRecords('packages', { ...options, out: out('b') })).rejects.toThrow();
    await time.sleep(1000);
    const again = await exportRecords('packages', { ...options, out: out('c') });
    const written = readFileSync(out('c'), 'utf8').trim().split('\n');
    expect(written.map((line) => Number(JSON.parse(line).ProductID))).toEqual(expect.arrayContaining(ids));
    expect(again.records).toBe(written.length);
  });

  test('--since last holds what was written while the export before it was read (28)', async () => {
    const answers = { pageSize: 3 };
    const world = openWorld({ company: 'lookups', answers, speed: { beforeMs: 1000 } });
    const { service, folder, machine, exportRecords } = world;
    const options = { ...serviceOnly(machine()), since: 'last' };
    const ids = Array.from({ length: 8 }, (_, at) =>
      service.add.package({ OmschrijvingIntern: `Taart ${at}` }),
    );
    const [early = 0, late = 0] = [ids[0], ids.at(-1)];
    const listed = () => service.journal.of('package.allModified').length;
    // Once the first page was read, of the first record and of the last one; pages are asked for side by side.
    for (const id of [early, late])
      service.at(
        ({ endpoint }) => endpoint === 'package.allModified' && listed() > 1,
        () => service.other.change('package', id, { Verkoopprijs: 44 }),
      );
    const held = async (name: string): Promise<[number, number][]> => {
      const out = join(folder, `${name}.ndjson`);
      await exportRecords('packages', { ...options, out });
      const lines = readFileSync(out, 'utf8').split('\n').filter(Boolean);
      return lines.map((line) => JSON.parse(line)).map((one) => [one.ProductID, one.Verkoopprijs]);
    };
    const first = await held('first');
    expect(first.map(([id]) => id)).toEqual(expect.arrayContaining(ids));
    expect(listed()).toBeGreaterThan(2);
    // In the one or in the other, as it was written.
    const last = new Map([...first, ...(await held('second'))]);
    expect([last.get(early), last.get(late)]).toEqual([44, 44]);
  });
});
