import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { cellAddress } from '../../../src/core/cell.ts';
import { DEFAULT_LIMITS, LAST_COLUMN } from '../../../src/files/limits.ts';
import type { ResultSheet, ShownOutcome } from '../../../src/files/result-sheet.ts';
import { readWorkbook } from '../../../src/workbook/read-workbook.ts';
import { writeResult } from '../../../src/workbook/write-result.ts';
import { NEED, XmlScanner } from '../../../src/xlsx/xml/xml-scanner.ts';
import { utf8Chunks } from '../../../src/xlsx/xml/xml-text.ts';
import { inflatePart, readZipDirectory } from '../../../src/xlsx/zip/read-zip.ts';
import { changedParts, HEADERS, type MakeOutcome, madeUp } from './rewrite-fixture.ts';

/** Parts that may change when outcomes are added to the sheets of a workbook, besides the sheets themselves. */
const MAY_CHANGE =
  /\.rels$|styles|\[Content_Types\]|workbook\d*\.xml$|tables?\d*\/|comments|vmlDrawing|sheet\d*\.xml$|worksheets\//i;

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
  marks: index % 5 === 0 ? [{ column: 1, tone: 'bad', text: 'fout' }] : [],
});

async function cellsOf(file: string): Promise<Map<string, string>> {
  const cells = new Map<string, string>();
  for (const sheet of await readWorkbook(file))
    for await (const { number, cells: row } of sheet.rows)
      for (const { column, ...cell } of row)
        cells.set(`${sheet.name}!${cellAddress(column, number)}`, JSON.stringify(cell));
  return cells;
}

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
  if (notes.some(({ en }) => en.includes('a new one'))) return [`${file} was written anew`];
  const after = await cellsOf(target);
  const lost = [...before].filter(([place, cell]) => after.get(place) !== cell).map(([place]) => place);
  const marks = [...after.values()].filter((cell) =>
    HEADERS.some((header) => cell.includes(`"value":"${header}"`)),
  );
  const changed = (await changedParts(file, target)).filter(
    (name) => !name.startsWith('+') && !MAY_CHANGE.test(name),
  );
  return [
    ...lost.slice(0, 3).map((place) => `${file} ${place} is not what it was`),
    ...(marks.length >= sheets.length * HEADERS.length ? [] : [`${file} lacks added headers`]),
    ...changed.map((name) => `${file} ${name} was touched`),
    ...(await malformed(target)),
  ];
}

/** What is wrong with a result in which every third row is seen; nothing for one that can't be read. */
export async function hidingFaults(file: string, target: string): Promise<string[]> {
  let before: Map<string, string>;
  let sheets: ResultSheet[];
  try {
    before = await cellsOf(file);
    sheets = (await madeUp(file, thirds)).filter(
      ({ added }) => (added?.firstColumn ?? 0) + HEADERS.length <= LAST_COLUMN,
    );
  } catch {
    return [];
  }
  const wants = ({ cells }: ShownOutcome): boolean => cells[0] === 'invalid';
  const written = sheets.map((sheet) => ({ ...sheet, shown: { wants, lastRow: 0 } }));
  const { notes } = await writeResult(target, written, { source: file });
  if (notes.some(({ en }) => en.includes('a new one'))) return [`${file} was written anew`];
  const after = await cellsOf(target);
  const lost = [...before].filter(([place, cell]) => after.get(place) !== cell).map(([place]) => place);
  const kept = new Set(notes.map(({ en }) => /^sheet (.*): (?:no row|its own)/.exec(en)?.[1]));
  return [
    ...lost.slice(0, 3).map((place) => `${file} ${place} is not what it was`),
    ...(await unhidden(
      file,
      target,
      sheets.filter(({ name }) => !kept.has(name)),
    )),
    ...(await malformed(target)),
  ];
}

const thirds: MakeOutcome = (row) => ({
  cells: [row % 3 === 0 ? 'invalid' : 'created', row, null, null, null],
  tone: 'bad',
});

/** Rows that are seen or hidden and should not be: of those below the header every third is seen. */
async function unhidden(file: string, target: string, sheets: readonly ResultSheet[]): Promise<string[]> {
  const hiddenOf = async (from: string): Promise<Map<string, boolean>> => {
    const rows = new Map<string, boolean>();
    for (const { name, rows: all } of await readWorkbook(from))
      for await (const { number, hidden = false } of all) rows.set(`${name}!${number}`, hidden);
    return rows;
  };
  const [before, after] = await Promise.all([hiddenOf(file), hiddenOf(target)]);
  return sheets.flatMap(({ name, headerRow }) =>
    [...after].flatMap(([place, hidden]) => {
      const [sheet, number] = [place.slice(0, place.lastIndexOf('!')), Number(/\d+$/.exec(place)?.[0])];
      if (sheet !== name) return [];
      const isBelow = number > (headerRow ?? 0);
      const expected = isBelow ? number % 3 > 0 : before.get(place);
      // Below a table its filter does not reach.
      return hidden === expected || !hidden ? [] : [`${file} ${place} is hidden`];
    }),
  );
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

/** Converts workbooks with LibreOffice, one start for all; answers those that it made nothing of. */
export function unopened(office: string, profile: string, files: readonly string[], into: string): string[] {
  execFileSync(
    office,
    [`-env:UserInstallation=${profile}`, '--headless', '--convert-to', 'pdf', '--outdir', into, ...files],
    {
      timeout: 600_000,
      stdio: 'ignore',
    },
  );
  const made = new Set(readdirSync(into));
  return files.filter((file) => !made.has(`${file.replace(/^.*\//, '').replace(/\.[^.]*$/, '')}.pdf`));
}
