import { execFile, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const CLI = fileURLToPath(new URL('../../dist/catersheet.js', import.meta.url));

/**
 * Runs a program on a pseudo-terminal, presses keys when a text has appeared, and prints what was shown and
 * the exit code.
 */
const DRIVER = `
import json, os, pty, sys
presses, *command = sys.argv[1:]
presses, seen = json.loads(presses), 0
child, terminal = pty.fork()
if child == 0:
    os.execvp(command[0], command)
shown = b''
while True:
    try:
        part = os.read(terminal, 65536)
    except OSError:
        break
    if not part:
        break
    shown += part
    if presses and presses[0]['wanted'].encode() in shown[seen:]:
        seen = len(shown)
        os.write(terminal, presses.pop(0)['keys'].encode())
_, status = os.waitpid(child, 0)
code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else -os.WTERMSIG(status)
print(json.dumps({'code': code, 'shown': shown.decode('utf-8', 'replace')}))
`;

/** Pseudo-terminals come from Python, where the machine has it. */
export const hasTerminals = spawnSync('python3', ['-c', 'import pty']).status === 0;

export interface TerminalResult {
  readonly code: number;
  /** All that stood on the terminal, both streams. */
  readonly shown: string;
}

/** Keys that are pressed once a text is shown. */
interface Press {
  readonly wanted: string;
  readonly keys: string;
}

/**
 * Runs the built program on a terminal and presses keys, one after the other, each once its text is shown. A service
 * in this process answers meanwhile.
 */
export async function runOnTerminal(
  args: readonly string[],
  press: Press | readonly Press[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<TerminalResult> {
  const command = ['-c', DRIVER, JSON.stringify([press].flat()), process.execPath, CLI, ...args];
  const env = { PATH: process.env.PATH ?? '', LANG: 'en_US.UTF-8', TERM: 'xterm', ...options.env };
  const { stdout } = await promisify(execFile)('python3', command, {
    cwd: options.cwd,
    env,
    timeout: 240_000,
  });
  return JSON.parse(stdout) as TerminalResult;
}
