import { spawn } from 'node:child_process';
import { endWithTest } from '../helpers/programs.ts';
import { CLI } from '../helpers/run-cli.ts';
import type { TestService } from '../helpers/test-service.ts';
import { askingOf, openSessionAt } from './open-desk.ts';

/** A desk as a program of its own, with an open session. */
export async function startProgram(service: TestService, { concurrency = 2 } = {}) {
  const env = {
    ...process.env,
    CATERSHEET_HOME: service.folder,
    CATERSHEET_BASE_URL: service.url,
    CATERSHEET_TOKEN: service.token,
  };
  const pace = ['--concurrency', String(concurrency), '--doubt', '2'];
  const words = [CLI, 'desk', '--no-open', '--port', '0', ...pace, '--lang', 'en'];
  const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  endWithTest(child);
  const address = await new Promise<string>((resolve, reject) => {
    let said = '';
    child.stdout.on('data', (part: Buffer) => {
      said += part;
      const found = /http:\S+/.exec(said)?.[0];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`the desk ended with ${code}`)));
  });
  const { origin, session } = await openSessionAt(address);
  return { child, ...askingOf(origin, session) };
}
