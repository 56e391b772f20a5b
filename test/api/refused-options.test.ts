import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../src/core/errors.ts';
import * as library from '../../src/index.ts';
import {
  exportRecords,
  importWorkbook,
  planImport,
  readWorkbook,
  startSandbox,
  writeTemplate,
} from '../../src/index.ts';
import { stockMutations } from '../../src/resources/stock-mutations.ts';
import { runCli, tempFolder } from '../helpers/run-cli.ts';

/** A CSV of one package in a folder of its own, where the program keeps its files too. */
function onePackage(): { folder: string; file: string; options: { ledger: string; log: string } } {
  const folder = tempFolder();
  const file = join(folder, 'pakketten.csv');
  writeFileSync(file, 'ExternalID;OmschrijvingIntern;Verkoopprijs\n31003;Lunch;12,50\n');
  return { folder, file, options: { ledger: join(folder, 'ledger.db'), log: join(folder, 'log') } };
}

/** A service that is never asked anything. */
const NOWHERE = { baseUrl: 'http://127.0.0.1:9', token: 't', lang: 'en' } as const;
const AT_NOWHERE = ['--base-url', NOWHERE.baseUrl, '--lang', 'en'];

describe('the library refuses what the command refuses, in the same words', () => {
  test.each([importWorkbook, planImport])('a value for a field that no sheet has, in %o', async (call) => {
    const { folder, file, options } = onePackage();
    const said = '--set Nope: no sheet has a column Nope.';
    await expect(call(file, { ...NOWHERE, ...options, set: { Nope: '1' } })).rejects.toMatchObject({
      exit: EXIT.usage,
      message: said,
    });
    const env = { CATERSHEET_HOME: folder, CATERSHEET_TOKEN: 't' };
    const { code, stderr } = await runCli(['import', file, '--set', 'Nope=1', ...AT_NOWHERE], { env });
    expect([code, stderr.split('\n')[0]]).toEqual([EXIT.usage, said]);
  });
});

describe('a kind of records', () => {
  test.each<[string, () => Promise<unknown>, string]>([
    ['an export', () => exportRecords('pakages', NOWHERE), 'There is no sheet pakages.'],
    [
      'an export of nothing',
      () => exportRecords(undefined as never, NOWHERE),
      'There is no sheet undefined.',
    ],
    [
      'an export of mutations',
      () => exportRecords(stockMutations as never, NOWHERE),
      `There is no sheet ${stockMutations.name}.`,
    ],
    ['a template', () => writeTemplate(['soep'], { lang: 'en', offline: true }), 'There is no sheet soep.'],
    [
      'an import',
      () => importWorkbook('a.csv', { ...NOWHERE, as: {} as never }),
      'as: expected one of packages,',
    ],
    ['a map', () => importWorkbook('a.csv', { ...NOWHERE, map: 3 as never }), 'map: expected a text such as'],
  ])('that is none is refused by its name, in %s', async (_what, call, said) => {
    await expect(call()).rejects.toMatchObject({
      name: 'StopError',
      exit: EXIT.usage,
      message: expect.stringContaining(said),
      next: expect.any(String),
    });
  });
});

describe('startSandbox', () => {
  test.each([
    [{ bogus: 1 }, 'startSandbox takes no option bogus.'],
    [{ port: 70_000 }, 'port: expected at most 65535'],
    [{ faults: { reset: 2 } }, 'faults.reset: expected at most 1'],
  ])('refuses %j', async (settings, said) => {
    // One that starts is closed, or the test would not end.
    const started = startSandbox(settings as never).then((sandbox) => sandbox.close());
    await expect(started).rejects.toMatchObject({
      name: 'StopError',
      exit: EXIT.usage,
      message: expect.stringContaining(said),
    });
  });
});

describe('readWorkbook', () => {
  test.each([
    [{ bogus: 1 }, 'readWorkbook takes no option bogus.'],
    [{ limits: { entries: 'x' } }, 'limits.entries: expected a number or'],
  ])('refuses %j', async (options, said) => {
    const { file } = onePackage();
    await expect(readWorkbook(file, options as never)).rejects.toMatchObject({
      exit: EXIT.usage,
      message: expect.stringContaining(said),
    });
  });
});

describe('what a function takes first, as JavaScript may give it', () => {
  const none = undefined as never;
  test.each<[string, () => Promise<unknown>, string]>([
    ['no file', () => importWorkbook(none, NOWHERE), 'importWorkbook: expected the path of a file, as text.'],
    ['no plan', () => library.applyPlan({} as never, NOWHERE), 'applyPlan: expected a plan, or the name'],
    ['no run', () => library.undoRun(none, NOWHERE), 'undoRun: expected the name of a run, as text.'],
    [
      'a text for ids',
      () => library.refreshEventIds('9001' as never, NOWHERE),
      'expected a list of whole numbers.',
    ],
    [
      'a text for kinds',
      () => writeTemplate('recipes' as never, NOWHERE),
      'writeTemplate: expected a list of kinds',
    ],
  ])('is refused in words: %s', async (_, call, said) => {
    const wanted = { name: 'StopError', exit: EXIT.usage, message: expect.stringContaining(said) };
    await expect(call()).rejects.toMatchObject(wanted);
  });
});
