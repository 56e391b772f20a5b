import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { CLI } from '../helpers/run-cli.ts';

/** The files that are loaded with one of the program's, at once. */
function loadedWith(file: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(file)) return found;
  found.add(file);
  const text = readFileSync(join(dirname(CLI), file), 'utf8');
  for (const [, next = ''] of text.matchAll(/^(?:const \w+ = )?require\("\.\/([^"]+\.cjs)"\);$/gm))
    loadedWith(next, found);
  return found;
}

const DATABASE = 'catersheet-postgres.cjs';

test.each(['import', 'apply', 'export', 'runs', 'check', 'undo', 'template', 'command-sheets'])(
  'the command %s begins without what only a ledger in a database needs',
  (command) => {
    const loaded = loadedWith(`catersheet-${command}.cjs`);
    expect(loaded.size).toBeGreaterThan(2);
    expect([...loaded]).not.toContain(DATABASE);
    for (const other of ['desk', 'worker', 'schedule'])
      expect([...loaded]).not.toContain(`catersheet-${other}.cjs`);
  },
);

test('a ledger in a database is worked with by files of its own', () => {
  expect([...loadedWith('catersheet-pg-ledger.cjs')]).toContain(DATABASE);
});
