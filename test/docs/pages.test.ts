import { existsSync } from 'node:fs';
import { dirname, join, posix, relative, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { commandLines, type Shown, shownCommands, wrongWith } from './command-lines.ts';
import { anchors, links, outsideFences, paper, papers, ROOT, sentences } from './papers.ts';

/** No sentence has more words. */
const LONGEST = 30;

const isWeb = (link: string): boolean => /^[a-z]+:/i.test(link);
const pathOf = (page: string, link: string): string =>
  posix.normalize(posix.join(posix.dirname(page), link.replace(/#.*/, '')));

let commands: ReadonlyMap<string, Shown>;

beforeAll(async () => {
  commands = await shownCommands();
});

describe('the pages of the documentation', () => {
  it('are each linked from the index in docs/README.md, and so is every folder of them', () => {
    const linked = links(paper('docs/README.md')).map((link) => pathOf('docs/README.md', link));
    for (const { path } of papers) {
      const [, folder] = /^docs\/([^/]+)\//.exec(path) ?? [];
      const told = linked.some((link) => link === path || link.startsWith(`docs/${folder}`));
      if (path.startsWith('docs/') && path !== 'docs/README.md')
        expect(told, `docs/README.md links ${path}`).toBe(true);
    }
  });

  it.each(papers.map((page) => [page.path, page] as const))(
    'have links that lead somewhere: %s',
    (path, page) => {
      for (const link of links(page).filter((one) => !isWeb(one))) {
        const target = link.startsWith('#') ? path : pathOf(path, link);
        expect(existsSync(resolve(ROOT, target)), `${path} links ${link}`).toBe(true);
        const [, anchor] = link.split('#');
        if (anchor !== undefined) expect(anchors(paper(target)), `${path} links ${link}`).toContain(anchor);
      }
    },
  );

  it('show pictures that stand in docs/ and docs/tour/, and nowhere else', () => {
    for (const { path, text } of papers)
      for (const [, picture = ''] of text.matchAll(/!\[[^\]]*\]\(([^)]*)\)/g))
        expect(['docs', join('docs', 'tour')]).toContain(
          relative(ROOT, dirname(resolve(ROOT, dirname(path), picture))),
        );
  });

  it.each(papers.filter(({ made }) => !made).map((page) => [page.path, page] as const))(
    'show only command lines that the program understands: %s',
    (path, page) => {
      for (const line of commandLines(page)) expect(wrongWith(line, commands), `${path}: ${line}`).toBeNull();
    },
  );

  it('name only commands and flags that there are', () => {
    const flags = new Set([...commands.values()].flatMap((command) => [...command.flags.keys()]));
    for (const page of papers.filter(({ made }) => !made))
      for (const [, code = ''] of outsideFences(page).matchAll(/`([^`\n]+)`/g)) {
        const [, command] = /^catersheet ([a-z]+)/.exec(code) ?? [];
        if (command !== undefined) expect([...commands.keys()], `${page.path}: ${code}`).toContain(command);
        // A decision may be about a flag of Node itself.
        const alone = page.path.startsWith('docs/adr/') ? '' : '--|';
        const own =
          new RegExp(`^(catersheet )?(${alone}[a-z]+ .*--)`).test(code) && !/^(node|np[mx]) /.test(code);
        for (const [flag] of own ? code.matchAll(/(?<!\S)--[a-z-]+/g) : [])
          expect([...flags], `${page.path}: ${code}`).toContain(flag);
      }
  });

  it('name every flag of every command', () => {
    const text = papers.map((page) => page.text).join('\n');
    for (const [name, { flags }] of commands)
      for (const flag of [...flags.keys()].filter((one) => /^--(?!no-|help|version)/.test(one)))
        expect(text, `${flag} of ${name}`).toMatch(new RegExp(`--(no-)?${flag.slice(2)}\\b`));
  });

  it('refuse a command line with a flag, a value or a word that the program does not take', () => {
    expect(wrongWith('catersheet import a.xlsx --dry-run -o b.xlsx', commands)).toBeNull();
    expect(wrongWith('catersheet impart a.xlsx', commands)).toBe('there is no command impart');
    expect(wrongWith('catersheet import a.xlsx --dryrun', commands)).toBe('import takes no --dryrun');
    expect(wrongWith('catersheet import a.xlsx --as pakketten', commands)).toBe("--as can't be pakketten");
    expect(wrongWith('catersheet import a.xlsx b.xlsx', commands)).toBe('there is a word too many');
    expect(wrongWith('catersheet import --yes', commands)).toBe('a word is missing');
    expect(wrongWith('catersheet invoices a.xlsx', commands)).toBe('--to is missing');
  });

  it.each(papers.filter(({ made }) => !made).map((page) => [page.path, page] as const))(
    `are written in sentences of at most ${LONGEST} words: %s`,
    (_, page) => {
      expect(sentences(page).filter((sentence) => sentence.split(' ').length > LONGEST)).toEqual([]);
    },
  );
});
