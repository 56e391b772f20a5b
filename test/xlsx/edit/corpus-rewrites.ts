import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { cellAddress } from '../../../src/core/cell.ts';
import { DEFAULT_LIMITS, LAST_COLUMN } from '../../../src/files/limits.ts';
import type { ResultSheet } from '../../../src/files/result-sheet.ts';
import { readWorkbook } from '../../../src/workbook/read-workbook.ts';
import { writeResult } from '../../../src/workbook/write-result.ts';
import { utf8Chunks } from '../../../src/xlsx/read/package.ts';
import { NEED, XmlScanner } from '../../../src/xlsx/xml/xml-scanner.ts';
import { inflatePart, readZipDirectory } from '../../../src/xlsx/zip/read-zip.ts';
import { changedParts, HEADERS, type MakeOutcome, madeUp } from './rewrite-fixture.ts';

/** Parts that may change when outcomes are added to the sheets of a workbook, besides the sheets themselves. */
const MAY_CHANGE =
  /\.rels$|styles|calcChain|\[Content_Types\]|workbook\d*\.xml$|tables?\d*\/|sheet\d*\.xml$|worksheets\//i;

/** The workbooks in a folder of real ones, in the order of their names, those that would take long left out. */
export function corpusBooks(folder: string, largest: number): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.xls[xm]$/i.test(name))
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).size <= largest)
    .sort();
}

const some: MakeOutcome = (row, index) => ({
  cells: ['created', row, index % 3 === 0 ? 'mis:\n<&>' : null, null, null],
  tone: 'bad',
  marks: index % 5 === 0 ? [{ column: 1, tone: 'bad' }] : [],
});

async function cellsOf(file: string): Promise<Map<string, string>> {
  const cells = new Map<string, string>();
  for (const sheet of await readWorkbook(file))
    for await (const { number, cells: row } of sheet.rows)
      for (const { column, ...cell } of row)
        cells.set(`${sheet.name}!${cellAddress(column, number)}`, JSON.stringify(cell));
  return cells;
}

/** A workbook made by hand, whose styles part is empty: it is given back as a new one. */
const BARE = /nonstandard-xml-ns-prefix\.xlsx$/;

/** What is wrong with the result of a workbook with made-up outcomes; nothing for one that can't be read. */
export async function rewriteFaults(file: string, target: string): Promise<string[]> {
  let before: Map<string, string>;
  let sheets: ResultSheet[];
  try {
    before = await cellsOf(file);
    sheets = (await madeUp(file, some)).filter(
      ({ added }) => (added?.firstColumn ?? 0) + HEADERS.length <= LAST_COLUMN,
    );
  } catch {
    return [];
  }
  const summary = { name: 'Resultaat', replaces: null, widths: [9], rows: () => [[{ value: 'x' }]] };
  const { notes } = await writeResult(target, sheets, { source: file, summary });
  if (notes.some(({ en }) => en.includes('a new one')))
    return BARE.test(file) ? [] : [`${file} was written anew`];
  const after = await cellsOf(target);
  const lost = [...before].filter(([place, cell]) => after.get(place) !== cell).map(([place]) => place);
  const marks = [...after.values()].filter((cell) =>
    HEADERS.some((header) => cell.includes(`"value":"${header}"`)),
  );
  const changed = (await changedParts(file, target)).filter(
    (name) => !name.startsWith('+') && !name.endsWith('/') && !MAY_CHANGE.test(name),
  );
  return [
    ...lost.slice(0, 3).map((place) => `${file} ${place} is not what it was`),
    ...(marks.length >= sheets.length * HEADERS.length ? [] : [`${file} lacks added headers`]),
    ...changed.map((name) => `${file} ${name} was touched`),
    ...(await malformed(target)),
  ];
}

async function malformed(file: string): Promise<string[]> {
  const directory = await readZipDirectory(file, DEFAULT_LIMITS);
  const wrong: string[] = [];
  for (const name of directory.names) {
    const entry = directory.find(name);
    if (
      entry === undefined ||
      !/\/(sheet\d*|styles|workbook|comments\d*|table\d*)\.xml$|Types\]\.xml$/.test(name)
    )
      continue;
    const scanner = new XmlScanner(DEFAULT_LIMITS.tokenBytes);
    try {
      for await (const chunk of utf8Chunks(inflatePart(file, entry, DEFAULT_LIMITS))) {
        scanner.feed(chunk);
        while (scanner.next() !== NEED);
      }
      scanner.finish();
    } catch (cause) {
      wrong.push(`${file} ${name}: ${String(cause)}`);
    }
  }
  return wrong;
}
