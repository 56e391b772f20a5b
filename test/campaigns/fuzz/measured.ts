import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CLI } from '../../helpers/run-cli.ts';

/** Makes a process say what it took when it ends: the system's own figure of memory begins with that of its parent. */
const TELLS = `import { readFileSync, writeFileSync } from 'node:fs';
process.on('exit', () => {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  const [, kilobytes] = /VmHWM:\\s*(\\d+)/.exec(readFileSync('/proc/self/status', 'latin1'));
  writeFileSync(process.env.USAGE, JSON.stringify([(userCPUTime + systemCPUTime) / 1e6, kilobytes / 1024]));
});`;

/** Runs the program, and ends it after so many seconds; then its code is null. */
export async function measured(
  args: readonly string[],
  { cwd, seconds, env }: { cwd: string; seconds: number; env: Readonly<Record<string, string>> },
) {
  const usage = join(cwd, 'usage');
  rmSync(usage, { force: true });
  const tells = `data:text/javascript,${encodeURIComponent(TELLS)}`;
  const child = spawn(process.execPath, ['--import', tells, CLI, ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH ?? '', LANG: 'en_US.UTF-8', USAGE: usage, ...env },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  const timer = setTimeout(() => child.kill('SIGKILL'), seconds * 1000);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(timer);
  const [work, megabytes] = code === null ? [seconds, 0] : JSON.parse(readFileSync(usage, 'utf8'));
  return { code, said, work: work as number, megabytes: megabytes as number };
}
