import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { makeFolder } from '../../src/workbook/make-folder.ts';
import { tempFolder } from '../helpers/run-cli.ts';

test('many who make the same folders at nearly the same time all find them made', async () => {
  for (let turn = 0; turn < 40; turn++) {
    const folder = join(tempFolder(), 'a', 'b', 'c');
    const making = Array.from({ length: 12 }, async (_, after) => {
      for (let wait = 0; wait < after; wait++) await setImmediate();
      await makeFolder(folder);
    });
    await Promise.all(making);
    expect(statSync(folder).isDirectory()).toBe(true);
  }
});
