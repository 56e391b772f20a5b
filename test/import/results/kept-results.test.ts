import { copyFileSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { newPackages, openWorld } from '../../promises/world.ts';

const stays = (notes: readonly string[] = []): readonly string[] =>
  notes.flatMap((note) => (/stays as it was: (.+); this result/.exec(note) ?? []).slice(1));

test('a dry run after a run that sent nothing does not say that its result tells what was sent', async () => {
  const { machine, sheet, importWorkbook } = openWorld();
  const { out: _, ...options } = machine();
  const file = sheet([
    ['ExternalID', 'Verkoopprijs'],
    [999_999, 'duur'],
  ]);
  const found = await importWorkbook(file, { ...options, as: 'packages' });
  expect(found.counts).toMatchObject({ read: 1, invalid: 1 });
  const dry = await importWorkbook(file, { ...options, as: 'packages', dryRun: true });
  expect(stays(dry.notes)).toEqual(['it tells what a run found, which sent nothing']);
});

test('a result that nobody edited is not said to be where the ledger was put back to before it', async () => {
  const { machine, sheet, importWorkbook } = openWorld();
  const { out: _, ...options } = machine();
  const file = sheet(newPackages(1));
  await importWorkbook(file, { ...options, dryRun: true });
  const { ledger } = options;
  copyFileSync(ledger, `${ledger}.copy`);
  await importWorkbook(file, options);
  copyFileSync(`${ledger}.copy`, ledger);
  rmSync(`${ledger}.mark`);
  const dry = await importWorkbook(file, { ...options, dryRun: true });
  expect(stays(dry.notes)).toEqual(['it was edited since, or is of a run that is not known here']);
});
