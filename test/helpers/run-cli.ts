import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { removeFolder } from './remove-folder.ts';

/** The built program. */
export const CLI = fileURLToPath(new URL('../../dist/catersheet.js', import.meta.url));

/** Whether it is there: `npm test` needs no build, and leaves out by name what only the real program shows. */
export const hasProgram = existsSync(CLI);

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** In a process of its own, with the built program. */
  readonly own?: boolean;
  /** Called with the running process, to send it a signal. */
  readonly onStart?: (kill: (signal: NodeJS.Signals) => void) => void;
  /** Called with what a process of its own tells meanwhile. */
  readonly onTold?: (text: string) => void;
}

/** A folder of this test's own, gone when it ends. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'catersheet-test-'));
  onTestFinished(() => removeFolder(folder));
  return folder;
}

/** Whether a command runs in this process. */
let isBusy = false;

/**
 * Runs the program as its users do: no terminal, nothing of this machine's settings. In this process where
 * nothing needs one of its own: no signal, and no other command at the same time.
 */
export async function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const { PATH = '', CATERSHEET_HOME = '', NODE_COMPILE_CACHE = '' } = process.env;
  const env = { PATH, CATERSHEET_HOME, NODE_COMPILE_CACHE, LANG: 'en_US.UTF-8', ...options.env };
  if (isBusy || options.onStart !== undefined || options.own === true)
    return await runApart(args, env, options);
  isBusy = true;
  try {
    const { runHere } = await import('./run-here.ts');
    return await runHere(args, env, options);
  } finally {
    isBusy = false;
  }
}

/** Runs the built program in a process of its own. */
function runApart(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  options: CliOptions,
): Promise<CliResult> {
  const child = spawn(process.execPath, [CLI, ...args], {
    // Within the clone commands to copy begin with npx.
    cwd: options.cwd ?? tmpdir(),
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  options.onStart?.((signal) => child.kill(signal));
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => {
    err.push(chunk);
    options.onTold?.(chunk.toString('utf8'));
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({
        code,
        stdout: Buffer.concat(out).toString('utf8'),
        stderr: Buffer.concat(err).toString('utf8'),
      });
    });
  });
}
