import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './papers.ts';

const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, { license?: string; dev?: boolean; devOptional?: boolean }>;
};

/** Licences that ask for no more than that they go along. */
const FREE =
  /^(?:MIT|MIT\/X11|ISC|Apache-2\.0|BSD-[23]-Clause|0BSD|BlueOak-1\.0\.0|Unlicense|\(MIT (?:OR|AND) .*\))$/;

test('nothing comes along whose licence asks for more than to go along', () => {
  const others = Object.entries(packages)
    .filter(([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional)
    .filter(([, { license }]) => !FREE.test(license ?? ''));
  expect(others.map(([path]) => path)).toEqual([]);
});
