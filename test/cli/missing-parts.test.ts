import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { CLI, hasProgram, tempFolder } from '../helpers/run-cli.ts';
import { hasLinks } from '../helpers/symlinks.ts';

const ROOT = dirname(dirname(CLI));

test.skipIf(!hasLinks || !hasProgram)(
  'a part of the program that is not there is named with what to do',
  () => {
    const folder = tempFolder();
    const [modules, home] = [join(folder, 'node_modules'), join(folder, 'home')];
    const dist = join(modules, 'catersheet/dist');
    mkdirSync(dist, { recursive: true });
    for (const name of readdirSync(join(ROOT, 'node_modules')))
      if (!/^\.|^(?:libsql|catersheet|@libsql)$/.test(name))
        symlinkSync(join(ROOT, 'node_modules', name), join(modules, name), 'junction');
    // Not by a link: what it loads, here its native part, is looked for beside where it really is.
    cpSync(join(ROOT, 'node_modules/libsql'), join(modules, 'libsql'), { recursive: true });
    const filter = (path: string) => path === dirname(CLI) || /\.c?js$|locales/.test(path);
    cpSync(dirname(CLI), dist, { recursive: true, filter });
    cpSync(join(ROOT, 'package.json'), join(dist, '../package.json'));
    const told = (part: string) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [join(dist, 'catersheet.js'), 'runs'], {
        encoding: 'utf8',
        env: { ...process.env, CATERSHEET_HOME: home },
      });
      expect([status, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(
        new RegExp(`^A part of the program can't be loaded: .*${part}.*\nInstall it again`),
      );
    };
    told('@libsql');
    rmSync(join(dist, 'catersheet-main.cjs'));
    told('catersheet-main.cjs');
  },
);
