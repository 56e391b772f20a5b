import { expect, test } from 'vitest';
import { columnsOf, wrap } from '../../../src/cli/view/wrap.ts';

test.each<[string, number, number, string[]]>([
  ['kort', 20, 2, ['kort']],
  ['', 20, 2, ['']],
  ['een tekst van meer dan twintig', 20, 2, ['een tekst van meer', '  dan twintig']],
  ['  een tekst van meer dan twintig', 20, 4, ['  een tekst van meer', '    dan twintig']],
  ['precies twintig lang', 20, 0, ['precies twintig lang']],
  [
    'naar /home/jan/catering/pakketten.xlsx dus',
    20,
    2,
    ['naar', '  /home/jan/catering/pakketten.xlsx', '  dus'],
  ],
  ['/home/jan/catering/pakketten.xlsx', 20, 2, ['/home/jan/catering/pakketten.xlsx']],
  ['漢字 漢字 漢字', 9, 0, ['漢字 漢字', '漢字']],
])('%j in %i columns with an indent of %i is %j', (text, width, indent, lines) => {
  expect(wrap(text, width, indent)).toEqual(lines);
});

test.each<[string | undefined, number | undefined, number]>([
  [undefined, undefined, 80],
  [undefined, 100, 100],
  ['60', 100, 60],
  ['160', undefined, 110],
  ['breed', 90, 90],
  ['0', undefined, 80],
  ['12', undefined, 40],
])('with COLUMNS %s and a terminal of %s there are %i columns', (COLUMNS, terminal, columns) => {
  // Of this machine's own terminal nothing is asked.
  expect(columnsOf(COLUMNS === undefined ? {} : { COLUMNS }, terminal ?? 0)).toBe(columns);
});
