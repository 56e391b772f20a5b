import type { Tone } from '../../core/outcome-tones.ts';
import { type ElementPiece, element, type Piece } from './piece.ts';
import type { PageWords } from './report-words.ts';

/** A changed field of a row: its number in the head, its old text (null for a new record) and its new one. */
export type ReportChange = readonly [field: number, from: string | null, to: string];

/** One row as the page holds it: sheet, outcome and fields by number in the head, the rest as shown. */
export type ReportRow = readonly [
  sheet: number,
  row: number,
  outcome: number,
  id: number | null,
  /** The keys that the row names its record by, as shown; empty when there are none. */
  key: string,
  /** The record's name; empty where it is not known. */
  name: string,
  /** The row's messages, a line each; empty when there are none. */
  message: string,
  changes: readonly ReportChange[],
];

/** The page's data beside its rows. */
export interface ReportHead {
  readonly language: string;
  readonly sheets: readonly string[];
  readonly outcomes: readonly { readonly text: string; readonly tone: Tone }[];
  readonly fields: readonly string[];
  readonly words: PageWords;
}

/** The class of the script elements that hold the rows, and the id of the one that holds the head. */
export const PAGE_DATA = { rows: 'report-rows', head: 'report-head' } as const;

/** A row as a line of the page's table, with roles: on a phone it is laid out as cards. */
export function rowPiece(row: ReportRow, head: ReportHead): ElementPiece {
  const [sheet, number, outcome, id, key, name, message, changes] = row;
  const { text = '', tone = 'plain' } = head.outcomes[outcome] ?? {};
  const keys = [id === null ? [] : `id ${id}`, key === '' ? [] : key].flat();
  const lines = message === '' ? [] : message.split('\n');
  const cell = (name: string, ...children: (Piece | false)[]): ElementPiece =>
    element('td', { role: 'cell', class: name }, children);
  return element(
    'tr',
    { role: 'row', id: rowAnchor(sheet, number), class: tone },
    element(
      'th',
      { role: 'rowheader', scope: 'row', class: 'place' },
      element('span', { class: 'sheet' }, head.sheets[sheet] ?? ''),
      ` ${number}`,
    ),
    cell('outcome', element('span', { class: `pill ${tone}` }, text)),
    cell(
      'record',
      name !== '' && element('strong', {}, name),
      keys.length > 0 && element('span', { class: 'ids' }, keys.join(' · ')),
    ),
    cell(
      'said',
      ...lines.map((line) => element('p', {}, line)),
      ...changePieces(changes, head, tone === 'warn' || tone === 'bad'),
    ),
  );
}

/** The id of a row in the page, for links. */
export const rowAnchor = (sheet: number, row: number): string => `s${sheet}r${row}`;

/** `wanted`: the changes did not happen, or are not known to have. */
function changePieces(
  changes: readonly ReportChange[],
  { fields, words }: ReportHead,
  wanted: boolean,
): Piece[] {
  if (changes.length === 0) return [];
  const fresh = changes.every(([, from]) => from === null);
  const lines = changes.map(([field, from, to]) =>
    element(
      'li',
      {},
      element('b', {}, fields[field] ?? ''),
      ': ',
      from !== null && valuePiece('del', from),
      from !== null && ' → ',
      valuePiece('ins', to),
    ),
  );
  const list = element('ul', { class: fresh ? 'changes fresh' : 'changes' }, lines);
  return wanted ? [element('p', { class: 'wanted' }, words.wanted), list] : [list];
}

/** Longest value that is never broken: half a date can be misread. */
const SHORT = 22;

function valuePiece(tag: 'del' | 'ins', text: string): ElementPiece {
  return element(tag, { class: text.length > SHORT ? 'long' : undefined }, text);
}
