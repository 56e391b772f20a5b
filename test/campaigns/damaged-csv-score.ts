import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Row } from '../../src/core/cell.ts';
import { readWorkbook } from '../../src/workbook/read-workbook.ts';

/** How well one damaged file was read: the ten measures of the benchmark, and whether it was read at all. */
export interface FileScore {
  readonly file: string;
  /** From 0 to 10. */
  readonly score: number;
  /** The message that it was refused with, empty for a file that was read. */
  readonly refused: string;
  /** Rows that were read with a doubt about their quotes. */
  readonly doubted: number;
}

type Table = readonly (readonly string[])[];

/** Precision, recall and their harmonic mean, of what was read against what is right. */
function measures(right: readonly string[], read: readonly string[]): number {
  if (right.length === 0) return 3;
  const left = new Map<string, number>();
  for (const one of right) left.set(one, (left.get(one) ?? 0) + 1);
  let same = 0;
  for (const one of read) {
    const count = left.get(one) ?? 0;
    if (count === 0) continue;
    same++;
    left.set(one, count - 1);
  }
  if (same === 0) return 0;
  const [precision, recall] = [same / right.length, same / read.length];
  return precision + recall + (2 * precision * recall) / (precision + recall);
}

const normal = (cell: string): string => cell.toLowerCase();
const joined = (row: readonly string[]): string => row.map(normal).join('');

/** The ten measures of a table that was read: 1, and three each for its header, its rows and its cells. */
function scoreOf(right: Table, read: Table): number {
  if (right.length === 0) return 10;
  const header = measures((right[0] ?? []).map(normal), (read[0] ?? []).map(normal));
  const rows = measures(right.slice(1).map(joined), read.slice(1).map(joined));
  return 1 + header + rows + measures(right.flat(), read.flat());
}

/** A table that was written by the rules: commas, and quotes that are doubled inside quotes. */
function cleanTable(text: string): Table {
  const rows: string[][] = [];
  let row: string[] = [];
  const fields = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\r|\n|$)/gy;
  for (
    let found = fields.exec(text);
    found !== null && found.index < text.length;
    found = fields.exec(text)
  ) {
    row.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '');
    if (found[3] === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

/** The parameters with which the benchmark has its files read: what a user would say with our flags. */
interface Parameters {
  readonly delimiter: string;
  readonly encoding: string;
}

async function readTable(file: string, { delimiter, encoding }: Parameters) {
  const given = delimiter === '' ? {} : { delimiter: delimiter.slice(0, 1) };
  const rows: Row[] = [];
  for (const sheet of await readWorkbook(file, { ...given, encoding }))
    for await (const row of sheet.rows) rows.push(row);
  // A table has as many columns as its header; cells that hold nothing are not read.
  const width = rows[0]?.cells.at(-1)?.column ?? 0;
  const table = rows.map(({ cells }) => {
    const texts = Array.from({ length: Math.max(width, cells.at(-1)?.column ?? 0) }, () => '');
    for (const { column, value } of cells) texts[column - 1] = String(value);
    return texts;
  });
  return { table, doubted: rows.filter((row) => row.finding !== undefined).length };
}

/** Reads every file of the benchmark in a folder, and scores it. */
export async function scoreFolder(folder: string): Promise<FileScore[]> {
  const scores: FileScore[] = [];
  for (const file of readdirSync(join(folder, 'csv')).sort()) {
    const parameters = readFileSync(join(folder, 'parameters', `${file}_parameters.json`), 'utf8');
    const right = cleanTable(readFileSync(join(folder, 'clean', file), 'utf8').replace(/^\ufeff/, ''));
    try {
      const { table, doubted } = await readTable(join(folder, 'csv', file), JSON.parse(parameters));
      scores.push({ file, score: scoreOf(right, table), refused: '', doubted });
    } catch (cause) {
      const refused = cause instanceof Error ? cause.message : String(cause);
      scores.push({ file, score: right.length === 0 ? 10 : 0, refused, doubted: 0 });
    }
  }
  return scores;
}
