import type { Row } from '../core/cell.ts';
import { cellText } from '../core/codec.ts';
import type { Value, Values } from '../core/value.ts';
import type { Sheet } from './sheet.ts';

/**
 * The name of the sheet, of state `veryHidden`, in which a workbook of ours holds what each of its records was when it was
 * written: how the same workbook, edited, tells the user's changes from those of others.
 */
export const BASE_SHEET = 'catersheet';

const VERSION = '1';
const HEADER = ['#base', 'key', 'LMT', 'values'];
const MARK = '#service';
/** A cell holds 32,767 characters at most. */
const CELL = 32_000;
const VALUES = 3;

/** Of which service the records are, by its key in the ledger, and when they were read or written: ISO in UTC. */
export interface BaseStamp {
  readonly service: string;
  readonly at: string;
  /** The run that the workbook takes back, where it does. */
  readonly undoes?: string;
}

/** What one record was. */
export interface BaseRecord {
  /** Such as `packages`. */
  readonly resource: string;
  /** The key that the planner gives the record, such as `id:123`. */
  readonly key: string;
  /** The record's LMT as the service gave it. */
  readonly lmt: string | null;
  /** By field; one that is absent is not known, null held nothing. */
  readonly values: Values;
}

/** The two rows that stand above the records, as the texts of their cells from A. */
export function encodeBaseStamp(stamp: BaseStamp): readonly (readonly string[])[] {
  return [HEADER, [MARK, VERSION, '', ...pieces({ ...stamp })]];
}

/** One record's row, as the texts of its cells from A. */
export function encodeBaseRecord({ resource, key, lmt, values }: BaseRecord): readonly string[] {
  return [resource, key, lmt ?? '', ...pieces(values)];
}

/** Whether a row is the first of such a sheet. */
export function isBaseHeader(texts: readonly string[]): boolean {
  return HEADER.every((name, column) => texts[column] === name);
}

/** What the second row says; undefined when it is not of this version, or was meddled with. */
export function decodeBaseStamp(texts: readonly string[]): BaseStamp | undefined {
  const values = texts[0] === MARK && texts[1] === VERSION ? readValues(texts) : undefined;
  const { service, at, undoes } = values ?? {};
  if (typeof service !== 'string' || typeof at !== 'string') return undefined;
  return typeof undoes === 'string' ? { service, at, undoes } : { service, at };
}

/** What a further row says; undefined when it was meddled with. */
export function decodeBaseRecord(texts: readonly string[]): BaseRecord | undefined {
  const [resource = '', key = '', lmt = ''] = texts;
  const values = readValues(texts);
  if (resource === '' || key === '' || values === undefined) return undefined;
  return { resource, key, lmt: lmt === '' ? null : lmt, values };
}

/**
 * JSON of what a workbook can hold: `_x` could be taken for the start of an escape (`_x000D_`), U+FFFE and U+FFFF are no XML,
 * and a cell of blanks alone is no cell.
 */
const UNFIT = /_(?=x)|[\ufffe\uffff]|(?<= ) /gi;

/** One of them is in every text with something unfit in it: looking for them takes less than replacing nothing. */
const HINTS = ['_x', '_X', '  ', '\ufffe', '\uffff'];

function pieces(values: Values): string[] {
  const json = JSON.stringify(values);
  const text = HINTS.some((hint) => json.includes(hint)) ? json.replace(UNFIT, escaped) : json;
  const found: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = at + CELL - (isLead(text.charCodeAt(at + CELL - 1)) ? 1 : 0);
    found.push(text.slice(at, end));
    at = end;
  }
  return found;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** The first half of a character of two. */
function isLead(code: number): boolean {
  return code >= 0xd8_00 && code <= 0xdb_ff;
}

function readValues(texts: readonly string[]): Values | undefined {
  try {
    const read: unknown = JSON.parse(texts.slice(VALUES).join(''));
    return isValues(read) ? read : undefined;
  } catch {
    return undefined;
  }
}

function isValues(read: unknown): read is Values {
  if (typeof read !== 'object' || read === null || Array.isArray(read)) return false;
  return Object.values(read).every((value): value is Value => value === null || typeof value !== 'object');
}

/** What does not fit on one sheet goes on to others, each with all that says what it is. */
const BASE_NAME = new RegExp(`^${BASE_SHEET}(?: \\(\\d+\\))?$`);

/** Whether a workbook is one that this program wrote together with what its records were. */
export const holdsBaseline = ({ sheets }: { readonly sheets: readonly Pick<Sheet, 'name'>[] }): boolean =>
  sheets.some(({ name }) => BASE_NAME.test(name));

/** Whether a sheet is the hidden one that says what the records were. */
export async function isBaselineSheet(sheet: Sheet): Promise<boolean> {
  if (!BASE_NAME.test(sheet.name)) return false;
  for await (const row of sheet.rows) return isBaseHeader(textsOf(row));
  return false;
}

/** What the cells of a row show. */
export function textsOf({ cells }: Row): string[] {
  const texts: string[] = new Array<string>(cells.at(-1)?.column ?? 0).fill('');
  for (const cell of cells) texts[cell.column - 1] = cellText(cell);
  return texts;
}
