import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8').replaceAll('\r\n', '\n');
const page = read('docs/architecture.md');

test('docs/architecture.md says of every room what stands there', () => {
  const rooms = readdirSync(join(ROOT, 'src')).filter((name) =>
    statSync(join(ROOT, 'src', name)).isDirectory(),
  );
  const told = [...page.matchAll(/^\| (`[a-z`, ]+`) \| /gm)].flatMap(([, names = '']) => [
    ...names.matchAll(/[a-z]+/g),
  ]);
  expect(told.map(([name]) => name).toSorted()).toEqual(rooms.toSorted());
});

test('every file that docs/architecture.md names is there', () => {
  const named = [...page.matchAll(/`([a-z][\w/-]*\/[\w./-]*)`/g)].flatMap(([, path = '']) =>
    path.includes('NAME') ? [] : path,
  );
  expect(named.length).toBeGreaterThan(20);
  const missing = named.filter((path) => !['', 'src/'].some((root) => existsSync(join(ROOT, root, path))));
  expect(missing).toEqual([]);
});
