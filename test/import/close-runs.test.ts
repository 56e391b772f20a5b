import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listRuns, readRun } from '../../src/index.ts';
import { openLedger } from '../../src/ledger/sqlite-ledger.ts';
import { cellsOf } from '../helpers/cells-of.ts';
import { serviceOnly } from '../helpers/service-options.ts';
import { newPackages, openWorld } from '../promises/world.ts';
import type { Failure } from '../second-service/knobs.ts';

/** A service, one machine, and a file of new packages whose first row can be left out. */
function open(count: number) {
  const world = openWorld();
  const options = world.machine();
  const [header = [], ...rows] = newPackages(count);
  const file = (skips = false): string => {
    const skipped = rows.map((row, at) => [...row, skips && at === 0 ? 'skip' : null]);
    const written = world.sheet([[...header, '#action'], ...skipped]);
    renameSync(written, `${world.folder}/week.csv`);
    return `${world.folder}/week.csv`;
  };
  const stateOf = async (run: string) => {
    const found = (await listRuns({ ledger: options.ledger })).find((one) => one.run === run);
    return [found?.state, found?.finishedBy];
  };
  /** From its next write on all of the service fails, until it is said to do so no more. */
  const failing = (failure: Failure | undefined): void => {
    let isSent = false;
    const choose = ({ write }: { readonly write: boolean }) => {
      isSent ||= write;
      return isSent ? failure : undefined;
    };
    world.service.set({ failures: { choose } });
  };
  return { ...world, options, file, stateOf, failing };
}

describe('a run that was cut off', () => {
  /** A run as a kill leaves it. */
  const cutOff = async (count: number) => {
    const world = open(count);
    const { run } = await world.planImport(world.file(), world.options);
    const ledger = openLedger(world.options.ledger);
    await ledger.updateRun(run, { state: 'applying' });
    await ledger.close();
    return { ...world, run };
  };

  test('is closed when its file is imported again, and claims nothing that the later one did', async () => {
    const { run, options, file, importWorkbook, applyPlan, undoRun, stateOf, service } = await cutOff(4);
    const again = await importWorkbook(file(), options);
    expect(again.counts.created).toBe(4);
    expect(await stateOf(run)).toEqual(['done', again.run]);
    const { length } = service.journal.writes;
    const done = await applyPlan(run, options);
    expect(done.counts).toMatchObject({ created: 0, unchanged: 4 });
    expect(done.notes?.join()).toContain(`finished by run ${again.run}`);
    expect(service.journal.writes).toHaveLength(length);
    const out = join(options.ledger, '../u.xlsx');
    await expect(undoRun(run, { ...serviceOnly(options), out })).rejects.toThrow(/changed nothing/);
  });

  test('stays open when another week’s file of the same name is imported: its rows were not sent', async () => {
    const { run, options, file, sheet, importWorkbook, applyPlan, stateOf } = await cutOff(3);
    const [name, other] = [file(), sheet(newPackages(4, 950_001))];
    renameSync(other, name);
    expect((await importWorkbook(name, options)).counts).toMatchObject({ created: 4 });
    expect((await stateOf(run))[0]).toBe('interrupted');
    expect((await applyPlan(run, options)).counts).toMatchObject({ created: 3 });
  });

  test('stays open with the rows that a later import left out, and those alone are sent', async () => {
    const { run, options, file, importWorkbook, applyPlan, stateOf } = await cutOff(3);
    await importWorkbook(file(true), options);
    expect((await stateOf(run))[0]).toBe('interrupted');
    expect((await applyPlan(run, options)).counts).toMatchObject({ created: 1, unchanged: 2 });
  });
});

describe('a run that ended with rows in doubt', () => {
  test.each<['before' | 'after', readonly string[]]>([
    ['before', ['created', 'created']],
    // What was made lacks its ExternalID still.
    ['after', ['updated', 'updated']],
  ])('that broke %s they were done is closed by the import that settles them', async (when, statuses) => {
    const { options, file, failing, importWorkbook, stateOf } = open(2);
    const once = { ...options, doubt: 0, retries: 0 };
    failing({ kind: 'reset', when });
    const first = await importWorkbook(file(), once);
    expect(first.counts.unknown).toBe(2);
    failing(undefined);
    const again = await importWorkbook(file(), once);
    expect(again.rows.map(({ status }) => status)).toEqual(statuses);
    expect(await stateOf(first.run)).toEqual(['done', again.run]);
    expect((await readRun(first.run, { ledger: options.ledger })).counts).toMatchObject({ unknown: 2 });
  });

  test('is not said to be finished by an import that leaves one of them out, or can’t tell either', async () => {
    const { options, file, failing, importWorkbook, stateOf, service, sheet } = open(2);
    const once = { ...options, doubt: 0, retries: 0 };
    failing({ kind: 'reset', when: 'before' });
    const first = await importWorkbook(file(), once);
    const header = 'ProductID;WerknemerID;DatumTijd;AantalRekeneenheid;MutatieCategorieID;MutatieReden';
    const rows = cellsOf([header, `${service.add.product()};12;2026-10-01 08:00;2;4901;Bederf`]);
    failing(undefined);
    await importWorkbook(file(true), once);
    failing({ kind: 'reset', when: 'before' });
    const posting = { ...once, as: 'stock-mutations' };
    const posted = await importWorkbook(sheet(rows), posting);
    failing(undefined);
    expect((await importWorkbook(sheet(rows), posting)).counts.unknown).toBe(1);
    for (const { run } of [first, posted]) expect(await stateOf(run)).toEqual(['done', undefined]);
  });
});
