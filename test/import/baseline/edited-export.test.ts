import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../src/core/errors.ts';
import { cellsOf } from '../../helpers/cells-of.ts';
import { serviceOnly } from '../../helpers/service-options.ts';
import { openWorld } from '../../promises/world.ts';
import { wordsOf } from '../../records/told.ts';
import { rewriteSheet, type SheetRow } from './fixtures.ts';

const DAYS = { from: '2027-01-01', to: '2027-03-31' };

/** Packages with these values, an export of them, and what edits and imports it. */
async function exported(values: readonly object[], more: object = {}, ending = 'csv') {
  const world = openWorld({ company: 'lookups' });
  const { service, folder, machine } = world;
  const ids = values.map((one, at) => service.add.package({ OmschrijvingIntern: `P ${at}`, ...one }));
  const at = (name: string): string => join(folder, `${name}.xlsx`);
  const options = { ...machine(), ...more };
  let runs = 0;
  await world.exportRecords('packages', { ...serviceOnly(machine()), out: at('uit') });
  return {
    ...{ ...world, ids, at, options },
    edit: (name: string, change: (row: SheetRow, index: number) => SheetRow) =>
      rewriteSheet(at(name), 'Pakketten', (rows) =>
        rows.map((row, index) => ({ ProductID: row.ProductID ?? null, ...change(row, index) })),
      ),
    send: (name: string, own: object = {}) =>
      world.importWorkbook(at(name), { ...options, out: join(folder, `r${++runs}.${ending}`), ...own }),
    theirs: (index: number, changes: object) =>
      service.other.change('package', ids[index] ?? 0, changes as Record<string, number>),
    held: (field = 'Verkoopprijs') => ids.map((id) => service.packages.get(id)?.[field] ?? null),
  };
}

const statuses = (rows: readonly { readonly status: string }[]): string =>
  rows.map(({ status }) => status).join(' ');

/** What a field was, what the user makes of it, what it is by now; and what becomes of it: by default, and with theirs and mine. */
const CASES = [
  '3 3 4 unchanged 4 4 4',
  '3 5 3 updated 5 5 5',
  '3 5 5 unchanged 5 5 5',
  '3 5 4 conflict 4 4 5',
  '3 #CLEAR 3 updated - - -',
  '3 #CLEAR 4 conflict 4 4 -',
  '3 - 4 unchanged 4 4 4',
  '- 5 - updated 5 5 5',
  '- 5 4 conflict 4 4 5',
  '- 5 5 unchanged 5 5 5',
  '- #CLEAR 4 unchanged 4 4 4',
  '3 5 - conflict - - 5',
].flatMap((line) => cellsOf([line.replaceAll('-', '').replaceAll(' ', ';')]));

describe('an export that comes back (9, 27)', () => {
  test.each(['skip', 'theirs', 'mine'] as const)(
    'sends what the user changed and leaves what others changed, field by field, with --on-conflict %s',
    async (onConflict) => {
      const world = await exported(CASES.map(([Volume]) => ({ Volume })));
      for (const [at, [was, , theirs]] of CASES.entries())
        if (was !== theirs) world.theirs(at, { Volume: theirs });
      await world.edit('uit', (_, at) => ({ Volume: CASES[at]?.[1] ?? null }));
      const { rows, sheets } = await world.send('uit', { onConflict });
      const skipped = onConflict === 'skip';
      const solved = { skip: 'conflict', theirs: 'unchanged', mine: 'updated' }[onConflict];
      const wanted = CASES.map(([, , , status]) => `${status}`.replace('conflict', solved));
      expect(statuses(rows)).toBe(wanted.join(' '));
      expect(world.held('Volume')).toEqual(
        CASES.map((one) => one[{ skip: 4, theirs: 5, mine: 6 }[onConflict]]),
      );
      const conflict = rows[3]?.issues?.[0];
      if (skipped) expect(conflict).toMatchObject({ code: 'changed-by-both', field: 'Volume', found: '5' });
      expect(rows[0]?.message).toMatch(/left as it was changed meanwhile: .*Volume$/);
      // A cell that was emptied clears nothing, which is said.
      expect(sheets[0]?.notes?.join()).toMatch(
        /emptied leave their field as it is: [A-Z]+8; #CLEAR clears it/,
      );
    },
  );

  test('is unchanged once more, and so is its result, sorted, and where only the rows that need work are seen', async () => {
    const world = await exported([{}, {}, {}], {}, 'xlsx');
    world.theirs(0, { Verkoopprijs: 71 });
    await world.edit('uit', (_, at) => ({ Verkoopprijs: 500 + at }));
    expect(statuses((await world.send('uit', { onlyProblems: true })).rows)).toBe('conflict updated updated');
    await rewriteSheet(world.at('r1'), 'Pakketten', (rows) => rows.toReversed());
    expect(statuses((await world.send('uit')).rows)).toBe('conflict unchanged unchanged');
    expect(statuses((await world.send('r1')).rows)).toBe('unchanged unchanged conflict');
    expect(statuses((await world.send('r3', { onConflict: 'mine' })).rows)).toBe(
      'unchanged unchanged updated',
    );
    expect(world.held()).toEqual([500, 501, 502]);
  });

  test('deletes what is as it was, and not what someone else changed in any field', async () => {
    const world = await exported([{}, {}], { allowDelete: true });
    await world.edit('uit', () => ({ '#action': 'delete' }));
    world.theirs(1, { OmschrijvingExtern: 'van een ander' });
    expect(statuses((await world.send('uit')).rows)).toBe('deleted conflict');
    expect(statuses((await world.send('uit', { onConflict: 'theirs' })).rows)).toBe('unchanged skipped');
    expect(statuses((await world.send('uit', { onConflict: 'mine' })).rows)).toBe('unchanged deleted');
  });

  test('from another service is compared only where that is asked for', async () => {
    const [world, other] = [await exported([{}]), openWorld()];
    const options = { ...other.machine(), baseUrl: 'http://127.0.0.1:3', out: world.at('r') };
    const stopped = other.importWorkbook(world.at('uit'), options);
    await expect(stopped).rejects.toMatchObject({
      exit: EXIT.usage,
      next: expect.stringContaining('--on-conflict mine'),
    });
    await expect(stopped).rejects.toThrow('http://127.0.0.1:2/');
  });
});

describe('what the user’s own runs did is nobody else’s change', () => {
  const prices =
    (...all: readonly (number | null)[]) =>
    (row: SheetRow, at: number): SheetRow => ({ Verkoopprijs: all[at] ?? row.Verkoopprijs ?? null });

  test('after an undo of what the file sent, an undo of that, and what a colleague did in between', async () => {
    const world = await exported([{}, {}, {}], { allowDelete: true });
    const undo = async (run: string, name: string) => {
      // Workbooks are told apart by when they were written.
      await world.time.sleep(1000);
      const options = { ...serviceOnly(world.options), allowDelete: undefined, out: world.at(name) };
      await world.undoRun(run, options as never);
    };
    await world.edit('uit', prices(101, 102, 103));
    await undo((await world.send('uit')).run, 'terug');
    const back = await world.send('terug');
    expect(world.held()).toEqual([12.5, 12.5, 12.5]);
    world.theirs(2, { Verkoopprijs: 77 });
    await world.edit('uit', prices(101, 202, 103));
    expect(statuses((await world.send('uit')).rows)).toBe('updated updated conflict');
    await undo(back.run, 'heen');
    for (const at of [0, 1]) world.theirs(at, { Verkoopprijs: 12.5 });
    await world.send('heen');
    expect(world.held()).toEqual([101, 102, 77]);
  });

  test('nor is what a copy of the file sent, which takes nothing back', async () => {
    const world = await exported([{}, {}, {}, {}]);
    const copy = (from: string, to: string) => copyFileSync(world.at(from), world.at(to));
    copy('uit', 'oud');
    await world.edit('uit', prices(20, 30, 40));
    await world.send('uit');
    copy('uit', 'vervolg');
    await world.edit('vervolg', prices(22, 30, 42));
    world.theirs(2, { Verkoopprijs: 41 });
    const done = await world.send('vervolg');
    expect(statuses(done.rows)).toBe('updated unchanged conflict unchanged');
    await world.edit('oud', prices(null, null, null, 50));
    expect(statuses((await world.send('oud')).rows)).toBe('unchanged unchanged unchanged updated');
    await world.edit('uit', prices(21));
    expect(statuses((await world.send('uit')).rows)).toBe('updated unchanged unchanged unchanged');
    expect(world.held()).toEqual([21, 30, 41, 50]);
  });
});

describe('a cell of an export that can’t be sent and was changed is said (3)', () => {
  test.each<[string, string, string, (rows: SheetRow[]) => readonly SheetRow[], readonly string[], RegExp]>([
    [
      'a value that is only shown, but not a column that was deleted',
      'packages',
      'Pakketten',
      ([a = {}, ...rest]) => [
        ...rest.map(({ Offertetekst: _, ...row }) => row),
        { ...a, Chargegrootte: 12, Verkoopprijs: 67 },
      ],
      ['unchanged', 'unchanged', 'updated cell-not-sent price-leaps'],
      /“12” is not sent.*Only the service fills it in/,
    ],
    [
      'another arrangement, and one more',
      'arrangements',
      'Arrangementen',
      ([a = {}, ...rest]) => [
        { ...a, ArrangementID: 1003 },
        ...rest,
        ...rest.map((row) => ({ ...row, ArrangementID: 1003 })),
      ],
      ['created cell-not-sent', 'unchanged', 'created cell-not-sent'],
      /Only the service fills it in/,
    ],
  ])('%s', async (_, what, sheet, edit, expected, words) => {
    const { folder, machine, exportRecords, importWorkbook } = openWorld();
    const out = join(folder, 'uit.xlsx');
    const dated = what === 'arrangements' ? DAYS : {};
    await exportRecords(what, { ...serviceOnly(machine()), ...dated, out });
    await rewriteSheet(out, sheet, edit);
    const { rows } = await importWorkbook(out, { ...machine(), out: join(folder, 'r.csv') });
    expect(
      rows.map(({ status, issues = [] }) => [status, ...new Set(issues.map(({ code }) => code))].join(' ')),
    ).toEqual(expected);
    expect(wordsOf(rows).trim().replaceAll('\n', ' ')).toMatch(words);
  });
});

describe('a name of a list that changed since the export', () => {
  test.each<[string, Readonly<Record<number, string>>, RegExp]>([
    ['is another name now', { 9701: 'Busje' }, /lookup-unknown.*The names are: Busje, Koelwagen/],
    [
      'is also another entry’s',
      { 9701: 'Busje', 9708: 'Bestelbus' },
      /lookup-ambiguous.*9701, as it was when the file was written, or 9708, as it is now/,
    ],
  ])(
    '%s: rows that nobody changed mean the id that they showed, and one that is chosen is refused',
    async (_, list, words) => {
      const { service, folder, machine, exportRecords, importWorkbook } = openWorld({ company: 'lookups' });
      for (const TypeVoertuigID of [9701, 9702, 9702])
        service.add.trip({ Datum: '2027-03-04', TypeVoertuigID });
      const out = join(folder, 'uit.xlsx');
      await exportRecords('trips', { ...serviceOnly(machine()), ...DAYS, out });
      service.add.dropdown(97, list);
      await rewriteSheet(out, 'Ritten', (rows) =>
        rows.map((row, at) => (at === 2 ? { ...row, TypeVoertuigID: 'Bestelbus' } : row)),
      );
      const { rows } = await importWorkbook(out, { ...machine(), dryRun: true, out: join(folder, 'r.csv') });
      expect(statuses(rows)).toBe('unchanged unchanged invalid');
      expect(JSON.stringify(rows[2]?.issues)).toMatch(words);
    },
  );
});
