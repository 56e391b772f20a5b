import fc from 'fast-check';
import { expect, test } from 'vitest';
import { columnLetters, type Row } from '../../../src/core/cell.ts';
import type { CellContext } from '../../../src/xlsx/read/cells.ts';
import { sheetScanner } from '../../../src/xlsx/read/sheet-scanner.ts';

const CONTEXT: CellContext = {
  texts: ['Soep', '', 'Brood'],
  styles: [
    { format: '0%', kind: 'number' },
    { format: 'yyyy-mm-dd', kind: 'date' },
    { format: '0.00', kind: 'number' },
  ],
  date1904: false,
  iterates: false,
};

/** The rows of a sheet, or why it is refused. */
function readSheet(rows: string, prefix: string, columns?: ReadonlySet<number>): Row[] | string {
  const xml = `<worksheet><sheetData>${rows}</sheetData></worksheet>`.replace(
    /<(\/?)(?=[a-z])/g,
    `<$1${prefix}`,
  );
  const scanner = sheetScanner({ ...CONTEXT, columns }, 1 << 20);
  try {
    const read = scanner.take(Buffer.from(xml));
    scanner.finish();
    return read;
  } catch (error) {
    return String(error);
  }
}

const column = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 16_380, max: 16_384 }));
const oneOf = (all: string) => fc.constantFrom(...all.split('|'));
const number = fc.oneof(
  fc.stringMatching(/^-?\d{0,18}(\.\d{0,18})?$/),
  fc.double({ noNaN: true }).map(String),
  fc.integer({ min: 0, max: 4 }).map(String),
  oneOf('|-|.|1.2.3|1e5|x| 5|-.5|5.'),
);
const reference = fc.oneof(
  column.map((at) => ` r="${columnLetters(at)}7"`),
  oneOf(`| r="7"| r="A"| r="a7"| r='B7'| r="C0000007"| r="D"`),
);
const cell = fc
  .tuple(
    reference,
    oneOf(`| s="1"| s="2"| s="9"| s=""| s="x"| s='1'`),
    oneOf(`| t="s"| t="n"| t="str"| t="inlineStr"| t="inlineStr"| t="b"| t='s'`),
    number,
    oneOf(
      '<is><t>#</t></is>|<is><t>brood #</t></is>|<is><t>a&amp;#</t></is>|<is><t>_x0041_é\r\n#</t></is>|<is><t>#</t><t>#</t></is>|' +
        '<v>#</v>|<v>#</v>|<v>#</v>|<v >#</v>|<f>1</f><v>#</v>|<v>#</v><x/>|<v/>|',
    ),
  )
  .map(([r, s, t, value, inside]) =>
    inside === '' ? `<c${r}${s}${t}/>` : `<c${r}${s}${t}>${inside.replaceAll('#', value)}</c>`,
  );

test('cells taken by the fast path are what the scanner makes of them', () => {
  const rows = fc.array(fc.array(cell, { maxLength: 12 }), { maxLength: 4 });
  fc.assert(
    fc.property(rows, (list) => {
      const xml = list.map((cells) => `<row r="7">${cells.join('')}</row>`).join('');
      // With a prefix nothing is plain, so all of it goes through the scanner.
      expect(readSheet(xml, '')).toEqual(readSheet(xml, 'x:'));
    }),
    { numRuns: 150, seed: 1 },
  );
});

test('who asks for some columns gets each row, and every cell of those columns as it is', () => {
  // Where `@` is, a cell stands in the next column.
  const plain = fc.constantFrom(
    ...['<c r="@"><v>12.5</v></c>', '<c r="@" s="1"><v>45000</v></c>', '<c r="@" s="2"/>'],
    ...['<c r="@" t="s"><v>2</v></c>', '<c r="@" t="inlineStr"><is><t>Soep</t></is></c>'],
  );
  const rows = fc.array(fc.array(fc.oneof({ weight: 9, arbitrary: plain }, cell), { maxLength: 12 }), {
    maxLength: 4,
  });
  const columns = fc.uniqueArray(column, { maxLength: 20 }).map((list) => new Set(list));
  let [read, left] = [0, 0];
  fc.assert(
    fc.property(rows, columns, fc.constantFrom('', 'x:'), (list, wanted, prefix) => {
      const xml = list
        .map((cells, at) => {
          const placed = cells.map((one, place) => one.replace('@', `${columnLetters(place + 1)}7`));
          return `<row r="${at + 7}"${at % 2 === 0 ? '' : ' hidden="1"'}>${placed.join('').replaceAll('7"', `${at + 7}"`)}</row>`;
        })
        .join('');
      const whole = readSheet(xml, prefix);
      // What is damaged is refused when all of it is read.
      if (typeof whole === 'string') return;
      const some = readSheet(xml, prefix, wanted);
      const ofWanted = (found: readonly Row[]) =>
        found.map(({ cells, ...row }) => ({ ...row, cells: cells.filter((one) => wanted.has(one.column)) }));
      expect(ofWanted(some as Row[])).toEqual(ofWanted(whole));
      const count = (found: readonly Row[]) => found.reduce((sum, { cells }) => sum + cells.length, 0);
      read += count(whole);
      left += count(whole) - count(some as Row[]);
    }),
    { numRuns: 150, seed: 1 },
  );
  expect(read).toBeGreaterThan(100);
  expect(left).toBeGreaterThan(10);
});
