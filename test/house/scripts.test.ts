import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const NAMED = /import \{([^}]*)\} from '((?:\.\.\/)+dist\/[^']+)'/g;
const EXPORTED = /^export (?:async )?(?:function\*?|const|class|let) (\w+)|^export (?:type )?\{([^}]*)\}/gm;

/** The scripts, benches and readers that import what the build makes: types see none of them. */
const scripts = ['scripts', 'test/bench', 'test/bench/contestants', 'test/campaigns/fuzz'].flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.mjs'))
    .map((name) => `${folder}/${name}`),
);

/** The names in a list, by what they are called outside. */
const namesIn = (list: string): string[] =>
  list.split(',').flatMap((name) => name.trim().split(' as ').at(-1)?.replace('type ', '') || []);

test.each(scripts)('what %s imports of the built program is in its source', (script) => {
  for (const [, names = '', from = ''] of readFileSync(join(ROOT, script), 'utf8').matchAll(NAMED)) {
    const file = join(ROOT, dirname(script), from)
      .replace(/([\\/])dist\1/, '$1src$1')
      .replace(/\.js$/, '.ts');
    const exported = [...readFileSync(file, 'utf8').matchAll(EXPORTED)];
    const found = exported.flatMap(([, name, list = '']) => [...(name ? [name] : []), ...namesIn(list)]);
    const wanted = names.split(',').flatMap((name) => name.trim().split(' as ')[0] || []);
    expect(found).toEqual(expect.arrayContaining(wanted));
  }
});
