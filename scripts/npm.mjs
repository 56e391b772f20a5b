import { spawnSync } from 'node:child_process';

/**
 * Runs npm and gives what it printed, as text; with `stdio: 'inherit'` it prints by itself. Throws where npm
 * fails. By its own file where a script of npm calls us, as `npm.cmd` on Windows starts from a shell alone, which
 * takes words apart.
 */
export function npm(words, options = {}) {
  const own = process.env.npm_execpath;
  const [program, first] = own === undefined ? ['npm', []] : [process.execPath, [own]];
  const done = spawnSync(program, [...first, ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    shell: own === undefined && process.platform === 'win32',
    ...options,
  });
  if (done.status !== 0) throw new Error(`npm ${words.join(' ')} ended with ${done.status ?? done.signal}`);
  return done.stdout ?? '';
}
