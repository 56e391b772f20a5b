import { describe, expect, test } from 'vitest';
import { circles, importsIn, resolved, roomOf, source } from './source.ts';

/** Rooms at the top may know everything below, and one another. */
const TOP = ['cli', 'commands', 'view', 'session', 'index', 'api', 'start-sandbox', 'sandbox-worker'];

/** What each room below may import besides itself (design: The house). */
const BELOW: Readonly<Record<string, readonly string[]>> = {
  pipeline: ['workbook', 'service', 'ledger', 'sandbox', 'schema', 'errors', 'make-folder'],
  workbook: ['schema', 'errors', 'make-folder'],
  service: ['schema', 'errors'],
  ledger: ['schema', 'errors', 'make-folder'],
  sandbox: ['schema', 'errors', 'make-folder'],
  resources: ['schema', 'errors'],
  schema: ['errors', 'language'],
  errors: ['language'],
  language: [],
  'make-folder': [],
};

const rooms = [...new Set(source.map(({ path }) => roomOf(path)))];
const edges = source.flatMap(({ path, imports }) => imports.map((to) => ({ path, to })));

describe('the reading of imports', () => {
  test.each([
    [`import { a } from './a.ts';`, ['./a.ts']],
    [`import type { A } from "../a.ts";`, ['../a.ts']],
    [`import {\n  a,\n  type B,\n} from '../../a/b.ts';`, ['../../a/b.ts']],
    [`export { a } from './a.ts';\nexport * from './b.ts';`, ['./a.ts', './b.ts']],
    [`import './a.ts';`, ['./a.ts']],
    [`const a = await import('./a.ts');`, ['./a.ts']],
    [`type A = import('./a.ts').A;`, ['./a.ts']],
    [`new Worker(new URL('./a.js', import.meta.url))`, ['./a.js']],
    [`// import { a } from './a.ts';\n/* import './b.ts'; */`, []],
    [`import { z } from 'zod';\nimport { join } from 'node:path';`, []],
  ])('%j', (text, expected) => {
    expect(importsIn(text)).toEqual(expected);
  });

  test.each([
    ['schema/codecs/text.ts', '../codec.ts', 'schema/codec.ts'],
    ['cli.ts', './commands/import.ts', 'commands/import.ts'],
    ['start-sandbox.ts', './sandbox-worker.js', 'sandbox-worker.ts'],
  ])('%s naming %s means %s', (from, specifier, expected) => {
    expect(resolved(from, specifier)).toBe(expected);
  });

  test('finds circles of any length', () => {
    const of = (path: string, ...imports: string[]) => ({ path, imports });
    expect(circles([of('a', 'b'), of('b', 'c'), of('c')])).toEqual([]);
    expect(circles([of('a', 'b', 'c'), of('b', 'd'), of('c', 'd'), of('d')])).toEqual([]);
    expect(circles([of('a', 'a')])).toEqual([['a']]);
    expect(circles([of('z', 'a'), of('a', 'b'), of('b', 'c'), of('c', 'a')])).toEqual([['a', 'b', 'c']]);
    expect(circles([of('a', 'b'), of('b', 'a'), of('c', 'd', 'a'), of('d', 'c')])).toHaveLength(2);
  });

  test('finds the imports of this house', () => {
    expect(source.length).toBeGreaterThan(100);
    expect(edges.length).toBeGreaterThan(source.length);
    expect(edges).toContainEqual({ path: 'cli.ts', to: 'errors.ts' });
    expect(edges).toContainEqual({ path: 'ledger/run-store.ts', to: 'schema/plan.ts' });
  });
});

test('every room is on a floor', () => {
  expect(rooms.filter((room) => !TOP.includes(room) && !(room in BELOW))).toEqual([]);
});

test('what is imported is there', () => {
  const paths = new Set(source.map(({ path }) => path));
  expect(edges.filter(({ to }) => !paths.has(to))).toEqual([]);
});

test.each(Object.entries(BELOW))('%s imports from itself and %j alone', (room, allowed) => {
  const wrong = edges.filter(
    ({ path, to }) => roomOf(path) === room && roomOf(to) !== room && !allowed.includes(roomOf(to)),
  );
  expect(wrong).toEqual([]);
});

test('only the top names a resource', () => {
  const wrong = edges.filter(
    ({ path, to }) => roomOf(to) === 'resources' && ![...TOP, 'resources'].includes(roomOf(path)),
  );
  expect(wrong).toEqual([]);
});

test('the view shows and the session opens: neither starts a command', () => {
  const wrong = edges.filter(
    ({ path, to }) => ['view', 'session'].includes(roomOf(path)) && ['commands', 'cli'].includes(roomOf(to)),
  );
  expect(wrong).toEqual([]);
});

test('nothing imports in a circle', () => {
  expect(circles(source)).toEqual([]);
});
