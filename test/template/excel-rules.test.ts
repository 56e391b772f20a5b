import { beforeAll, describe, expect, test } from 'vitest';
import { resources } from '../../src/resources/registry.ts';
import type { ChoiceList } from '../../src/template/columns.ts';
import { membersOf, WORKSHEET_ORDER } from '../helpers/excel-rules.ts';
import { headersOf, partsOf, sheetParts, unescaped } from './fill-in.ts';
import { template } from './fixtures.ts';

/** Lists as large and as odd as services have them. */
const LISTS: readonly ChoiceList[] = [
  {
    ...{ lookup: 'producttype', name: 'list_producttype' },
    choices: Array.from({ length: 300 }, (_, id) => ({ id, text: `Soort & <${id}> "a'b"` })),
  },
  { ...{ lookup: 'unit', name: 'list_unit' }, choices: [{ id: 1, text: 'kilogram' }] },
];

const all = (xml: string, pattern: RegExp): string[] =>
  [...xml.matchAll(pattern)].map((match) => match[1] ?? '');

describe.each(['nl', 'en'] as const)('a template in %s', (language) => {
  let parts: Map<string, string>;
  let sheets: [name: string, part: string][];
  const of = (pattern: RegExp): [string, string][] => [...parts].filter(([name]) => pattern.test(name));

  beforeAll(async () => {
    parts = await partsOf(await template(language, LISTS));
    sheets = [...sheetParts(parts)];
  });

  test('has the guide first, the lists last and hidden, and sheet names of at most 31 characters', () => {
    const [guide, lists] = language === 'nl' ? ['Uitleg', 'Keuzelijsten'] : ['Guide', 'Lists'];
    expect(sheets.map(([name]) => name)).toEqual([guide, ...resources.map(({ sheet }) => sheet), lists]);
    expect(sheets.filter(([name]) => name.length > 31)).toEqual([]);
    const hidden = all(parts.get('xl/workbook.xml') ?? '', /<sheet [^>]*name="([^"]+)"[^>]*state="hidden"/g);
    expect(hidden).toEqual([lists]);
  });

  test('has the elements of each worksheet in the order that Excel asks', () => {
    for (const [name, part] of sheets) {
      const members = membersOf(parts.get(part) ?? '');
      const places = members.map((member) => WORKSHEET_ORDER.indexOf(member));
      expect(places, `${name}: ${members}`).not.toContain(-1);
      expect(places, `${name}: ${members}`).toEqual([...places].sort((a, b) => a - b));
    }
  });

  test('has tables with unique names and numbers, and the headers of their sheets as columns', () => {
    const tables = of(/^xl\/tables\//);
    expect(tables).toHaveLength(resources.length);
    const names = tables.map(([, xml]) => /displayName="([^"]+)"/.exec(xml)?.[1] ?? '');
    const numbers = tables.map(([, xml]) => /<table [^>]*\bid="(\d+)"/.exec(xml)?.[1]);
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(tables.length);
    expect(new Set(numbers).size).toBe(tables.length);
    for (const name of names) expect(name).toMatch(/^[A-Za-z_][A-Za-z0-9_]*$/);
    for (const [sheet, part] of sheets.slice(1, -1)) {
      const target = /tables\/(\w+\.xml)/.exec(
        parts.get(part.replace('sheets/', 'sheets/_rels/').concat('.rels')) ?? '',
      );
      const xml = parts.get(`xl/tables/${target?.[1]}`) ?? '';
      const columns = all(xml, /<tableColumn [^>]*\bname="([^"]+)"/g).map(unescaped);
      expect(columns, sheet).toEqual(headersOf(parts, part));
      expect(new Set(columns.map((name) => name.toLowerCase())).size, sheet).toBe(columns.length);
      expect(xml).toContain(`<tableColumns count="${columns.length}">`);
      expect(xml).toMatch(/ref="A1:[A-Z]+51"/);
    }
  });

  test('checks whole columns, with messages and formulas no longer than Excel takes', () => {
    for (const [sheet, part] of sheets.slice(1, -1)) {
      const xml = parts.get(part) ?? '';
      const checks = all(xml, /<dataValidation ([^>]*)>/g);
      // One of the header, which says what the column is, and one below it.
      expect(checks, sheet).toHaveLength(headersOf(parts, part).length * 2);
      for (const check of checks) {
        const text = (name: string): string =>
          unescaped(new RegExp(` ?${name}="([^"]*)"`).exec(check)?.[1] ?? '');
        expect(text('sqref')).toMatch(/^([A-Z]+)(1|2:\1\d{4,})$/);
        expect(text('promptTitle').length).toBeLessThanOrEqual(32);
        expect(text('prompt').length).toBeGreaterThan(10);
        expect(text('prompt').length).toBeLessThanOrEqual(255);
        expect(text('errorTitle').length).toBeLessThanOrEqual(32);
        expect(text('error').length).toBeLessThanOrEqual(225);
        expect(check).not.toMatch(/[\r\n]/);
      }
      for (const formula of all(xml, /<formula\d>([^<]*)</g))
        expect(unescaped(formula).length).toBeLessThanOrEqual(255);
    }
  });

  test('has lists with valid names, which a check uses and which span their values', () => {
    const book = parts.get('xl/workbook.xml') ?? '';
    const places = new Map(
      [...book.matchAll(/<definedName name="(list_\w+)">([^<]+)</g)].map((match) => [match[1], match[2]]),
    );
    const sheet = language === 'nl' ? 'Keuzelijsten' : 'Lists';
    expect(Object.fromEntries(places)).toEqual({
      list_producttype: `&apos;${sheet}&apos;!$A$2:$A$301`,
      list_unit: `&apos;${sheet}&apos;!$B$2:$B$2`,
    });
    const used = new Set(sheets.flatMap(([, part]) => all(parts.get(part) ?? '', /<formula1>(list_\w+)</g)));
    expect(used).toEqual(new Set(places.keys()));
  });
});
