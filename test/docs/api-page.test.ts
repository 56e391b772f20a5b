import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as library from '../../src/index.ts';
import { hasProgram, tempFolder } from '../helpers/run-cli.ts';
import { paper, ROOT } from './papers.ts';

const page = paper('docs/api.md').text;

test.skipIf(!hasProgram)(
  'docs/api.md and the JSON Schema are as `npm run docs` makes it from the types and the option table',
  () => {
    const folder = tempFolder();
    execFileSync(process.execPath, ['scripts/api-page.mjs', folder], { cwd: ROOT });
    expect(page, 'docs/api.md is out of date: npm run docs').toBe(
      readFileSync(join(folder, 'api.md'), 'utf8'),
    );
    const schema = 'catersheet-1.schema.json';
    const made = readFileSync(join(folder, schema), 'utf8');
    expect(readFileSync(join(ROOT, 'schemas', schema), 'utf8'), 'npm run docs').toBe(made);
  },
);

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
