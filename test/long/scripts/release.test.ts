import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../helpers/run-cli.ts';

const SCRIPT = fileURLToPath(new URL('../../../scripts/release.mjs', import.meta.url));
const CHANGELOG =
  '# Changelog\n\n## 0.2.0 (unreleased)\n\n### Added\n\n- Soup.\n\n## 0.1.0 (2026-01-02)\n\n- Bread.\n';

/** A package that is to be released, in git, with checks that only write down that they ran. */
const FILES: Readonly<Record<string, string>> = {
  'CHANGELOG.md': CHANGELOG,
  LICENSE: 'MIT',
  '.gitignore': 'release/\nran.txt\n',
  'ran.mjs': "import { appendFileSync } from 'node:fs';\nappendFileSync('ran.txt', process.argv[2] + ' ');\n",
  'src/soup.ts': 'export {};\n',
  'dist/catersheet.js': '\n',
  'dist/catersheet.licences.txt': '\n',
  'dist/index.d.ts': '\n',
};

const manifest = {
  ...{ name: 'proef', version: '0.1.0', license: 'MIT' },
  files: ['dist', 'CHANGELOG.md'],
  scripts: Object.fromEntries(['test', 'check', 'packed'].map((name) => [name, `node ran.mjs ${name}`])),
};

interface Project {
  readonly folder: string;
  put(name: string, text: string): void;
  text(name: string): string;
  git(...words: string[]): string;
  release(...flags: string[]): { readonly status: number | null; readonly said: string };
}

function openProject(files: Readonly<Record<string, string>> = {}): Project {
  const folder = join(tempFolder(), 'kloon');
  const env = { ...process.env, GIT_CONFIG_GLOBAL: join(folder, '..', 'none'), GIT_CONFIG_NOSYSTEM: '1' };
  // Of its own package only, whatever npm runs this test.
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => !/^npm_package_/.test(name)));
  const put = (name: string, text: string): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  const git = (...words: string[]): string =>
    execFileSync('git', words, { cwd: folder, env: own, encoding: 'utf8' }).trim();
  const packages = { '': { name: manifest.name, version: manifest.version, license: 'MIT' } };
  put('package.json', `${JSON.stringify(manifest, null, 2)}\n`);
  put(
    'package-lock.json',
    `${JSON.stringify({ ...packages[''], lockfileVersion: 3, requires: true, packages }, null, 2)}\n`,
  );
  for (const [name, text] of Object.entries({ ...FILES, ...files })) put(name, text);
  git('init', '--quiet', '--initial-branch=main');
  for (const [name, value] of [
    ['user.name', 'Proef'],
    ['user.email', 'proef@example.org'],
    ['core.autocrlf', 'false'],
  ] as const)
    git('config', name, value);
  git('add', '.');
  git('commit', '--quiet', '--message', 'Cook');
  return {
    folder,
    put,
    git,
    text: (name) => readFileSync(join(folder, name), 'utf8'),
    release(...flags) {
      const done = spawnSync(process.execPath, [SCRIPT, ...flags], {
        cwd: folder,
        env: own,
        encoding: 'utf8',
      });
      return { status: done.status, said: `${done.stdout}${done.stderr}` };
    },
  };
}

describe('a release', () => {
  it('is refused where a check fails, and leaves all as it was', () => {
    const project = openProject({ 'ran.mjs': 'process.exitCode = 3;\n' });
    const { status, said } = project.release();
    expect({ status, said }).toEqual({
      status: 1,
      said: expect.stringContaining('npm cit --no-audit --no-fund ended with 3'),
    });
    expect(project.git('status', '--porcelain')).toBe('');
    expect(project.git('tag')).toBe('');
  });

  it('can be tried: the checks run, what it would be is told, and nothing is changed', () => {
    const project = openProject();
    const { status, said } = project.release('--dry-run');
    expect({ status, said }).toMatchObject({ status: 0 });
    expect(said).toMatch(/would be 0\.2\.0 of \d{4}-\d\d-\d\d,.*\n\n### Added\n\n- Soup\.\n/);
    expect(said).not.toContain('Bread');
    expect(project.text('ran.txt')).toBe('test check packed ');
    expect(project.git('status', '--porcelain')).toBe('');
    expect(project.git('tag')).toBe('');
    expect(existsSync(join(project.folder, 'release'))).toBe(false);
  });

  it('is packed, told of, committed and tagged; it goes nowhere by itself, and is made once', () => {
    const project = openProject();
    project.git('init', '--quiet', '--bare', '../origin.git');
    project.git('remote', 'add', 'origin', '../origin.git');
    const { status, said } = project.release();
    expect({ status, said }).toMatchObject({ status: 0 });
    expect(said).toContain('To push it: git push --atomic origin main v0.2.0');
    expect(said).toContain('To publish it: npm publish ./release/proef-0.2.0.tgz');
    expect(project.git('ls-remote', 'origin')).toBe('');
    const names = ['SHA256SUMS', 'proef-0.2.0.cdx.json', 'proef-0.2.0.tgz'];
    expect(readdirSync(join(project.folder, 'release')).sort()).toEqual(names);
    const sum = createHash('sha256').update(readFileSync(join(project.folder, 'release', 'proef-0.2.0.tgz')));
    expect(project.text('release/SHA256SUMS')).toContain(`${sum.digest('hex')}  proef-0.2.0.tgz`);
    const bill = JSON.parse(project.text('release/proef-0.2.0.cdx.json')) as Record<string, unknown>;
    expect(bill).toMatchObject({
      bomFormat: 'CycloneDX',
      metadata: { component: { name: 'proef', version: '0.2.0' } },
    });
    expect(JSON.parse(project.text('package.json'))).toMatchObject({ version: '0.2.0' });
    expect(JSON.parse(project.text('package-lock.json'))).toMatchObject({ version: '0.2.0' });
    expect(project.text('CHANGELOG.md')).toMatch(/^## 0\.2\.0 \(\d{4}-\d\d-\d\d\)$/m);
    expect(project.git('log', '-1', '--format=%s')).toBe('Release 0.2.0');
    expect(project.git('tag', '--list', '--format=%(contents)', 'v0.2.0')).toContain('### Added\n\n- Soup.');
    expect(project.git('status', '--porcelain')).toBe('');
    expect(project.release()).toEqual({
      status: 1,
      said: expect.stringContaining('v0.2.0 is there already'),
    });
  });
});
