import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const kept = readFileSync(join(ROOT, 'docs/interface.md'), 'utf8').replaceAll('\r\n', '\n');

/** The numbers of all sections. */
const numbers = [...kept.matchAll(/^##+ (\d+(?:\.\d+)?)\.? /gm)].map(([, number = '']) => number);

test('every section of the interface that the source names is in docs/interface.md', () => {
  const named = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      // A comment may break between the word and the number.
      const text = readFileSync(join(ROOT, 'src', file), 'utf8').replace(/\n\s*(?:\/\/|\*) /g, ' ');
      const places = text.matchAll(/\b(?:interface (?:section )?|section: ')(\d[\d., and]*)/g);
      return [...places].flatMap(([, list = '']) =>
        (list.match(/\d+(?:\.\d+)?/g) ?? []).map((number) => `${file}: ${number}`),
      );
    });
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter((place) => !numbers.includes(place.split(': ')[1] ?? ''))).toEqual([]);
});
