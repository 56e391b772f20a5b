import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { DEFAULT_LIMITS } from '../../src/files/limits.ts';
import { writeResult } from '../../src/workbook/write-result.ts';
import { resolveTarget } from '../../src/xlsx/read/package.ts';
import { readZipDirectory } from '../../src/xlsx/zip/read-zip.ts';
import { HEADERS, madeUp } from '../xlsx/edit/rewritten.ts';
import { readPart } from '../xlsx/read/read-part.ts';
import { HEADER_ROW, LAST_ROW } from './problem-book.ts';

/** The part of the sheet of records. */
export const SHEET = 'xl/worksheets/sheet2.xml';

let count = 0;

/** A result with these rows alone, beside its input; the sheets named were imported. */
export async function wanted(
  file: string,
  kept: readonly number[],
  imported: readonly string[] = ['Pakketten'],
): Promise<{ target: string; notes: string[] }> {
  const target = join(dirname(file), `uit-${count++}.xlsx`);
  const sheets = await madeUp(file, (row) => ({
    cells: [kept.includes(row) ? 'invalid' : 'created', row, null, null, null],
    ...{ tone: 'bad', marks: [{ column: 3, tone: 'bad', text: 'fout' }] },
  }));
  const written = sheets
    .filter(({ name }) => imported.includes(name))
    .map((sheet) => ({
      ...{ ...sheet, headerRow: sheet.name === 'Pakketten' ? HEADER_ROW : 1 },
      added: { firstColumn: 9, headers: HEADERS },
      only: {
        wants: ({ cells }: { readonly cells: readonly unknown[] }) =>
          cells[0] === 'invalid' && sheet.name === 'Pakketten',
        lastRow: LAST_ROW,
      },
    }));
  const { notes } = await writeResult(target, written, { source: file });
  return { target, notes: notes.map(({ en }) => en) };
}

/** A cell as XML, empty where there is none. */
export const cellIn = (xml: string, at: string): string =>
  new RegExp(`<c r="${at}"(?:[^>]*/>|.*?</c>)`, 's').exec(xml)?.[0] ?? '';
/** What the first group of a pattern finds. */
export const refsIn = (xml: string, pattern: RegExp): string[] =>
  [...xml.matchAll(pattern)].map(([, ref = '']) => ref);

/** All parts by their names. */
export async function parts(file: string): Promise<Map<string, string>> {
  const { names } = await readZipDirectory(file, DEFAULT_LIMITS);
  const texts = new Map<string, string>();
  for (const name of names) texts.set(name, await readPart(file, name));
  return texts;
}

/** Every relationship leads to a part, and every part has a content type. */
export async function expectWhole(file: string): Promise<void> {
  const all = await parts(file);
  const types = all.get('[Content_Types].xml') ?? '';
  for (const name of refsIn(types, /PartName="\/([^"]+)"/g)) expect(all.has(name)).toBe(true);
  for (const [name, xml] of all) {
    if (!name.endsWith('.rels')) continue;
    const source = name.replace(/_rels\/([^/]*)\.rels$/, '$1');
    for (const [, target = '', mode] of xml.matchAll(/Target="([^"]*)"( TargetMode="External")?/g))
      if (mode === undefined) expect([...all.keys()]).toContain(resolveTarget(source, target));
  }
  for (const [, id] of (all.get(SHEET) ?? '').matchAll(/r:id="(\w+)"/g))
    expect(all.get('xl/worksheets/_rels/sheet2.xml.rels')).toContain(`Id="${id}"`);
}
