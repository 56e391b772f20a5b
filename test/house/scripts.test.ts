import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const NAMED = /import \{([^}]*)\} from '((?:\.\.\/)+dist\/[^']+)'/g;

/** The scripts, benches and readers that import what the build makes: types see none of them. */
const scripts = ['scripts', 'test/bench', 'test/bench/contestants', 'test/campaigns/fuzz'].flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.mjs'))
    .map((name) => `${folder}/${name}`),
);

test.each(scripts)('what %s imports of the built program is there', async (script) => {
  const text = readFileSync(join(ROOT, script), 'utf8');
  for (const [, names = '', from = ''] of text.matchAll(NAMED)) {
    const module = await import(pathToFileURL(join(ROOT, dirname(script), from)).href);
    const wanted = names.split(',').flatMap((name) => name.trim().split(' as ')[0] || []);
    expect(Object.keys(module)).toEqual(expect.arrayContaining(wanted));
  }
});
