import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

/** Ends a program; once this answers, it writes nothing more. */
export async function endProgram(program: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  if (program.pid === undefined || program.exitCode !== null || program.signalCode !== null) return;
  const ended = once(program, 'exit');
  program.kill(signal);
  await ended;
}

/** Ends a program when its test does, before the test's folder is removed: begin it after the folder. */
export function endWithTest<P extends ChildProcess>(program: P): P {
  onTestFinished(() => endProgram(program));
  return program;
}

/** Ends a program that was begun detached, and all that it began itself. */
export async function endGroup(program: ChildProcess): Promise<void> {
  // Two seconds at most: what has ended and nobody waits for counts as there on some machines.
  for (let looks = 0; looks < 400 && isThere(program); looks++)
    await new Promise((resolve) => setTimeout(resolve, 5));
}

function isThere({ pid }: ChildProcess): boolean {
  if (pid === undefined) return false;
  try {
    return process.kill(-pid, 'SIGKILL');
  } catch {
    return false;
  }
}
