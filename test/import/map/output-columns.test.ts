import { describe, expect, test } from 'vitest';
import { columnLetters } from '../../../src/core/cell.ts';
import { OUTPUT_MARKS } from '../../../src/core/header.ts';
import { findHeader } from '../../../src/import/map/find-header.ts';

import { mapHeader, outputHeaders } from '../../../src/import/map/sheet-mapping.ts';
import { packages } from '../../../src/resources/packages.ts';
import { type CellInput, toCells } from './sheet-of.ts';

const OURS = [...OUTPUT_MARKS];

/** The sheet's mapping, from its headers and the rows below them. */
function mapped(headers: readonly (string | null)[], ...rows: readonly (readonly CellInput[])[]) {
  const [top, ...below] = [headers, ...rows].map((cells, at) => ({ number: at + 1, cells: toCells(cells) }));
  const header = top === undefined ? undefined : findHeader([top], packages);
  if (header === undefined) throw new Error('no header');
  return mapHeader('Pakketten', packages, header, [], { below });
}

const letters = (columns: Iterable<number>): string =>
  [...columns]
    .sort((one, other) => one - other)
    .map(columnLetters)
    .join('');

describe('columns of an earlier result', () => {
  test.each<[string, readonly (string | null)[], string, readonly string[]]>([
    ['as they are written', ['ExternalID', 'Actief', ...OURS], 'CDEFG', []],
    ['with others behind them', ['ExternalID', ...OURS, 'Actief', 'Notitie'], 'BCDEF', ['Notitie']],
    ['moved about', ['ExternalID', '#at', '#message', '#status', '#id', '#changes'], 'BCDEF', []],
    [
      'with a column put between',
      ['ExternalID', '#status', 'Notitie', '#id', '#message'],
      'BDE',
      ['Notitie'],
    ],
    // Others of these names are the user's own.
    ['an id alone', ['#id', 'ExternalID', '#message', '#AT *'], '', ['#id', '#message', '#AT *']],
    ['one at the left', ['#id', 'ExternalID', ...OURS], 'CDEFG', ['#id']],
    ['one beyond a field', ['#message', 'ExternalID', '#status', 'Actief', '#id'], 'C', ['#message', '#id']],
  ])('are told apart: %s', (_, headers, columns, unknown) => {
    const mapping = mapped(headers);
    expect(letters(mapping.outputColumns)).toBe(columns);
    expect(mapping.unknown).toEqual(unknown);
  });

  test('are not those beside a status that is none of ours, which is the user’s own', () => {
    const headers = ['ExternalID', '#status', '#id'];
    expect(mapped(headers, [1, 'besteld', 7], [2, 'in huis', 8])).toMatchObject({
      outputColumns: new Set(),
      unknown: ['#status', '#id'],
    });
    expect(letters(mapped(headers, [1, 'nagekeken', 7], [2, 'created', 8]).outputColumns)).toBe('BC');
    expect(letters(mapped(headers, [1, null, 7]).outputColumns)).toBe('BC');
  });

  test('have headers that differ from all others, and are the same the next time', () => {
    const first = mapped(['ExternalID', '#id', '#Message', '#message2'], [1, 'a', 'b', 'c']);
    const headers = outputHeaders(first.headers, first.outputColumns);
    expect(headers).toEqual(['#status', '#id2', '#message3', '#changes', '#at']);
    const second = mapped(['ExternalID', '#id', '#Message', '#message2', ...headers]);
    expect(letters(second.outputColumns)).toBe('EFGHI');
    expect(outputHeaders(second.headers, second.outputColumns)).toEqual(headers);
  });
});
