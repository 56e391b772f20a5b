import { existsSync, readFileSync } from 'node:fs';
import { posix, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as library from '../../src/index.ts';
import { COMMAND_LIST } from '../../src/options/commands.ts';
import { kebab } from '../../src/options/option.ts';
import { OPTION_LIST } from '../../src/options/options.ts';
import { resources } from '../../src/resources/registry.ts';
import { commandLines, wrongWith } from './command-lines.ts';
import { anchors, links, outsideFences, paper, papers, ROOT } from './papers.ts';

const own = papers.filter(({ made }) => !made);
const pathOf = (page: string, link: string): string =>
  posix.normalize(posix.join(posix.dirname(page), link.replace(/#.*/, '')));
const names: readonly string[] = COMMAND_LIST.map(([name]) => name);
const flags = OPTION_LIST.filter(({ commands }) => commands.length > 0).map(({ flag }) => `--${kebab(flag)}`);

describe('the pages of the documentation', () => {
  test('are each linked from the index in docs/README.md, or their folder is', () => {
    const linked = links(paper('docs/README.md')).map((link) => pathOf('docs/README.md', link));
    const lost = papers.filter(({ path }) => {
      const [, folder] = /^docs\/([^/]+)\//.exec(path) ?? [];
      return (
        !/^(docs\/)?README/.test(path) &&
        !linked.some((link) => link === path || link.startsWith(`docs/${folder}`))
      );
    });
    expect(lost.map(({ path }) => path)).toEqual([]);
  });

  test('have links that lead somewhere', () => {
    for (const page of papers)
      for (const link of links(page).filter((one) => !/^[a-z]+:/i.test(one))) {
        const target = link.startsWith('#') ? page.path : pathOf(page.path, link);
        expect(existsSync(resolve(ROOT, target)), `${page.path} links ${link}`).toBe(true);
        const [, anchor] = link.split('#');
        if (anchor !== undefined)
          expect(anchors(paper(target)), `${page.path} links ${link}`).toContain(anchor);
      }
  });

  test('show only command lines that the program understands', async () => {
    for (const page of own)
      for (const line of commandLines(page))
        expect(await wrongWith(line), `${page.path}: ${line}`).toBeNull();
    expect(await wrongWith('catersheet import a.xlsx --dryrun')).not.toBeNull();
  });

  test('name only commands that there are, and every command and flag', () => {
    for (const page of own)
      for (const [, command = ''] of outsideFences(page).matchAll(/`catersheet ([a-z]+)/g))
        expect(names, page.path).toContain(command);
    const manual = readFileSync(resolve(ROOT, 'man/catersheet.1'), 'utf8').replaceAll('\\-', '-');
    for (const text of [paper('docs/commands.md').text, manual])
      expect(flags.filter((flag) => !new RegExp(`--(no-)?${flag.slice(2)}\\b`).test(text))).toEqual([]);
    for (const name of names)
      expect(paper('README.md').text).toMatch(
        new RegExp(`^\\| \`catersheet ${name}\` \\|.*\\]\\(docs/`, 'm'),
      );
    for (const { sheet, name } of resources)
      expect(paper('README.md').text).toContain(`| ${sheet} | \`${name}\` |`);
  });

  test('name only npm scripts that there are, and everything that the package exports', () => {
    const { scripts } = JSON.parse(readFileSync(resolve(ROOT, 'package.json'), 'utf8')) as {
      scripts: object;
    };
    for (const { text } of papers)
      for (const [, script = ''] of text.matchAll(/npm run ([\w:-]+)/g))
        expect(Object.keys(scripts)).toContain(script);
    for (const name of Object.keys(library)) expect(paper('docs/library.md').text).toContain(`\`${name}`);
  });
});
