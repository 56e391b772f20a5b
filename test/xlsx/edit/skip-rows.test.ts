import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cellAddress } from '../../../src/core/cell.ts';
import { oneSheet, scratchFolder, writeZip } from '../../workbook/make-workbook.ts';
import { readPart } from '../read/read-part.ts';
import { HEADERS, type MakeOutcome, rewrite } from './rewrite-fixture.ts';

const folder = scratchFolder();
const SHEET = 'xl/worksheets/sheet1.xml';
const COLUMNS = 6;

const cell = (address: string, kind: 'value' | 'blank' | 'text'): string =>
  ({
    value: `<c r="${address}" s="0"><v>7</v></c>`,
    blank: `<c r="${address}" s="0"/>`,
    text: `<c r="${address}" t="inlineStr"><is><t>a &lt;b&gt; c</t></is></c>`,
  })[kind];

/** Of each column of a row: what its cell holds, null for no cell, and whether it has a remark. */
const rows = fc.array(
  fc.array(
    fc.record({
      holds: fc.constantFrom('value', 'blank', 'text', null),
      marked: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, fc.constant(true)),
    }),
    { minLength: COLUMNS, maxLength: COLUMNS },
  ),
  { minLength: 1, maxLength: 8 },
);

test('a row comes back the same whether its cells are passed over or looked at one by one', async () => {
  let count = 0;
  await fc.assert(
    fc.asyncProperty(rows, fc.integer({ min: 2, max: COLUMNS + 2 }), async (made, firstColumn) => {
      const marks: MakeOutcome = (_, index) => ({
        cells: ['invalid', 'een <fout>'],
        tone: 'bad',
        marks: (made[index] ?? []).flatMap(({ marked }, at) =>
          marked ? [{ column: at + 1, tone: 'bad', text: null }] : [],
        ),
      });
      const written: string[] = [];
      // Where comments stand, no cell is passed over.
      for (const between of ['', '<!---->']) {
        const xml = made.map((columns, at) => {
          const cells = columns.flatMap(({ holds }, column) =>
            holds === null ? [] : [between + cell(cellAddress(column + 1, at + 2), holds)],
          );
          return `<row r="${at + 2}">${cells.join('')}${between}</row>`;
        });
        const header = '<row r="1"><c r="A1"><v>1</v></c></row>';
        const file = await writeZip(join(folder, `${count++}.xlsx`), oneSheet(header + xml.join('')));
        const target = join(folder, `${count++}.xlsx`);
        await rewrite(file, target, marks, {
          headerRow: 1,
          added: { firstColumn, headers: HEADERS.slice(0, 2) },
        });
        written.push((await readPart(target, SHEET)).replaceAll('<!---->', ''));
      }
      expect(written[0]).toBe(written[1]);
    }),
    { numRuns: 5, seed: 1 },
  );
});
