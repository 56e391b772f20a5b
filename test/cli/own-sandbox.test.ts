import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { endWithTest } from '../helpers/programs.ts';
import { CLI, runCli, tempFolder } from '../helpers/run-cli.ts';

test('a sandbox that was started on its own has the dropdown lists that the embedded one has', async () => {
  const home = tempFolder();
  const child = spawn(process.execPath, [CLI, 'sandbox', '--json', '--data', ':memory:'], {
    env: { ...process.env, CATERSHEET_TOKEN: '', CATERSHEET_HOME: home },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  endWithTest(child);
  onTestFinished(() => void child.kill());
  const [told] = (await once(child.stdout, 'data')) as [Buffer];
  const { baseUrl, token } = JSON.parse(told.toString()) as { baseUrl: string; token: string };
  const env = { CATERSHEET_TOKEN: token, CATERSHEET_HOME: join(home, 'other') };
  const { code, stdout } = await runCli(['check', '--base-url', baseUrl], { env });
  expect(code).toBe(0);
  expect(stdout).toMatch(/ok +lookup btwmodus +\d+ names/);
  expect(stdout).not.toContain('is not known');
});
