import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
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
import { stockMutations } from '../../src/resources/stock.ts';
import { runCli, tempFolder } from '../helpers/run-cli.ts';

/** A service that is never asked anything. */
const NOWHERE = { baseUrl: 'http://127.0.0.1:9', token: 't', lang: 'en' } as const;

/** A CSV of one package in a folder of its own, where the program keeps its files too. */
function onePackage() {
  const folder = tempFolder();
  const file = join(folder, 'pakketten.csv');
  writeFileSync(file, 'ExternalID;OmschrijvingIntern;Verkoopprijs\n31003;Lunch;12,50\n');
  return { folder, file, options: { ledger: join(folder, 'ledger.db'), log: join(folder, 'log') } };
}

test('the library refuses what the command refuses, in the same words: a value for a field that no sheet has', async () => {
  const { folder, file, options } = onePackage();
  const said = 'No sheet has a column Nope (--set Nope).';
  for (const call of [importWorkbook, planImport])
    await expect(call(file, { ...NOWHERE, ...options, set: { Nope: '1' } })).rejects.toMatchObject({
      ...{ exit: EXIT.usage, message: said },
    });
  const env = { CATERSHEET_HOME: folder, CATERSHEET_TOKEN: 't' };
  const words = ['--set', 'Nope=1', '--base-url', NOWHERE.baseUrl, '--lang', 'en'];
  const { code, stderr } = await runCli(['import', file, ...words], { env });
  expect([code, stderr.split('\n')[0]]).toEqual([EXIT.usage, said]);
});

const none = undefined as never;
test.each<[string, () => Promise<unknown>, string]>([
  ['an export of a kind that is none', () => exportRecords('pakages', NOWHERE), 'There is no sheet pakages.'],
  ['an export of nothing', () => exportRecords(none, NOWHERE), 'There is no sheet undefined.'],
  [
    'an export of mutations',
    () => exportRecords(stockMutations as never, NOWHERE),
    `There is no sheet ${stockMutations.name}.`,
  ],
  [
    'an import as no kind',
    () => importWorkbook('a.csv', { ...NOWHERE, as: {} as never }),
    'as: give one of packages,',
  ],
  ['a map', () => importWorkbook('a.csv', { ...NOWHERE, map: 3 as never }), 'map: give a text such as'],
  [
    'no file',
    () => importWorkbook(none, NOWHERE),
    'What importWorkbook was given is not as it should be: file must be a text, not nothing.',
  ],
  ['no plan', () => library.applyPlan({} as never, NOWHERE), 'plan.run must be a text, not nothing'],
  ['no run', () => library.undoRun(none, NOWHERE), 'run must be a text, not nothing'],
  [
    'a text for ids',
    () => library.refreshEventIds('9001' as never, NOWHERE),
    'ids must be a list, not a text',
  ],
  ['a text for kinds', () => writeTemplate('recipes' as never, NOWHERE), 'kinds must be a list, not a text'],
  [
    'an option of a sandbox that is none',
    // One that starts is closed, or the test would not end.
    () => startSandbox({ bogus: 1 } as never).then((sandbox) => sandbox.close()),
    'startSandbox takes no option bogus.',
  ],
  [
    'a fault that happens too often',
    () => startSandbox({ faults: { reset: 2 } }).then((sandbox) => sandbox.close()),
    'faults.reset must be at most 1',
  ],
  [
    'a limit that is no number',
    () => readWorkbook(onePackage().file, { limits: { entries: 'x' } } as never),
    'limits.entries must be a number or',
  ],
])('what JavaScript may give is refused in words: %s', async (_, call, said) => {
  const wanted = { name: 'StopError', exit: EXIT.usage, message: expect.stringContaining(said) };
  await expect(call()).rejects.toMatchObject(wanted);
});
