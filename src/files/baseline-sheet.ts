import type { Row } from '../core/cell.ts';
import { cellText } from '../core/codec.ts';
import type { Value, Values } from '../core/value.ts';
import type { Sheet } from './sheet.ts';

/**
 * The `veryHidden` sheet with the baseline: what each record was when the workbook was written. It tells
 * changes of the user from changes of others.
 */
export const BASELINE_SHEET = 'catersheet';

const VERSION = '1';
const HEADER = ['#base', 'key', 'LMT', 'values'];
const MARK = '#service';
/** A cell holds at most 32,767 characters. */
const CELL = 32_000;
const VALUES = 3;

/** The ledger key of the service that the records are from, and when they were read or written (ISO, UTC). */
export interface BaselineStamp {
  readonly service: string;
  readonly at: string;
  /** The run that the workbook undoes, if it does. */
  readonly undoes?: string;
  /** The headers of its columns that are only shown, by kind of records, as JSON. */
  readonly shown?: string;
}

/** One record as it was. */
export interface BaselineRecord {
  readonly resource: string;
  /** The key of the planner, such as `id:123`. */
  readonly key: string;
  /** As the service gave it. */
  readonly lmt: string | null;
  /** By field; an absent one is unknown, null was empty. */
  readonly values: Values;
  /** What its cells held in the columns that are only shown; absent where the workbook does not say. */
  readonly shown?: readonly string[] | undefined;
}

/** In place of a field: what is only shown. */
const SHOWN = '#shown';

/** The two rows above the records, as cell texts from column A. */
export function encodeBaselineStamp(stamp: BaselineStamp): readonly (readonly string[])[] {
  return [HEADER, [MARK, VERSION, '', ...pieces({ ...stamp })]];
}

/** Gives a kind's headers of columns that are only shown; undefined where a stamp does not tell them. */
export function shownHeaders({
  shown,
}: BaselineStamp): ((resource: string) => readonly string[]) | undefined {
  const kinds = shown === undefined ? undefined : readObject(shown);
  if (kinds === undefined) return undefined;
  return (resource) => {
    const own = kinds[resource];
    return Array.isArray(own) ? own.map(String) : [];
  };
}

/** The row of a record, as cell texts from column A. */
export function encodeBaselineRecord(record: BaselineRecord): readonly string[] {
  const { resource, key, lmt, values, shown } = record;
  const all = shown === undefined ? values : { ...values, [SHOWN]: JSON.stringify(shown) };
  return [resource, key, lmt ?? '', ...pieces(all)];
}

/** What a row about the names in a column begins with. */
const NAMES = '#names';

/** A row with the ids that the names in a column stand for, of one list or of two, from column A. */
export function encodeNames(
  resource: string,
  header: string,
  names: ReadonlyMap<number, string>,
): readonly string[] {
  const ids = new Map<string, string>();
  for (const [id, name] of names) ids.set(name, [ids.get(name) ?? [], id].flat().join(' '));
  return [NAMES, resource, header, ...pieces(Object.fromEntries(ids))];
}

/** Takes such a row, by resource and header; false for any other row. */
export function takeNames(known: Map<string, Values>, texts: readonly string[]): boolean {
  const [mark, resource = '', header = ''] = texts;
  if (mark !== NAMES) return false;
  known.set(`${resource} ${header}`, readValues(textIn(texts)) ?? {});
  return true;
}

/** Whether a row is the first one of a baseline sheet. */
export function isBaselineHeader(texts: readonly string[]): boolean {
  return HEADER.every((name, column) => texts[column] === name);
}

/** Reads the second row; undefined for another version, or when it was edited. */
export function decodeBaselineStamp(texts: readonly string[]): BaselineStamp | undefined {
  const values = texts[0] === MARK && texts[1] === VERSION ? readValues(textIn(texts)) : undefined;
  const { service, at, undoes, shown } = values ?? {};
  if (typeof service !== 'string' || typeof at !== 'string') return undefined;
  const told = typeof shown === 'string' ? { shown } : {};
  return typeof undoes === 'string' ? { service, at, undoes, ...told } : { service, at, ...told };
}

/** Reads the row of a record; undefined when it was edited. */
export function decodeBaselineRecord(texts: readonly string[]): BaselineRecord | undefined {
  const [resource = '', key = '', lmt = ''] = texts;
  const read = readValues(textIn(texts));
  if (resource === '' || key === '' || read === undefined) return undefined;
  const { [SHOWN]: shown, ...values } = read;
  const record = { resource, key, lmt: lmt === '' ? null : lmt, values };
  return shown === undefined ? record : { ...record, shown: shownIn(shown) };
}

/** What is only shown, from its JSON; undefined where that was edited. */
function shownIn(json: Value | undefined): readonly string[] | undefined {
  try {
    const read: unknown = JSON.parse(String(json));
    return Array.isArray(read) ? read.map(String) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * JSON that a workbook can't hold: `_x` may start an escape (`_x000D_`), U+FFFE and U+FFFF are not XML, and a
 * cell of blanks alone is lost.
 */
const UNFIT = /_(?=x)|[\ufffe\uffff]|(?<= ) /gi;

/** Looking for one of these is quicker than replacing nothing. */
const HINTS = ['_x', '_X', '  ', '\ufffe', '\uffff'];

function pieces(values: Values): string[] {
  const json = JSON.stringify(values);
  const text = HINTS.some((hint) => json.includes(hint)) ? json.replace(UNFIT, escaped) : json;
  const found: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = at + CELL - (isLeadSurrogate(text.charCodeAt(at + CELL - 1)) ? 1 : 0);
    found.push(text.slice(at, end));
    at = end;
  }
  return found;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

const isLeadSurrogate = (code: number): boolean => code >= 0xd8_00 && code <= 0xdb_ff;

const textIn = (texts: readonly string[]): string => texts.slice(VALUES).join('');

/** Values from their JSON; undefined where that was edited. */
export function readValues(json: string): Values | undefined {
  const read = readObject(json);
  return read !== undefined && isValues(read) ? read : undefined;
}

function readObject(json: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const read: unknown = JSON.parse(json);
    return typeof read !== 'object' || read === null || Array.isArray(read) ? undefined : { ...read };
  } catch {
    return undefined;
  }
}

const isValues = (read: Readonly<Record<string, unknown>>): read is Values =>
  Object.values(read).every((value) => value === null || typeof value !== 'object');

/** The baseline goes on to numbered sheets where it does not fit on one. */
const BASE_NAME = new RegExp(`^${BASELINE_SHEET}(?: \\(\\d+\\))?$`);

/** Whether a workbook has a baseline sheet. */
export const holdsBaseline = ({ sheets }: { readonly sheets: readonly Pick<Sheet, 'name'>[] }): boolean =>
  sheets.some(({ name }) => BASE_NAME.test(name));

/** Whether a sheet is the baseline, by its name and its first row. */
export async function isBaselineSheet(sheet: Sheet): Promise<boolean> {
  if (!BASE_NAME.test(sheet.name)) return false;
  for await (const row of sheet.rows) return isBaselineHeader(textsOf(row));
  return false;
}

/** The texts that the cells of a row show, from column A. */
export function textsOf({ cells }: Row): string[] {
  const texts: string[] = new Array<string>(cells.at(-1)?.column ?? 0).fill('');
  for (const cell of cells) texts[cell.column - 1] = cellText(cell);
  return texts;
}
