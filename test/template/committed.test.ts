import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { hasProgram, tempFolder } from '../helpers/run-cli.ts';
import { partsOf } from './fill-in.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.xlsx'))
    .sort();

test.skipIf(!hasProgram)('templates/ holds what `npm run templates` writes', async () => {
  const fresh = tempFolder();
  execFileSync(process.execPath, [join(ROOT, 'scripts/templates.mjs'), fresh]);
  const names = filesIn(fresh);
  expect(names).toHaveLength(16);
  expect(filesIn(join(ROOT, 'templates'))).toEqual(names);
  for (const name of names) {
    const [made, kept] = [fresh, join(ROOT, 'templates')].map((folder) => readFileSync(join(folder, name)));
    if (made === undefined || kept === undefined || made.equals(kept)) continue;
    // Another zlib packs the same parts into other bytes.
    expect([...(await partsOf(kept))], `${name} is out of date: npm run templates`).toEqual([
      ...(await partsOf(made)),
    ]);
  }
});
