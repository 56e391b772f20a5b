import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { endProgram, endWithTest } from '../../helpers/programs.ts';
import { CLI } from '../../helpers/run-cli.ts';
import type { TestService } from '../../helpers/test-service.ts';

/** The desk as its users start it: a program of its own, with files of its own. */
export type DeskProgram = Awaited<ReturnType<typeof startProgram>>;

/** Starts `catersheet desk` on a service; 0 takes any free port. */
export async function startProgram(
  service: TestService,
  { lang = 'en', port = 0, more = [] }: { lang?: string; port?: number; more?: readonly string[] } = {},
) {
  const env = {
    ...process.env,
    CATERSHEET_HOME: service.folder,
    CATERSHEET_BASE_URL: service.url,
    CATERSHEET_TOKEN: service.token,
  };
  const words = [CLI, 'desk', '--no-open', '--port', String(port), '--lang', lang, ...more];
  const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  endWithTest(child);
  child.once('exit', (code) => child.stdout.destroy(new Error(`the desk ended with ${code}`)));
  const address = await addressIn(child.stdout);
  const url = new URL(address);
  return {
    child,
    /** What the terminal shows: the address with the key. */
    ...{ address, origin: url.origin, port: Number(url.port) },
    /** Ends it at once, as a power failure does. */
    kill: () => endProgram(child),
  };
}

async function addressIn(told: Readable): Promise<string> {
  return await new Promise<string>((resolve, reject) => {
    let said = '';
    told.on('data', (part: Buffer) => {
      said += part;
      const found = /http:\S+/.exec(said)?.[0];
      if (found !== undefined) resolve(found);
    });
    told.once('error', reject);
  });
}
