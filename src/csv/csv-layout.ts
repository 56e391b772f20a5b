import { usageStop } from '../core/errors.ts';
import { t } from '../core/language.ts';
import type { TextEncoding } from '../files/text-encoding.ts';
import { csvRecords } from './csv-records.ts';

/** How a CSV is written, so that a result looks like the file that was read. */
export interface CsvStyle {
  readonly delimiter: string;
  readonly encoding: TextEncoding;
  /** The first line names the separator, `sep=;`. */
  readonly named: boolean;
}

/** The style of a result that does not come from a CSV. */
export const PLAIN_STYLE: CsvStyle = { delimiter: ';', encoding: 'utf-8', named: false };

/**
 * How a formula starts to a spreadsheet program, guarded or not: also in full width, as Chinese and Japanese
 * programs take it, in small signs, and behind what such a program leaves out.
 */
const FORMULA = /^'*[\s\u200b\u2060]*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b]/;
const APOSTROPHE = 39;

/** Puts an apostrophe before a text that a spreadsheet program would run as a formula. */
export function guardFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** Undoes `guardFormula`. */
export function unguardFormula(text: string): string {
  return text.charCodeAt(0) === APOSTROPHE && FORMULA.test(text) ? text.slice(1) : text;
}

/** Separators to look for, the likeliest first. */
const CANDIDATES = [';', '\t', ',', '|'] as const;
const RECORDS = 100;

const NAMES: Readonly<Record<string, string>> = { tab: '\t', '\\t': '\t' };

/** How a CSV is written, the length of a `sep=` line before its records, and how many fields those have. */
type CsvLayout = CsvStyle & {
  readonly skip: number;
  readonly expected: readonly number[];
  /** Up to which column most records are filled. */
  readonly filled: number;
  /** Every line is quoted as a whole. */
  readonly whole: boolean;
};

/** The separator of `--delimiter`: one character, or `tab`. Throws StopError with EXIT.usage. */
export function knownDelimiter(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const delimiter = NAMES[given.toLowerCase()] ?? given;
  if ([...delimiter].length === 1 && !/["\r\n\0\ufeff]/.test(delimiter)) return delimiter;
  const shown = JSON.stringify(given);
  throw usageStop(
    t(`The separator ${shown} is not one character.`, `Het scheidingsteken ${shown} is niet één teken.`),
    t(
      'Use ";", ",", "|", tab, or another character that stands between the fields, no quote.',
      'Gebruik ";", ",", "|", tab, of een ander teken dat tussen de velden staat, geen aanhalingsteken.',
    ),
  );
}

/** Finds the layout in the first lines of a CSV in this encoding; a given separator wins. */
export function findLayout(start: string, encoding: TextEncoding, given: string | undefined): CsvLayout {
  const line = /^"?sep=([^\n"])\1*"?(?:\n|$)/i.exec(start);
  const skip = line?.[0].length ?? 0;
  const rest = start.slice(skip);
  const delimiter = given ?? line?.[1] ?? likeliest(rest);
  const { records, sure, whole } = firstRecords(rest, delimiter);
  const style = { delimiter, encoding, named: skip > 0 };
  const counted = sure.length === 0 ? records : sure;
  return { ...style, skip, whole, expected: sizesOf(counted), filled: commonest(counted.map(lastFilled)) };
}

/**
 * The separator that cuts most records into the same number of fields; of those, the one that makes most
 * fields. One found in under half of the records belongs to their texts. A header counts as much as all
 * records together: in ragged rows the commas of prices agree best.
 */
function likeliest(start: string): string {
  let best: string = CANDIDATES[0];
  let bestScore = 0;
  for (const candidate of CANDIDATES) {
    const { records } = firstRecords(start, candidate);
    const counts = records.map(({ length }) => length);
    const cut = counts.filter((fields) => fields > 1).length;
    const score = cut * 2 < counts.length ? 0 : agreement(counts) + counts.length * headersIn(records);
    if (score > bestScore) {
      best = candidate;
      bestScore = score;
    }
  }
  return best;
}

function agreement(counts: readonly number[]): number {
  const seen = new Map<number, number>();
  for (const count of counts) if (count > 1) seen.set(count, (seen.get(count) ?? 0) + 1);
  let best = 0;
  for (const [fields, records] of seen) best = Math.max(best, records + fields / 100_000);
  return best;
}

/** A text that looks like a header; unquoted, it may hold a comma but no other separator. */
const HEADER = /^\s*(?:"\s*[\p{L}#][^"]*"|[\p{L}#][^;\t|"]*)\s*$/u;

/** How many fields of the first record that is cut look like headers; one alone does not count. */
function headersIn(records: readonly (readonly string[])[]): number {
  const first = records.find(({ length }) => length > 1) ?? [];
  const headers = first.filter((field) => HEADER.test(field)).length;
  return headers < 2 ? 0 : headers;
}

/** How many fields records are expected to have: as most of the first ones, or as the header. */
function sizesOf(records: readonly (readonly string[])[]): number[] {
  const sizes = records.map(({ length }) => length).filter((fields) => fields > 1);
  if (sizes.length === 0) return [1];
  return [...new Set([commonest(sizes), sizes[0] as number])];
}

/** The commonest of some numbers, the first of equals; 0 for none. */
function commonest(sizes: readonly number[]): number {
  const count = (size: number): number => sizes.filter((one) => one === size).length;
  return sizes.reduce((best, size) => (count(size) > count(best) ? size : best), sizes[0] ?? 0);
}

const lastFilled = (fields: readonly string[]): number => fields.findLastIndex((one) => one !== '') + 1;

const RULE = /^[\s:|+=_-]*[=_-]{3}[\s:|+=_-]*$/;
const MAY_RULE = /^[\s:|+=_-]/;

/** Whether a record only rules off others, such as `---|---` or `+====+`. */
export function isRule(fields: readonly string[]): boolean {
  const first = fields.find((field) => field !== '');
  return first !== undefined && MAY_RULE.test(first) && RULE.test(fields.join(''));
}

const tells = (fields: readonly string[]): boolean =>
  (fields.length > 1 || fields[0] !== '') && !isRule(fields);

/** The first records that tell, with their quotes, and those of them without trouble of quotes. */
function firstRecords(start: string, delimiter: string) {
  const cutter = csvRecords({ delimiter, longest: start.length + 1, raw: true, most: RECORDS });
  const read: (readonly string[])[] = [];
  const sure: (readonly string[])[] = [];
  for (const cut of [() => cutter.take(start), () => cutter.finish()]) {
    const records = cut().filter(tells);
    read.push(...records);
    sure.push(...records.filter((fields) => !cutter.troubles.has(fields)));
  }
  const records = read.slice(0, RECORDS);
  const inside = records.map((fields) =>
    fields.length === 1 ? insideOf(fields[0] ?? '', delimiter) : undefined,
  );
  const lines = inside.map((fields, at) => fields ?? (records[at] as readonly string[]));
  const size = lines[0]?.length ?? 0;
  const whole = inside.every((fields) => fields !== undefined);
  const alike = lines.filter(({ length }) => length === size).length;
  // A text with commas in a file of one column is quoted too: the headers have to be cut as the rows are.
  const areLines = whole ? alike * 2 > lines.length : alike === lines.length;
  if (size > 1 && areLines && inside.some((fields) => fields !== undefined))
    return { records: lines, sure: lines, whole };
  return { records, sure: sure.slice(0, RECORDS), whole: false };
}

/** The fields, with their quotes, of a line that is quoted as a whole; undefined for another. */
function insideOf(line: string, delimiter: string): readonly string[] | undefined {
  const text = /^\s*"(.*)"\s*$/s.exec(line)?.[1]?.replaceAll('""', '"') ?? '';
  if (!text.includes(delimiter)) return undefined;
  const cutter = csvRecords({ delimiter, longest: text.length + 1, raw: true });
  const [fields, ...more] = [...cutter.take(text), ...cutter.finish()];
  return more.length === 0 ? fields : undefined;
}
