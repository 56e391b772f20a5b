import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as library from '../../src/index.ts';
import { resources } from '../../src/resources/registry.ts';
import { shownCommands } from './command-lines.ts';
import { paper, papers } from './papers.ts';

const readme = paper('README.md').text;
const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  scripts: Record<string, string>;
  files: readonly string[];
};

describe('the README', () => {
  it('is a way in: it has at most 150 lines', () => {
    expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(150);
  });

  it('lists every command that --help lists, with a page that tells more', async () => {
    const commands = await shownCommands();
    expect(commands.size).toBeGreaterThanOrEqual(3);
    for (const command of commands.keys())
      expect(readme).toMatch(new RegExp(`^\\| \`catersheet ${command}\` \\|.*\\]\\(docs/[a-z]+\\.md`, 'm'));
  });

  it('says of each sheet that can be imported what it is called', () => {
    for (const { sheet, name } of resources) expect(readme).toContain(`| ${sheet} | \`${name}\` |`);
  });

  it('shows between its markers flags that import takes', async () => {
    const [, table = ''] = /<!-- table: short flags -->\n([\s\S]*?)<!-- \/table -->/.exec(readme) ?? [];
    const shown = [...table.matchAll(/^\| `(--[a-z-]+)/gm)].map(([, flag]) => flag);
    expect(shown.length).toBeGreaterThanOrEqual(10);
    const taken = [...((await shownCommands()).get('import')?.flags.keys() ?? [])];
    expect(taken).toEqual(expect.arrayContaining(shown));
  });

  it('names only npm scripts that exist, as all pages do', () => {
    for (const { text } of papers)
      for (const [, script = ''] of text.matchAll(/npm run ([\w:-]+)/g))
        expect(Object.keys(manifest.scripts)).toContain(script);
  });

  it('goes along in the package with the pages it links', () => {
    expect(manifest.files).toContain('docs');
  });
});

it('docs/library.md names everything that the package exports', () => {
  const { text } = paper('docs/library.md');
  for (const name of Object.keys(library)) expect(text).toMatch(new RegExp(`\\| .*\`${name}\\b|\`${name}\``));
});
