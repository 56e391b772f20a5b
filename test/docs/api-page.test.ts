import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as library from '../../src/index.ts';
import { paper, ROOT } from './papers.ts';

const page = paper('docs/api.md').text;

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
