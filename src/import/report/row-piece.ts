import { type ElementPiece, element, type Piece } from './piece.ts';
import type { ReportChange, ReportHead, ReportRow } from './report-data.ts';

/** A row as a line of the page's table. Roles are written out, as a table that a phone shows as cards is none by itself. */
export function rowPiece(row: ReportRow, head: ReportHead): ElementPiece {
  const [sheet, number, outcome, id, external, name, message, changes] = row;
  const { text = '', tone = 'plain' } = head.outcomes[outcome] ?? {};
  const ids = [
    ...(id === null ? [] : [`id ${id}`]),
    ...(external === null ? [] : [`ExternalID ${external}`]),
  ].join(' · ');
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
      ...(name === '' ? [] : [element('strong', {}, name)]),
      ...(ids === '' ? [] : [element('span', { class: 'ids' }, ids)]),
    ),
    cell(
      'said',
      ...messagePieces(message),
      ...changePieces(changes, head, tone === 'warn' || tone === 'bad'),
    ),
  );
}

/** What a link to a row leads to. */
export function rowAnchor(sheet: number, row: number): string {
  return `s${sheet}r${row}`;
}

/** The table's head, in the order of a row's cells. */
export function rowHeads({ words }: Pick<ReportHead, 'words'>): ElementPiece {
  const heads = [words.row, words.outcome, words.record, words.said];
  return element(
    'tr',
    { role: 'row' },
    heads.map((text) => element('th', { role: 'columnheader', scope: 'col' }, text)),
  );
}

function cell(name: string, ...children: Piece[]): ElementPiece {
  return element('td', { role: 'cell', class: name }, children);
}

function messagePieces(message: string): Piece[] {
  return message === '' ? [] : message.split('\n').map((line) => element('p', {}, line));
}

/** What was wanted and did not happen, or perhaps not, is not told as if it had. */
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
      ...(from === null ? [] : [valuePiece('del', from), ' → ']),
      valuePiece('ins', to),
    ),
  );
  const list = element('ul', { class: fresh ? 'changes fresh' : 'changes' }, lines);
  return wanted ? [element('p', { class: 'wanted' }, words.wanted), list] : [list];
}

/** A value this long or shorter is never broken: half a date can be misread. */
const SHORT = 22;

function valuePiece(tag: 'del' | 'ins', text: string): ElementPiece {
  return element(tag, text.length > SHORT ? { class: 'long' } : {}, text);
}
