import { mkdirSync, writeFileSync } from 'node:fs';
import { afterEach, expect, it, vi } from 'vitest';
import { importWorkbook } from '../../src/index.ts';
import { packages } from '../../src/resources/packages.ts';
import { runCli, tempFolder } from '../helpers/run-cli.ts';

afterEach(() => void vi.unstubAllEnvs());

/** Lets whoever runs the tests have settings that no command can work with. */
function brokenSettings(): string {
  const config = tempFolder();
  mkdirSync(`${config}/catersheet`);
  writeFileSync(`${config}/catersheet/catersheet.config.json`, 'not JSON');
  vi.stubEnv('XDG_CONFIG_HOME', config);
  return config;
}

it('an import of a test reads no settings of whoever runs it', async () => {
  brokenSettings();
  const folder = tempFolder();
  writeFileSync(`${folder}/a.csv`, 'ProductID;Verkoopprijs\r\nx;1');
  const files = { ledger: `${folder}/ledger.db`, log: `${folder}/run.log` };
  const options = { ...files, as: packages, baseUrl: 'http://127.0.0.1:9', token: 'x', dryRun: true };
  expect((await importWorkbook(`${folder}/a.csv`, options)).counts).toMatchObject({ invalid: 1 });
});

it.each([false, true])('nor does a command of a test, with a process of its own: %s', async (own) => {
  const env = { XDG_CONFIG_HOME: brokenSettings() };
  const { code, stderr } = await runCli(['runs', '--ledger', `${tempFolder()}/ledger.db`], { own, env });
  expect([code, stderr]).toEqual([0, 'There are no runs yet.\n']);
});
