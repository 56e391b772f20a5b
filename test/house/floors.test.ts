import { describe, expect, test } from 'vitest';
import { readImports } from '../../scripts/read-imports.mjs';
import { circles, roomOf, source } from './source.ts';

/**
 * The rooms of src, the ground floor first. A room imports from floors below it alone, so that those on one
 * floor are blind to each other. A room is a folder, or a file at the top.
 */
const FLOORS: readonly (readonly string[])[] = [
  ['core'],
  ['files', 'schema'],
  ['resources'],
  ['csv', 'xlsx', 'service', 'ledger', 'sandbox', 'openapi'],
  ['workbook', 'run'],
  ['records', 'calls'],
  ['kinds'],
  ['lists'],
  ['import', 'check'],
  ['template'],
  ['export'],
  ['finance', 'options'],
  ['session'],
  ['queue'],
  ['api'],
  ['desk'],
  ['cli', 'index'],
];

const floorOf = (room: string): number => FLOORS.findIndex((floor) => floor.includes(room));

/** The folders of src that hold anything, each with what stands in it: folders and files by their names. */
function folders(paths: readonly string[]): string[] {
  const all = paths.flatMap((path) => {
    const parts = path.split('/').slice(0, -1);
    return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
  });
  return [...new Set(['', ...all])].sort();
}

/** What stands in a folder, and which of it imports which: a folder in it counts as one. */
function inside(folder: string): { path: string; imports: string[] }[] {
  const within = folder === '' ? '' : `${folder}/`;
  const nameIn = (path: string): string => path.slice(within.length).split('/')[0] ?? '';
  const members = new Map<string, Set<string>>();
  for (const { path, imports } of source) {
    if (!path.startsWith(within)) continue;
    const own = members.get(nameIn(path)) ?? new Set();
    members.set(nameIn(path), own);
    for (const to of imports) if (to.startsWith(within) && nameIn(to) !== nameIn(path)) own.add(nameIn(to));
  }
  return [...members].map(([path, imports]) => ({ path, imports: [...imports] }));
}

const rooms = [...new Set(source.map(({ path }) => roomOf(path)))];
const edges = source.flatMap(({ path, imports }) => imports.map((to) => ({ path, to })));

describe('the reading of imports', () => {
  test.each([
    [`import { a } from './a.ts';`, ['./a.ts']],
    [`export { a } from './a.ts';\nexport * from './b.ts';`, ['./a.ts', './b.ts']],
    [`const a = await import('./a.ts');`, ['./a.ts']],
    [`new Worker(new URL('./a.js', import.meta.url))`, ['./a.js']],
    [`// import { a } from './a.ts';\n/* import './b.ts'; */`, []],
    [`const all = 'xl/*';\nimport './a.ts'; /* a comment */`, ['./a.ts']],
  ])('finds in %j the files %j', (text, expected) => {
    expect(readImports(text).map(({ specifier }) => specifier)).toEqual(expected);
  });

  // biome-ignore lint/suspicious/noTemplateCurlyInString: a program's text.
  const COMPUTED = 'await import(`./${name}.ts`);';
  test('refuses an import whose file is only known when it runs', () => {
    expect(() => readImports(COMPUTED)).toThrow('without a plain specifier');
  });

  test.each([
    [`import type { A } from './a.ts';`, true],
    [`import { type A, type B } from './a.ts';`, true],
    [`import { type A, b } from './a.ts';`, false],
    [`type A = import('./a.ts').A;`, true],
  ])('knows whether %s takes types alone', (text, expected) => {
    expect(readImports(text)).toEqual([{ specifier: './a.ts', type: expected }]);
  });

  test('finds circles of any length', () => {
    const of = (path: string, ...imports: string[]) => ({ path, imports });
    expect(circles([of('a', 'b'), of('b', 'c'), of('c')])).toEqual([]);
    expect(circles([of('a', 'b', 'c'), of('b', 'd'), of('c', 'd'), of('d')])).toEqual([]);
    expect(circles([of('z', 'a'), of('a', 'b'), of('b', 'c'), of('c', 'a')])).toEqual([['a', 'b', 'c']]);
  });

  test('finds the imports of this house', () => {
    expect(source.length).toBeGreaterThan(100);
    expect(edges.length).toBeGreaterThan(source.length);
    expect(edges).toContainEqual({ path: 'cli/bin.ts', to: 'core/errors.ts' });
    expect(edges).toContainEqual({ path: 'ledger/stores/plan-store.ts', to: 'core/plan.ts' });
  });
});

test('every room is on one floor, and every floor has rooms', () => {
  expect(FLOORS.flat().toSorted()).toEqual(rooms.toSorted());
});

test('what is imported is there', () => {
  const paths = new Set(source.map(({ path }) => path));
  expect(edges.filter(({ to }) => !paths.has(to))).toEqual([]);
});

test.each(rooms)('%s imports from floors below it alone', (room) => {
  const wrong = edges.filter(
    ({ path, to }) =>
      roomOf(path) === room && roomOf(to) !== room && floorOf(roomOf(to)) >= floorOf(roomOf(path)),
  );
  expect(wrong).toEqual([]);
});

test.each(folders(source.map(({ path }) => path)).map((folder) => [folder]))(
  'inside "%s" imports run down only, between its folders and files',
  (folder) => {
    expect(circles(inside(folder))).toEqual([]);
  },
);

/** Everything else is handed the resources it works with. */
const NAMES_RESOURCES = ['resources', 'sandbox', 'options', 'session', 'api', 'desk', 'cli', 'index'];

test('only the top names a resource', () => {
  const wrong = edges.filter(
    ({ path, to }) => roomOf(to) === 'resources' && !NAMES_RESOURCES.includes(roomOf(path)),
  );
  expect(wrong).toEqual([]);
});
