import { spawn } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { endProgram, endWithTest } from '../helpers/programs.ts';
import { CLI, hasProgram, tempFolder } from '../helpers/run-cli.ts';

/** Starts the desk with a browser of ours, and waits for what it is given. */
async function startWithBrowser() {
  const home = tempFolder();
  const told = join(home, 'told');
  const browser = join(home, 'browser.sh');
  writeFileSync(browser, `#!/bin/sh\nprintf %s "$1" > ${told}.part\nmv ${told}.part ${told}\n`);
  chmodSync(browser, 0o755);
  const env = {
    ...process.env,
    HOME: home,
    CATERSHEET_HOME: home,
    BROWSER: browser,
    XDG_CURRENT_DESKTOP: '',
  };
  const child = spawn(process.execPath, [CLI, 'desk', '--port', '0', '--lang', 'en'], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  endWithTest(child);
  let said = '';
  child.stdout.on('data', (part: Buffer) => {
    said += part;
  });
  while (!existsSync(told)) await new Promise((resolve) => setTimeout(resolve, 50));
  return { address: said.split('\n')[0] ?? '', given: readFileSync(told, 'utf8'), child };
}

test.skipIf(process.platform !== 'linux' || !hasProgram)(
  'the browser gets the key by way of a file that only the user can read, and no command line holds it',
  async () => {
    const { address, given, child } = await startWithBrowser();
    const key = address.split('#key=')[1] ?? '';
    expect(key.length).toBeGreaterThan(40);
    expect(given).toMatch(/^file:/);
    expect(given).not.toContain(key);
    const file = fileURLToPath(given);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toContain(address);
    expect(readFileSync(`/proc/${child.pid}/cmdline`, 'utf8')).not.toContain(key);
    expect(readFileSync(`/proc/${child.pid}/environ`, 'utf8')).not.toContain(key);
    await endProgram(child, 'SIGTERM');
    expect(existsSync(file)).toBe(false);
  },
);
