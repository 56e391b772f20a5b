import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { EXIT } from '../../src/core/errors.ts';
import { CLI, tempFolder } from '../helpers/run-cli.ts';
import { hasLinks } from '../helpers/symlinks.ts';

const ROOT = dirname(dirname(CLI));
const WORKBOOK = join(ROOT, 'fixtures/samples/catalogus-voorjaar.xlsx');

/** The program as it is installed, without its libraries' native parts where `native` is false. */
function installed(native: boolean) {
  const folder = tempFolder();
  const modules = join(folder, 'node_modules');
  const program = join(modules, 'catersheet');
  mkdirSync(program, { recursive: true });
  const all = readdirSync(join(ROOT, 'node_modules')).filter(
    (name) => !/^\.|^(?:libsql|catersheet)$/.test(name),
  );
  for (const name of all)
    if (native || name !== '@libsql')
      symlinkSync(join(ROOT, 'node_modules', name), join(modules, name), 'junction');
  // Not by a link: what it loads is looked for beside where it really is.
  cpSync(join(ROOT, 'node_modules/libsql'), join(modules, 'libsql'), { recursive: true });
  cpSync(dirname(CLI), join(program, 'dist'), {
    recursive: true,
    filter: (path) => path === dirname(CLI) || /\.c?js$|locales/.test(path),
  });
  cpSync(join(ROOT, 'package.json'), join(program, 'package.json'));
  return {
    dist: join(program, 'dist'),
    run: (...words: string[]) =>
      spawnSync(process.execPath, [join(program, 'dist/catersheet.js'), ...words], {
        encoding: 'utf8',
        timeout: 20_000,
        env: { ...process.env, CATERSHEET_HOME: join(folder, 'home') },
      }),
  };
}

test.skipIf(!hasLinks)(
  'without its native part the program says at once what to do, whatever is asked',
  () => {
    const { run } = installed(false);
    for (const words of [['runs'], ['import', WORKBOOK, '--dry-run'], ['sandbox', '--json']]) {
      const { status, stdout, stderr } = run(...words);
      expect(stderr).toMatch(
        /^A part of the program can't be loaded: .*'@libsql\/[\w-]+'\.\nInstall it again/,
      );
      expect([status, stdout, stderr.split('\n').length]).toEqual([EXIT.usage, '', 3]);
    }
    expect(run('--version').status).toBe(EXIT.ok);
  },
);

test.skipIf(!hasLinks)('without one of its files, or with one that was cut off, the program names it', () => {
  const { dist, run } = installed(true);
  const imported = ['import', WORKBOOK, '--dry-run'];
  const parts: [string, ...string[]][] = [
    ['sandbox-worker.js', ...imported],
    ['catersheet-import.cjs', ...imported],
    ['catersheet-postgres.cjs', 'runs', '--ledger', 'postgres://keuken@127.0.0.1:1/keuken'],
    ['catersheet-ledger.cjs', 'runs'],
    ['catersheet-main.cjs', 'runs'],
  ];
  const told = ([part, ...words]: readonly string[]) => {
    const { status, stderr } = run(...words);
    expect(stderr).toMatch(
      new RegExp(`^(?:.* sandbox.*\n)?A part of the program can't be loaded: .*${part}`),
    );
    expect([part, status]).toEqual([part, EXIT.usage]);
  };
  for (const part of parts) {
    rmSync(join(dist, part[0]));
    told(part);
  }
  writeFileSync(join(dist, 'catersheet-main.cjs'), 'const half = {');
  told(['catersheet-main.cjs', 'runs']);
});
