import { expect, test } from 'vitest';
import { choicesOf } from '../../../src/import/map/lookup-names.ts';
import { createNameFinder } from '../../../src/run/lookup-lists.ts';
import type { LookupEntry } from '../../../src/schema/field.ts';

const entries = (labels: string): LookupEntry[] =>
  labels.split('|').map((label, at) => ({ id: at + 1, label }));
const texts = (list: LookupEntry[]): string =>
  choicesOf(list)
    .map(({ text }) => text)
    .join('|');

test.each([
  ['Soepen|Salades', 'Soepen|Salades'],
  ['Dranken|Dranken', 'Dranken (1)|Dranken (2)'],
  ['Dranken|DRANKEN |Soep', 'Dranken (1)|DRANKEN  (2)|Soep'],
  // What reads as a number would be taken for an id.
  ['12|1.234|#CLEAR|#N/A', '12 (1)|1.234 (2)|#CLEAR (3)|#N/A (4)'],
  // A name that is another's name with its number.
  ['Dranken|Dranken|Dranken (1)', '1|Dranken (2)|Dranken (1)'],
])('%j is chosen from as %j', (labels, expected) => {
  expect(texts(entries(labels))).toBe(expected);
});

test.each([
  ['in other letters', 'LOS GERECHT'],
  ['with a blank that does not break', 'Los\u00a0gerecht'],
  ['over two lines', 'Los\r\ngerecht'],
  ['with a zero-width space behind it', 'Los gerecht\u200b'],
  ['with a mark of direction', '\u200eLos gerecht'],
  ['with its id', 'Los\u00a0 gerecht\u200b (2)'],
])('a name %s means the entry of that name, whichever of the two is written so', (_, name) => {
  expect(createNameFinder(entries('Buffet|Los gerecht'))(name).map(({ id }) => id)).toEqual([2]);
  if (!name.includes('('))
    expect(createNameFinder(entries(`Buffet|${name}`))('Los gerecht').map(({ id }) => id)).toEqual([2]);
});

test('two names that look alike are told apart by their ids', () => {
  const alike = entries('Los gerecht|Los\u00a0gerecht|Saté|Sate\u0301|Koel-vers');
  const idsOf = (name: string) => createNameFinder(alike)(name).map(({ id }) => id);
  expect([idsOf('los gerecht'), idsOf('Saté'), idsOf('Koel\u2011vers')]).toEqual([[1, 2], [3, 4], [5]]);
  expect(texts(alike)).toBe('Los gerecht (1)|Los\u00a0gerecht (2)|Saté (3)|Sate\u0301 (4)|Koel-vers');
});
