import { createWriteStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Cell } from '../../../src/core/cell.ts';
import { readWorkbook } from '../../../src/workbook/read-workbook.ts';
import { type BookFeed, writeBook } from '../../../src/xlsx/write/write-book.ts';
import type { WrittenColumn, WrittenRow, WrittenValue } from '../../../src/xlsx/write/written-book.ts';
import { codePoints } from '../../helpers/code-points.ts';
import { chartFaults, packageFaults } from '../../helpers/excel-rules.ts';
import { tempFolder } from '../../helpers/run-cli.ts';
import { partsOf, sheetParts, unescaped } from '../../template/fill-in.ts';

const column = (header: string, format = 'General'): WrittenColumn => ({
  ...{ header, format, role: 'optional', width: 8 },
  note: [`what ${header} <is> & "means"`, 'a second line'],
});

const COLUMNS = [column('ID', '0'), column('Naam', '@'), column('Prijs', '#,##0.00##'), column('a.B&<c>')];
const MADE = new Date('2027-03-31T07:45:12Z');

async function written(
  fill: (book: BookFeed) => Promise<void>,
  options: Partial<Parameters<typeof writeBook>[2]> = {},
): Promise<string> {
  const file = join(tempFolder(), 'uit.xlsx');
  const stream = createWriteStream(file);
  await writeBook(stream, file, { made: MADE, ...options }, fill);
  stream.end();
  await finished(stream);
  return file;
}

const sheet = (name: string, columns: readonly WrittenColumn[] = COLUMNS) => ({
  name,
  table: `tbl_${name.replace(/\W/g, '_')}`,
  columns,
});

async function rowsOf(file: string): Promise<Record<string, Cell['value'][][]>> {
  const found: Record<string, Cell['value'][][]> = {};
  for (const { name, rows } of await readWorkbook(file)) {
    found[name] = [];
    for await (const { cells } of rows) found[name].push(cells.map(({ value }) => value));
  }
  return found;
}

const numbered = (count: number): WrittenRow[] =>
  Array.from({ length: count }, (_, at) => [at + 1, `naam ${at}`, at / 8, null]);

describe('a written workbook', () => {
  test('has its parts in order, goes on to further sheets, tells where each row is, and has tables, what headers mean and types', async () => {
    let places: unknown[] = [];
    const headers = COLUMNS.map(({ header }) => header);
    const rows: WrittenRow[] = [...numbered(12), [13, 'x', Number.POSITIVE_INFINITY, Number.NaN]];
    const file = await written(
      async (book) => {
        const first = book.sheet(sheet('Pakketten'));
        const hidden = book.hidden('catersheet', []);
        const empty = book.sheet(sheet("Lege 'n tabel"));
        // Batches end anywhere.
        for (let at = 0; at < rows.length; at += 3) {
          await first.add(rows.slice(at, at + 3));
          await hidden.add(rows.slice(at, at + 3).map(([id]) => [String(id)]));
        }
        await empty.add([]);
        places = [1, 3, 13].map((row) => first.placeOf(row));
        const cell = { value: Number.NEGATIVE_INFINITY, look: 'figure' as const };
        book.page('P').write({
          ...{ widths: [], chart: null, footer: '' },
          rows: [[cell, { ...cell, formula: '1/0' }]],
        });
      },
      { rows: 7 },
    );
    expect(places).toEqual([
      { sheet: 'Pakketten', row: 2 },
      { sheet: 'Pakketten', row: 4 },
      { sheet: 'Pakketten (3)', row: 2 },
    ]);
    const found = await rowsOf(file);
    const numbers = (name: string) => found[name]?.slice(1).map(([id]) => Number(id));
    const all = rows.map(([id]) => id);
    const three = ['Pakketten', 'Pakketten (2)', 'Pakketten (3)'];
    for (const name of three) expect(found[name]?.[0]).toEqual(headers);
    expect(three.flatMap(numbers)).toEqual(all);
    // What no cell holds is text.
    expect([found['Pakketten (3)']?.[1], found.P]).toEqual([
      [13, 'x', 'Infinity', 'NaN'],
      [['-Infinity', '-Infinity']],
    ]);
    const kept = Object.entries(found).filter(([name]) => name.startsWith('catersheet'));
    expect(kept.flatMap(([, lines]) => lines.map(([id]) => Number(id)))).toEqual(all);
    const parts = await partsOf(readFileSync(file));
    expect([...sheetParts(parts)].map(([name]) => unescaped(name))).toEqual(Object.keys(found));
    const book = parts.get('xl/workbook.xml') ?? '';
    expect(book).toMatch(/name="catersheet"[^>]*state="veryHidden"/);
    expect(book).toContain(`localSheetId="1">&apos;Pakketten (2)&apos;!$1:$1<`);
    expect(book).toContain(`>&apos;Lege &apos;&apos;n tabel&apos;!$1:$1<`);
    expect(packageFaults(parts)).toEqual([]);
    expect(unescaped(parts.get('xl/worksheets/sheet1.xml') ?? '')).toContain(
      'prompt="what ID <is> & "means"\na second line" sqref="A1"',
    );
  });

  test('hides the columns without a value that no import takes, in groups that open', async () => {
    const shown = (header: string): WrittenColumn => ({ ...column(header), role: 'shown' });
    const columns = [column('ID'), column('Leeg'), shown('a'), shown('b'), shown('c'), shown('d')];
    const file = await written(async (book) => {
      const full = book.sheet(sheet('Vol', columns));
      book.sheet(sheet('Niets', columns));
      // The value of a column may come with the last rows.
      for (let row = 1; row <= 2_000; row += 500) await full.add(numbered(500).map(([id = null]) => [id]));
      await full.add([[1, null, '', null, 'x', null]]);
    });
    const parts = await partsOf(readFileSync(file));
    const marks = (part: string): string[] =>
      [
        ...(parts.get(part) ?? '').matchAll(
          /<col min="(\d+)"[^>]*?( hidden="1" outlineLevel="1"| collapsed="1")\/>/g,
        ),
      ].map(([, at, mark = '']) => `${at}${mark.slice(0, 4)}`);
    expect(marks('xl/worksheets/sheet1.xml')).toEqual(['3 hid', '4 hid', '5 col', '6 hid', '7 col']);
    expect(marks('xl/worksheets/sheet2.xml')).toEqual([]);
    expect(packageFaults(parts)).toEqual([]);
  });

  test('has the same bytes for the same rows', async () => {
    const fill = async (book: BookFeed): Promise<void> => book.sheet(sheet('A')).add(numbered(50));
    const [one, other] = [await written(fill), await written(fill)];
    expect(readFileSync(one).equals(readFileSync(other))).toBe(true);
  });
});

test('a page is in the place where it was asked for, and its formulas cite every sheet of a table', async () => {
  let cited: readonly string[] = [];
  const file = await written(
    async (book) => {
      const page = book.page("Overzicht '27");
      const [soup, empty] = [book.sheet(sheet('Soep')), book.sheet({ ...sheet('Leeg'), fitted: true })];
      await soup.add(numbered(5));
      cited = [...(await soup.ranges(1)), ...(await empty.ranges(27))];
      const cells = { column: 1, firstRow: 2, values: ['=a & <b>', 'c'], format: 'General' };
      page.write({
        widths: [20, 12],
        rows: [
          [{ value: '=kop & <staart>', look: 'title', span: 2 }],
          [null, { value: 15, formula: `SUM(${cited.slice(0, 2).join(',')})`, look: 'total', format: '0.0' }],
          [{ value: 'x'.repeat(100), look: 'sentence', span: 2 }],
        ],
        chart: {
          ...{ title: 'A & B', bars: 'lying', over: { column: 4, row: 1, columns: 3, rows: 9 } },
          ...{ categories: cells, amounts: { ...cells, values: [1, -2.5], name: '<n>' } },
        },
        footer: 'R&D',
      });
    },
    { rows: 4 },
  );
  expect(cited).toEqual(["'Soep'!$A$2:$A$4", "'Soep (2)'!$A$2:$A$3", "'Leeg'!$AA$2:$AA$2"]);
  const found = await rowsOf(file);
  expect(Object.keys(found)).toEqual(["Overzicht '27", 'Soep', 'Soep (2)', 'Leeg']);
  expect(found["Overzicht '27"]?.slice(0, 2)).toEqual([['=kop & <staart>'], [15]]);
  const parts = await partsOf(readFileSync(file));
  expect(packageFaults(parts)).toEqual([]);
  const [drawing, chart, page] = ['drawings/drawing1', 'charts/chart1', 'worksheets/sheet1'].map(
    (name) => parts.get(`xl/${name}.xml`) ?? '',
  );
  expect([chartFaults(drawing ?? ''), chartFaults(chart ?? '')]).toEqual([[], []]);
  expect(unescaped(chart ?? '')).toContain("<c:f>'Overzicht ''27'!$A$2:$A$3</c:f>");
  expect(page).toMatch(/<mergeCells><mergeCell ref="A1:B1"\/><mergeCell ref="A3:B3"\/>/);
  expect(page).toContain('R&amp;&amp;D&amp;R');
});

/** Text as any other program may have put it in: also what XML can't hold and what looks like an escape. */
const anyText = fc
  .oneof(
    codePoints({ maxLength: 40 }),
    fc.constantFrom(...'=1+1|+31 6|-|@a|_x000D_|_x005F_x0041_|\u0000\u001f\ufffe|]]>|\u2028'.split('|')),
  )
  // A lone half of a pair is no character of any file; CR alone is a line end to XML.
  .map((text) => text.replace(/\p{Surrogate}/gu, '?').replaceAll('\r', '\n'));

const anyValue: fc.Arbitrary<WrittenValue> = fc.oneof(
  anyText,
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
  fc.boolean(),
  fc.constant(null),
  fc
    .date({ min: new Date('1900-03-01T00:00:00Z'), max: new Date('2199-12-31'), noInvalidDate: true })
    .map((date) => ({ date: date.toISOString().replace('T', ' ').replace('Z', '').replace('.000', '') })),
);

test('every value is read as it was written, whatever its column holds', async () => {
  const rows = fc.array(fc.array(anyValue, { minLength: 4, maxLength: 4 }), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(rows, async (given) => {
      const file = await written(async (book) => {
        const feed = book.sheet(sheet('A'));
        for (let at = 0; at < given.length; at += 7) await feed.add(given.slice(at, at + 7));
      });
      const [only] = (await readWorkbook(file)).sheets;
      const found = new Map<number, ReadonlyMap<number, Cell>>();
      for await (const row of only?.rows ?? [])
        found.set(row.number, new Map(row.cells.map((cell) => [cell.column, cell])));
      for (const [at, row] of given.entries())
        for (const [index, value] of row.entries()) {
          const cell = found.get(at + 2)?.get(index + 1);
          if (value === null || value === '') expect(cell).toBeUndefined();
          else if (typeof value === 'object')
            expect(cell).toMatchObject({ type: 'date', value: value.date.replace(/ 00:00:00$/, '') });
          else expect(cell?.value).toBe(value);
        }
    }),
    { numRuns: 6, seed: 1 },
  );
});
