import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { z } from 'zod';
import { EXIT, StopError } from '../../errors.ts';
import type { Row } from '../../schema/cell.ts';
import { cellText } from '../../schema/codec.ts';
import type { Resource } from '../../schema/resource.ts';
import type { Bilingual } from '../../schema/value.ts';
import { readWorkbook } from '../../workbook/read-workbook.ts';
import { checkedNames, type HeaderName, type HeaderTable, headerNames, isNamed } from './header-names.ts';

/** A table of headers as it stands in JSON. */
export const headerTable = z.record(z.string(), z.union([z.string(), z.record(z.string(), z.string())]));

/** What people write above the two columns of such a list. */
const HEADING = /\b(field|veld|column|kolom|interface|catersheet|to|naar|identifier)\b/i;

/**
 * Reads the user's own headers from a file: JSON (`HeaderTable`), or a CSV or workbook of two columns, their header and
 * the column it stands for; a sheet named after a resource is for that resource alone. Throws StopError with EXIT.usage
 * for what it says and EXIT.file for a file that can't be read.
 */
export async function readMapFile(file: string, resources: readonly Resource[]): Promise<HeaderName[]> {
  const source = `--map ${basename(file)}`;
  const json = await jsonOf(file);
  if (json !== undefined) return headerNames(parseTable(json, source), resources, source);
  const names: HeaderName[] = [];
  for (const sheet of await readWorkbook(file)) {
    const resource = resources.find((one) => isNamed(one, sheet.name))?.name ?? null;
    const rows: Row[] = [];
    for await (const row of sheet.rows) rows.push(row);
    names.push(...namesIn(rows, resource, source));
  }
  if (names.length === 0) throw notAMap(source, 'it names no header', 'er staat geen kop in');
  return checkedNames(names, resources, source);
}

/** The text of a file that is meant as JSON; undefined for any other, also one that is not there. */
async function jsonOf(file: string): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  return /\.json$/i.test(file) || /^\ufeff?\s*\{/.test(text) ? text : undefined;
}

function parseTable(text: string, source: string): HeaderTable {
  try {
    const parsed = headerTable.safeParse(JSON.parse(text.replace(/^\ufeff/, '')));
    if (parsed.success) return parsed.data;
  } catch (cause) {
    throw notAMap(source, 'it is not valid JSON', 'het is geen geldige JSON', cause);
  }
  throw notAMap(source, 'it is not an object of texts', 'het is geen object van teksten');
}

function namesIn(rows: readonly Row[], resource: string | null, source: string): HeaderName[] {
  return rows.flatMap((row, at) => {
    const [header = '', field = '', more = ''] = row.cells.map((cell) => cellText(cell).trim());
    if (at === 0 && HEADING.test(field)) return [];
    if (header === '' && field === '') return [];
    if (header !== '' && field !== '' && more === '') return [{ header, field, resource }];
    throw notAMap(
      source,
      `row ${row.number} does not hold two cells, your header and the column it stands for`,
      `rij ${row.number} bevat niet twee cellen, uw kop en de kolom waar die voor staat`,
    );
  });
}

function notAMap(source: string, en: string, nl: string, cause?: unknown): StopError {
  const next: Bilingual = {
    en: 'Write two columns (your header, the column it stands for) in CSV or XLSX, or JSON such as { "Artikelnr": "ExternalID" }.',
    nl: 'Schrijf twee kolommen (uw kop, de kolom waar die voor staat) in CSV of XLSX, of JSON zoals { "Artikelnr": "ExternalID" }.',
  };
  return new StopError(EXIT.usage, { en: `${source}: ${en}.`, nl: `${source}: ${nl}.` }, { next, cause });
}
