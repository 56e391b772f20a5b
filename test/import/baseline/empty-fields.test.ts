import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exportRecords, type ImportDocument, importWorkbook, undoRun } from '../../../src/index.ts';
import { packages } from '../../../src/resources/packages.ts';
import { listed, listService } from '../../export/list-service.ts';
import { makeWorkbook } from '../../helpers/make-workbook.ts';
import { serviceOnly } from '../../helpers/service-options.ts';
import { openTestService, optionsFor } from '../../helpers/test-service.ts';
import { changePackage, editBook, packageOf } from './fixtures.ts';

/** A field as a list gives it: `left out` where the service leaves out what is empty. */
type Given = 'left out' | null | number | string;
/** What the user does to its cell. */
type Edit = 'nothing' | '#CLEAR' | number | string;

/** What becomes of the row: an empty field is a value like any other, said or left out. */
function expected(base: Given, mine: Edit, theirs: Given): 'update' | 'unchanged' | 'conflict' {
  const [was, is] = [base, theirs].map((given) => (given === 'left out' || given === '' ? null : given));
  const to = mine === '#CLEAR' ? null : mine;
  if (mine === 'nothing' || to === was || to === is) return 'unchanged';
  return was === is ? 'update' : 'conflict';
}

describe('a field that held nothing is guarded like any other', () => {
  it.each<[field: string, values: readonly (number | string)[]]>([
    ['Volume', [1.5, 2.5, 3.5]],
    ['InterneOpmerking', ['een', 'twee', 'drie']],
  ])('%s: whatever it was, is and is to be', async (field, [one = 0, two = 0, three = 0]) => {
    const given: Given[] = ['left out', null, '', one, two];
    const edits: Edit[] = ['nothing', '#CLEAR', one, three];
    const cases = given.flatMap((base) =>
      edits.flatMap((mine) => given.map((theirs) => [base, mine, theirs] as const)),
    );
    const record = (at: number, value: Given) =>
      listed(at + 1, value === 'left out' ? {} : { [field]: value });
    const service = await listService(
      cases.map(([base], at) => record(at, base)),
      cases.length,
    );
    const out = join(service.folder, 'uit.xlsx');
    await exportRecords(packages, { ...service.options, out });
    await editBook(out, (set) => {
      for (const [at, [, mine]] of cases.entries()) if (mine !== 'nothing') set(at + 2, field, mine);
    });
    service.records = cases.map(([, , theirs], at) => record(at, theirs));
    const plan = { ...service.options, dryRun: true, allRows: true } as const;
    const { rows } = await importWorkbook(out, plan);
    const found = rows.map(({ status }, at) => [...(cases[at] ?? []), status]);
    expect(found).toEqual(
      cases.map(([base, mine, theirs]) => [base, mine, theirs, expected(base, mine, theirs)]),
    );
    const theirs = await importWorkbook(out, { ...plan, onConflict: 'theirs' });
    expect(theirs.counts).toMatchObject({
      updated: cases.filter((one) => expected(...one) === 'update').length,
      unchanged: cases.filter((one) => expected(...one) !== 'update').length,
    });
  });

  it('what a colleague filled in or emptied since survives, read one by one, and after an undo', async () => {
    const service = await openTestService();
    const out = `${service.folder}/uit.xlsx`;
    const options = optionsFor(service);
    const [filled = 0, emptied = 0] = (await service.records('package')).map(({ id }) => Number(id));
    await changePackage(service, emptied, { InterneOpmerking: 'oud', Volume: 3 });
    await exportRecords(packages, { ...serviceOnly(options), out });
    await changePackage(service, filled, { InterneOpmerking: 'ALLERGIE: noten' });
    await changePackage(service, emptied, { InterneOpmerking: null, Volume: null });
    await editBook(
      out,
      (set, rows) => {
        for (const row of rows) set(row, 'InterneOpmerking', 'van mij');
      },
      [filled, emptied],
    );
    for (const onConflict of ['skip', 'theirs'] as const) {
      const done = await importWorkbook(out, { ...options, onConflict });
      expect(done.counts).toMatchObject(onConflict === 'skip' ? { conflict: 2 } : { unchanged: 2 });
    }
    expect(await packageOf(service, filled)).toMatchObject({ InterneOpmerking: 'ALLERGIE: noten' });
    expect(await packageOf(service, emptied)).toMatchObject({ InterneOpmerking: null, Volume: null });
    const file = await makeWorkbook(`${service.folder}/in.xlsx`, {
      Pakketten: [
        ['ProductID', 'InterneOpmerking'],
        [filled, 'van de import'],
        [emptied, 'van de import'],
      ],
    });
    const { run } = await importWorkbook(file, options);
    await changePackage(service, filled, { InterneOpmerking: null });
    const undo = await undoRun(run, { ...serviceOnly(options), out: `${service.folder}/terug.xlsx` });
    const back = await importWorkbook(undo.file, options);
    expect(back.rows.map(({ id, status }) => [id, status])).toEqual([
      [filled, 'conflict'],
      [emptied, 'updated'],
    ]);
    for (const id of [filled, emptied])
      expect(await packageOf(service, id)).toMatchObject({ InterneOpmerking: null });
  });
});

/** What is said of cells that were emptied. */
const emptied = ({ sheets }: ImportDocument): string[] =>
  sheets.flatMap(({ notes = [] }) => notes.filter((note) => note.includes('emptied')));

it('a cell that was emptied clears nothing, which is said once a sheet', async () => {
  const service = await openTestService();
  const out = `${service.folder}/uit.xlsx`;
  const options = optionsFor(service);
  const ids = (await service.records('package')).slice(0, 10).map(({ id }) => Number(id));
  for (const id of ids) await changePackage(service, id, { Volume: 3 });
  await exportRecords(packages, { ...serviceOnly(options), out });
  const quiet = await importWorkbook(out, options);
  expect(emptied(quiet)).toEqual([]);
  await changePackage(service, ids[9] ?? 0, { Volume: null });
  await editBook(
    out,
    (set, rows) => {
      for (const row of rows) set(row, 'Volume', null);
      set(rows[0] ?? 0, 'Volume', '#CLEAR');
    },
    ids,
  );
  const done = await importWorkbook(out, options);
  expect(done.counts).toMatchObject({ updated: 1, unchanged: done.counts.read - 1 });
  expect(emptied(done)).toEqual([
    expect.stringMatching(
      /emptied leave their field as it is: (?:[A-Z]+\d+, ){4}[A-Z]+\d+ and 3 more; #CLEAR clears it/,
    ),
  ]);
  expect(await packageOf(service, ids[1] ?? 0)).toMatchObject({ Volume: 3 });
});
