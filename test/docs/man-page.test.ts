import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const file = join(root, 'man/catersheet.1');
const has = (program: string, ...words: string[]): boolean => spawnSync(program, words).status === 0;
const hasMandoc = has('mandoc', '-T', 'ascii', '/dev/null');

test.skipIf(!hasMandoc)('mandoc finds no error in the page', () => {
  const { status, stdout } = spawnSync('mandoc', ['-T', 'lint', '-W', 'error', file]);
  expect([status, stdout.toString()]).toEqual([0, '']);
});
