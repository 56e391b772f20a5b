import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { removeFolder } from './remove-folder.ts';

/** The built program. */
export const CLI = fileURLToPath(new URL('../../dist/catersheet.js', import.meta.url));

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Called with the running process, to send it a signal. */
  readonly onStart?: (kill: (signal: NodeJS.Signals) => void) => void;
}

/** A folder of this test's own, gone when it ends. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'catersheet-test-'));
  onTestFinished(() => removeFolder(folder));
  return folder;
}

/**
 * Runs the built program as its users do: a process of its own, no terminal, nothing of this machine's
 * settings.
 */
export function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const env = { PATH: process.env.PATH ?? '', LANG: 'en_US.UTF-8', ...options.env };
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd: options.cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  options.onStart?.((signal) => child.kill(signal));
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
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
