import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
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
  readonly OPEN: readonly {
    readonly id: string;
    readonly section: string;
    readonly open: string;
    readonly copes: string;
  }[];
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

/** A section by its number, such as `4.1`. */
function section(number: string): string {
  const heading = kept.split('\n').find((line) => line.replace(/^#+ /, '').startsWith(`${number} `));
  const whole = kept.split('\n').find((line) => line.startsWith(`## ${number}. `));
  return under(heading ?? whole ?? `## ${number}.`);
}

/** The numbers of all sections. */
const numbers = [...kept.matchAll(/^##+ (\d+(?:\.\d+)?)\.? /gm)].map(([, number = '']) => number);

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
      const row = rowOf(section(fact.section), code(title)) ?? '';
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
    'every field of %s, with its type, whether it is required and where its ids come from',
    (name, { fields, section: number }) => {
      expect(section(number)).toContain(`#### Fields of ${name}\n`);
      const text = under(`#### Fields of ${name}`);
      for (const { name: field, type, create, update, lookup = '' } of fields) {
        const cells = rowOf(text, code(field))?.split(' | ') ?? [];
        expect([field, cells[1]]).toEqual([field, type]);
        const required = [create, update].filter((status) => status === 'required').length;
        expect([field, cells.filter((cell) => cell === '**required**').length]).toEqual([field, required]);
        expect([field, cells.includes('one of two')]).toEqual([field, create === 'one of']);
        for (const path of typeof lookup === 'string' ? [lookup] : Object.values(lookup))
          expect([field, cells.at(-2)]).toEqual([
            field,
            path === '' ? '' : expect.stringContaining(code(path)),
          ]);
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

  test('what a page of a list holds, and what its flags are when they are left out', () => {
    const text = section('4.3');
    for (const record of ['page', 'page links', 'page meta'])
      for (const { name } of membersOf(record))
        expect([record, name, text.includes(code(name))]).toEqual([record, name, true]);
    for (const flag of ['downloadResponseAsJSON', 'exportWithDeclaration'])
      expect(rowOf(text, code(flag))?.split(' | ')[1]).toBe('false');
  });

  test('each record in the section of its facts', () => {
    for (const [record, { section: number, members }] of Object.entries(recordFacts))
      for (const { name } of members)
        expect([record, name, section(number).includes(code(name))]).toEqual([record, name, true]);
  });

  test('everything that is not shown, and how the program copes', () => {
    expect(words.OPEN.map(({ id }) => id).sort()).toEqual(openFacts.map(({ id }) => id).sort());
    for (const fact of openFacts) {
      const { open = '', copes = '' } = words.OPEN.find(({ id }) => id === fact.id) ?? {};
      expect(section(fact.section)).toContain(`| ${open} | ${copes} |`);
    }
  });
});

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

test('docs/interface.md is in short sentences', () => {
  const prose = kept
    .replace(/<!--.*?-->/gs, '')
    .split('\n')
    .filter((line) => !line.startsWith('#') && !/^\| (?:[a-z, ]+ \| `|---)/.test(line))
    .flatMap((line) => line.split(/\||(?<=[.:;!?])\s/));
  const long = prose.filter((sentence) => sentence.trim().split(/\s+/).length > 26);
  expect(long).toEqual([]);
});
