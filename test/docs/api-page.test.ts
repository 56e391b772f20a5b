import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as library from '../../src/index.ts';
import { FUNCTIONS } from '../../src/options/option.ts';
import { OPTION_LIST } from '../../src/options/options.ts';
import { tempFolder } from '../helpers/run-cli.ts';
import { paper, ROOT } from './papers.ts';

const page = paper('docs/api.md').text;

/** The part of the page under a heading, up to the next of its kind. */
function under(heading: string): string {
  const from = page.indexOf(`\n${heading}\n`);
  expect(from, heading).toBeGreaterThan(0);
  const rest = page.slice(from + heading.length + 2);
  return rest.slice(0, rest.search(/\n##/));
}

test('docs/api.md and the JSON Schema are as `npm run docs` makes it from the types and the option table', () => {
  const folder = tempFolder();
  execFileSync(process.execPath, ['scripts/api-page.mjs', folder], { cwd: ROOT });
  expect(page, 'docs/api.md is out of date: npm run docs').toBe(readFileSync(join(folder, 'api.md'), 'utf8'));
  const schema = 'catersheet-1.schema.json';
  const made = readFileSync(join(folder, schema), 'utf8');
  expect(readFileSync(join(ROOT, 'schemas', schema), 'utf8'), 'npm run docs').toBe(made);
});

test('the page has all that the package exports: what a program gets, and the types that src/index.ts names', () => {
  const source = readFileSync(join(ROOT, 'src/index.ts'), 'utf8');
  const named = [...source.matchAll(/\{([^}]*)\}/g)].flatMap(([, names = '']) =>
    names
      .split(',')
      .map((name) => name.replace(/\btype\b/, '').trim())
      .filter(Boolean),
  );
  expect(named).toEqual(expect.arrayContaining(Object.keys(library)));
  const missing = named.filter(
    (name) => !page.includes(`### \`${name}\``) && !new RegExp(`^\\| \`${name}\\b`, 'm').test(page),
  );
  expect(missing).toEqual([]);
});

test.each(FUNCTIONS)('the page has the options of %s, each with its type and what it says', (name) => {
  const [, other] = /It takes the options of \[`(\w+)`\]/.exec(under(`### \`${name}\``)) ?? [];
  const shown = under(`### \`${other ?? name}\``) + under('## Options of every function');
  for (const { name: option } of OPTION_LIST.filter(({ functions }) => functions.includes(name)))
    expect(shown).toMatch(new RegExp(`^\\| \`${option}\\??\` \\| \`.+\` \\| .+ \\|$`, 'm'));
});

test('the page says what every function, type, member and option is', () => {
  const empty = page.split('\n').filter((line) => /^\|.*\|\s*\|$/.test(line));
  const silent = [...page.matchAll(/^### (.+)\n\n(?:```|\||#)/gm)].map(([, name]) => name);
  expect([empty, silent]).toEqual([[], []]);
});

test('the page shows every type by its name, without the place it comes from, and none as any', () => {
  for (const wrong of [ROOT, 'import(', 'node_modules', '| `any` |', 'typeof '])
    expect(page).not.toContain(wrong);
});
