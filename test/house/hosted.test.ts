import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const text = (name: string): string => readFileSync(join(ROOT, name), 'utf8');

const manifest = JSON.parse(text('package.json')) as {
  readonly version: string;
  readonly engines: { readonly node: string };
  readonly scripts: Readonly<Record<string, string>>;
};
const lock = JSON.parse(text('package-lock.json')) as {
  readonly version: string;
  readonly packages: Readonly<Record<string, { os?: string[]; cpu?: string[]; optional?: boolean }>>;
};
const WORKFLOW = text('.github/workflows/ci.yml');

describe('the workflow', () => {
  it('runs on the oldest Node that the program takes, and on three systems', () => {
    const oldest = /\d+\.\d+/.exec(manifest.engines.node)?.[0];
    expect(WORKFLOW).toMatch(new RegExp(`node: \\['${oldest}', 22, 24, 26\\]`));
    expect(WORKFLOW).toMatch(/os: \[ubuntu-latest, macos-latest, windows-latest\]/);
  });
});

it.each(['.github/workflows/ci.yml', '.github/pull_request_template.md', 'CONTRIBUTING.md'])(
  'every script that %s names is there',
  (name) => {
    const named = [...text(name).matchAll(/\bnpm run ([\w-]+)/g)].map(([, script]) => script);
    expect(named.length).toBeGreaterThan(0);
    for (const script of named) expect(Object.keys(manifest.scripts)).toContain(script);
  },
);

describe('on every platform', () => {
  it.each(Object.entries(manifest.scripts))('the script %s needs no shell of Unix', (_, script) => {
    for (const command of script.split(' && '))
      expect(command).not.toMatch(/['`$;|<>*&]|^[A-Z_]+=|^(?:rm|cp|mv|cat|sh|bash|mkdir)\b/);
  });

  it.each([
    ...['darwin-arm64', 'darwin-x64', 'linux-arm64-gnu', 'linux-arm64-musl', 'linux-x64-gnu'],
    ...['linux-x64-musl', 'win32-x64-msvc'],
  ])('the lock file has the ledger’s database for %s', (platform) => {
    const [os = '', cpu = ''] = platform.split('-');
    expect(lock.packages[`node_modules/@libsql/${platform}`]).toMatchObject({
      ...{ os: [os], cpu: [cpu], optional: true },
    });
  });

  it('names of files differ in more than their capitals, and are ones that Windows takes', () => {
    const names = ['src', 'test', 'templates', 'fixtures', 'docs', 'scripts'].flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => !name.includes('node_modules'))
        .map((name) => join(folder, name)),
    );
    expect(names.length).toBeGreaterThan(500);
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
    const odd = /[<>:"|?*]|[. ](?:[\\/]|$)|(?:^|[\\/])(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|[\\/]|$)/i;
    expect(names.filter((name) => odd.test(name))).toEqual([]);
    // With the folder of someone's own in front a whole path stays below the 260 characters of old programs there.
    expect(names.filter((name) => name.length > 120)).toEqual([]);
  });
});

describe('the version', () => {
  it('is the same in package.json and the lock file, and has a heading in the changelog', () => {
    const headings = [...text('CHANGELOG.md').matchAll(/^## (\S+)/gm)].map(([, version]) => version);
    expect(lock.version).toBe(manifest.version);
    expect(headings).toContain(manifest.version);
  });
});
