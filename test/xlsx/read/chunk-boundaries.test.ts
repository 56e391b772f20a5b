import { describe, expect, test } from 'vitest';
import type { Row } from '../../../src/core/cell.ts';
import type { CellContext } from '../../../src/xlsx/read/cells.ts';
import { utf8Chunks } from '../../../src/xlsx/read/package.ts';
import { sheetScanner } from '../../../src/xlsx/read/sheet-scanner.ts';

const CONTEXT: CellContext = {
  texts: ['Tiramisù', 'Gazpacho'],
  styles: [
    { format: undefined, kind: 'number' },
    { format: 'yyyy-mm-dd', kind: 'date' },
  ],
  date1904: false,
  iterates: false,
};

/** One of everything, so that every cut falls inside something once. */
const SHEET = `\ufeff<?xml version="1.0" encoding="UTF-8"?>
<x:worksheet xmlns:x="urn:main" xmlns:y='urn:other' mc:Ignorable="y"><!-- a > b --><x:cols><x:col min="1"/></x:cols>
<x:sheetData><?pi <x:row> ?><x:row r="2" hidden="1" spans='1:9'><x:c r="A2" t="s"><x:v>0</x:v></x:c><x:c t='s' r='B2'><x:v>1</x:v></x:c>
<x:c r="D2" s="1"><x:v>46505.5</x:v></x:c><x:c/><x:c r="G2" t="inlineStr"><x:is><x:r><x:t>né&amp;e</x:t></x:r><x:r><x:t xml:space="preserve"> 👩‍🍳 </x:t></x:r>
<x:rPh><x:t>weg</x:t></x:rPh></x:is></x:c><x:c t="str"><x:f>A1&lt;B1</x:f><x:v>a_x0009_b<![CDATA[ <c> ]]>&#233;\r\n</x:v></x:c></x:row>
<x:row/><x:row><x:c t="b"><x:v>1</x:v></x:c><x:c><x:v>-12.25</x:v></x:c><x:c><x:v>1e<!-- x -->3</x:v></x:c><y:c><x:v>9</x:v></y:c><x:c t="e"><x:v>#N/A</x:v></x:c></x:row>
</x:sheetData><x:mergeCells count="1"><x:mergeCell ref="A1:B1"/></x:mergeCells></x:worksheet> <!-- end -->
`;

/** The same without prefixes, so that the reader's short cut for plain cells is cut as well. */
const PLAIN = SHEET.replaceAll('x:', '')
  .replace('xmlns:="urn:main"', 'xmlns="urn:main"')
  .replace('xmlns:x', 'xmlns');

async function readCut(xml: string, cuts: readonly number[]): Promise<Row[]> {
  const bytes = Buffer.from(xml);
  const scanner = sheetScanner(CONTEXT, 1 << 20);
  const rows: Row[] = [];
  async function* chunks(): AsyncGenerator<Buffer> {
    let from = 0;
    for (const cut of [...cuts, bytes.length]) {
      yield bytes.subarray(from, cut);
      from = cut;
    }
  }
  for await (const chunk of utf8Chunks(chunks())) rows.push(...scanner.take(chunk));
  scanner.finish();
  return rows;
}

describe.each([
  ['with prefixes', SHEET],
  ['without', PLAIN],
])('a sheet in chunks (%s)', (_, xml) => {
  const length = Buffer.byteLength(xml);

  test('is read right in one chunk', async () => {
    const rows = await readCut(xml, []);
    expect(rows.map(({ number, hidden }) => [number, hidden])).toEqual([
      [2, true],
      [4, undefined],
    ]);
    expect(rows.flatMap(({ cells }) => cells.map(({ value }) => value))).toEqual([
      'Tiramisù',
      'Gazpacho',
      '2027-04-28 12:00:00',
      'né&e 👩‍🍳 ',
      'a\tb <c> é\n',
      true,
      -12.25,
      1000,
      '#N/A',
    ]);
  });

  test('is read right with a cut at every byte', async () => {
    const whole = await readCut(xml, []);
    for (let cut = 1; cut < length; cut++) expect(await readCut(xml, [cut]), `cut at ${cut}`).toEqual(whole);
  });

  test('is refused when it is cut off anywhere before its end', async () => {
    const end = Buffer.byteLength(xml.slice(0, xml.indexOf('worksheet> <!--') + 9));
    for (let stop = 1; stop < end; stop += 7) {
      const part = Buffer.from(xml).subarray(0, stop);
      const scanner = sheetScanner(CONTEXT, 1 << 20);
      expect(() => {
        scanner.take(part.subarray(3));
        scanner.finish();
      }, `cut off at ${stop}`).toThrow(/cut off/);
    }
  });
});
