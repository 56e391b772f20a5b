import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { makeShortcut } from '../../src/desk/server/opening.ts';
import { tempFolder } from '../helpers/run-cli.ts';

/** A user with a desktop, and a program that tells with which words it was started. */
function openHome() {
  const home = join(tempFolder(), "Jan's 100% map");
  for (const name of ['Desktop', 'app']) mkdirSync(join(home, name), { recursive: true });
  const program = join(home, 'app', 'program.js');
  writeFileSync(program, 'console.log(JSON.stringify(process.argv.slice(1)))');
  return { home, program };
}

test.skipIf(process.platform === 'win32')(
  'a starter on a desktop starts the page, whatever its folder is called',
  () => {
    const { home, program } = openHome();
    const file = makeShortcut({ platform: 'darwin', home, program });
    expect(file).toBe(join(home, 'Desktop', 'catersheet.command'));
    expect(JSON.parse(execFileSync(file, { encoding: 'utf8' }))).toEqual([program, 'desk']);
    // Once more it takes the place of the one from before.
    expect(makeShortcut({ platform: 'darwin', home, program })).toBe(file);
  },
);

test.each([
  ['win32', 'catersheet.cmd', '@"C:\\a b\\node.exe" "C:\\100%% x\\c.js" "desk"\r\n'],
  [
    'linux',
    'catersheet.desktop',
    'Exec="C:\\\\\\\\a b\\\\\\\\node.exe" "C:\\\\\\\\100%% x\\\\\\\\c.js" "desk"\n',
  ],
])('that of %s is %s', (platform, name, line) => {
  const { home } = openHome();
  const file = makeShortcut({ platform, home, node: 'C:\\a b\\node.exe', program: 'C:\\100% x\\c.js' });
  expect([basename(file), readFileSync(file, 'utf8')]).toEqual([name, expect.stringContaining(line)]);
});

test('where there is no desktop it says how the page is started', () => {
  expect(() => makeShortcut({ home: tempFolder() })).toThrow('No desktop was found');
});
