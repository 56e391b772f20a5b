import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { tempFolder } from '../helpers/run-cli.ts';
import {
  bodyFacts,
  endpointFacts,
  fieldFacts,
  lookupFacts,
  membersOf,
  openFacts,
  recordFacts,
} from '../openapi/facts.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const kept = readFileSync(join(ROOT, 'docs/interface.md'), 'utf8').replaceAll('\r\n', '\n');

const words = (await import(new URL('../../scripts/interface-words.mjs', import.meta.url).href)) as {
  readonly OPEN: readonly { readonly id: string; readonly open: string; readonly copes: string }[];
};

const code = (text: string): string => `\`${text}\``;

/** The part of the page under a heading. */
function under(heading: string): string {
  const level = heading.indexOf(' ');
  const from = kept.indexOf(`\n${heading}\n`);
  expect([heading, from]).not.toEqual([heading, -1]);
  const rest = kept.slice(from + heading.length + 2);
  const end = rest.search(new RegExp(`\\n#{1,${level}} `));
  return end < 0 ? rest : rest.slice(0, end);
}

/** The row of a table that begins with this cell. */
const rowOf = (text: string, cell: string): string | undefined =>
  text.split('\n').find((line) => line.startsWith(`| ${cell} |`));

test('docs/interface.md is what `npm run docs` writes', () => {
  const folder = tempFolder();
  execFileSync(process.execPath, [join(ROOT, 'scripts/interface-page.mjs'), folder]);
  expect(kept, 'docs/interface.md is out of date: npm run docs').toBe(
    readFileSync(join(folder, 'interface.md'), 'utf8'),
  );
});

describe('docs/interface.md tells of', () => {
  test.each(endpointFacts.map((fact) => [`${fact.method} ${fact.path}`, fact] as const))(
    '%s',
    (title, fact) => {
      const row = rowOf(kept, code(title)) ?? '';
      expect(row).not.toBe('');
      if (fact.body === undefined || !('length' in fact.body)) return;
      for (const { name, type, status } of bodyFacts(fact) ?? [])
        expect(row).toContain(`${code(name)} ${type}${status === 'required' ? '' : ' (optional)'}`);
    },
  );

  test('every lookup', () => {
    for (const { path } of lookupFacts) expect(rowOf(kept, code(`GET ${path}`))).toBeDefined();
  });

  test.each(Object.entries(fieldFacts))(
    'every field of %s, with its type and whether it is required',
    (name, { fields }) => {
      const text = under(`### Fields of ${name}`);
      for (const { name: field, type, create, update } of fields) {
        const cells = rowOf(text, code(field))?.split(' | ') ?? [];
        expect([field, cells[1]]).toEqual([field, type]);
        const required = [create, update].filter((status) => status === 'required').length;
        expect([field, cells.filter((cell) => cell === '**required**').length]).toEqual([field, required]);
        expect([field, cells.includes('one of two')]).toEqual([field, create === 'one of']);
      }
    },
  );

  test('every member of every record that a list or a total holds', () => {
    const own = [
      'product',
      'product type',
      'stock location',
      'product link',
      'stock total',
      'event',
      'arrangement',
    ];
    const nested = ['trip', 'contact', 'relation', 'demand', 'planning'];
    const lists = kept
      .split('\n')
      .filter((line) => /^\| [a-z, ]+ \| `/.test(line))
      .join('\n');
    for (const record of [...own, ...nested])
      for (const { name } of membersOf(record))
        expect([record, lists.includes(code(name))]).toEqual([record, true]);
    const shown = [...own, ...nested, 'package detail', 'recipe detail', 'page', 'page links', 'page meta'];
    expect(Object.keys(recordFacts).sort()).toEqual([...shown, 'unauthenticated'].sort());
  });

  test('everything that is not shown, and how the program copes', () => {
    expect(words.OPEN.map(({ id }) => id).sort()).toEqual(openFacts.map(({ id }) => id).sort());
    for (const { open, copes } of words.OPEN) expect(kept).toContain(`| ${open} | ${copes} |`);
  });
});

test('docs/interface.md is in short sentences', () => {
  const prose = kept
    .replace(/<!--.*?-->/gs, '')
    .split('\n')
    .filter((line) => !line.startsWith('#') && !/^\| (?:[a-z, ]+ \| `|---)/.test(line))
    .flatMap((line) => line.split(/\||(?<=[.:;!?])\s/));
  const long = prose.filter((sentence) => sentence.trim().split(/\s+/).length > 26);
  expect(long).toEqual([]);
});
