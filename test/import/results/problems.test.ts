import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { importWorkbook } from '../../../src/index.ts';
import { readWorkbook } from '../../../src/workbook/read-workbook.ts';
import { repack } from '../../../src/xlsx/zip/repack.ts';
import { readBack } from '../../helpers/make-workbook.ts';
import { openTestService, optionsFor } from '../../helpers/test-service.ts';
import {
  csvOf,
  MORNING,
  MUTATION_HEADER,
  mutationsOf,
  recipeIds,
  workbookOf,
} from '../../kinds/posting/stock-fixtures.ts';
import { problemBook } from '../../workbook/problem-book.ts';
import { readPart } from '../../xlsx/read/read-part.ts';

/** A workbook as someone saves it who changes this in the first sheet that holds it. */
async function edited(file: string, target: string, part: string, from: RegExp, to: string): Promise<string> {
  const packed = readFileSync(file);
  const edit = (text: string): string => {
    expect(text).toMatch(from);
    return text.replaceAll(new RegExp(from, 'g'), to);
  };
  writeFileSync(target, await repack(packed, new Map([[part, edit]]), new Date(0)));
  return target;
}

/** The rows of a sheet that are seen. */
async function seenRows(file: string, name: string): Promise<number[]> {
  const seen: number[] = [];
  for (const sheet of await readWorkbook(file))
    if (sheet.name === name)
      for await (const { number, hidden } of sheet.rows) if (hidden !== true) seen.push(number);
  return seen;
}

test('of the user’s own workbook only the rows that need work are seen, to be corrected in it and imported again', async () => {
  const service = await openTestService();
  const file = await problemBook(join(service.folder, 'boek.xlsx'), { bad: [6, 8] });
  const out = join(service.folder, 'fout.xlsx');
  const options = {
    ...{ baseUrl: service.url, token: service.token, lang: 'nl' as const },
    ...{ sheets: ['Pakketten'] },
    ...{ ledger: join(service.folder, 'ledger.db'), log: join(service.folder, 'run.log') },
  };
  const first = await importWorkbook(file, { ...options, out, onlyProblems: true });
  expect(first.counts).toMatchObject({ created: 4, invalid: 2, skipped: 2 });
  // The headers, a title above them, and a total and a remark below.
  expect(await seenRows(out, 'Pakketten')).toEqual([1, 3, 6, 8, 10, 11]);
  const xml = await readPart(out, 'xl/worksheets/sheet2.xml');
  for (const text of ['sqref="B4:B500"', 'Keuzes!$A$1:$A$3', '<f>SUM(C4:C9)</f>', 'width="31"', 'duur'])
    expect(xml).toContain(text);
  const corrected = await edited(
    out,
    join(service.folder, 'goed.xlsx'),
    'xl/worksheets/sheet2.xml',
    /<c r="(C[68])"([^>]*) t="inlineStr"><is><t>duur<\/t><\/is>/,
    '<c r="$1"$2><v>12.5</v>',
  );
  const second = await importWorkbook(corrected, options);
  expect(second.counts).toMatchObject({ read: 8, created: 2, unchanged: 4, skipped: 2 });
  const rows = (await readBack(second.result ?? '')).get('Pakketten');
  expect([6, 8].map((row) => rows?.get(row)?.get(1))).toEqual([600_006, 600_008]);
  // A result of all rows hides none but the one that was hidden in the workbook.
  expect(await seenRows(second.result ?? '', 'Pakketten')).toEqual([1, 3, 4, 6, 7, 8, 9, 10, 11]);
});

test('of a CSV that becomes a workbook the rows that need nothing are hidden, in their places', async () => {
  const service = await openTestService();
  const file = join(service.folder, 'Pakketten.csv');
  const rows = ['12,5', 'duur', '13'].map((price, at) => `${700_000 + at};Soep;1;${price};ja`);
  const text = ['ExternalID;OmschrijvingIntern;ProductTypeID;Verkoopprijs;Actief', ...rows].join('\r\n');
  writeFileSync(file, text);
  const options = { ...optionsFor(service), onlyProblems: true };
  const first = await importWorkbook(file, options);
  expect(first.counts).toMatchObject({ created: 2, invalid: 1 });
  expect(await seenRows(options.out, 'Pakketten')).toEqual([1, 3]);
  expect(await readPart(options.out, 'xl/worksheets/sheet2.xml')).toContain(
    '<autoFilter ref="A1:J4"><filterColumn colId="5"><filters><filter val="invalid"/></filters></filterColumn></autoFilter>',
  );
  expect(await readPart(options.out, 'xl/workbook.xml')).toContain("'Pakketten'!$A$1:$J$4</definedName>");
  writeFileSync(file, text.replace('duur', '14'));
  const out = join(service.folder, 's.xlsx');
  const second = await importWorkbook(file, { ...options, out });
  expect(second.counts).toMatchObject({ unchanged: 2, created: 1 });
  expect(second.notes).toContain('sheet Pakketten: no row needs work, so it has no filter on #status');
  expect(await seenRows(out, 'Pakketten')).toEqual([1, 2, 3, 4]);
});

/** Rows of a CSV as their cells, without those of the program behind `#status`. */
function csvRows(file: string): string[][] {
  const lines = readFileSync(file, 'utf8').replace('\ufeff', '').trim().split('\r\n');
  return lines.map((line) => line.split(';'));
}

describe('of two equal mutations of which the second was wrong', () => {
  const equal = (id: number, worker: number | string) => [id, worker, MORNING, 4, 4904, 'Inkoop'];
  const texts = (rows: readonly (readonly (string | number)[])[]) => [
    [...MUTATION_HEADER],
    ...rows.map((row) => row.map(String)),
  ];

  test('the second is posted once when it comes back corrected in its place', async () => {
    const service = await openTestService();
    const [id = 0] = await recipeIds(service, 1);
    const options = optionsFor(service);
    const file = await workbookOf(service, {
      Voorraadmutaties: [MUTATION_HEADER, equal(id, 12), equal(id, 'twaalf')],
    });
    const { length } = await mutationsOf(service);
    const first = await importWorkbook(file, { ...options, onlyProblems: true });
    expect(first.rows.map(({ status }) => status)).toEqual(['created', 'invalid']);
    expect(await seenRows(options.out, 'Voorraadmutaties')).toEqual([1, 3]);
    const corrected = await edited(
      options.out,
      join(service.folder, 'goed.xlsx'),
      'xl/worksheets/sheet1.xml',
      /<c r="B3"[^>]*>.*?<\/c>/,
      '<c r="B3"><v>12</v></c>',
    );
    const done = await importWorkbook(corrected, { ...options, out: join(service.folder, 's.xlsx') });
    expect(done.rows.map(({ status }) => status)).toEqual(['unchanged', 'created']);
    expect(await mutationsOf(service)).toHaveLength(length + 2);
    const again = await importWorkbook(corrected, { ...options, out: join(service.folder, 't.xlsx') });
    expect(again.counts).toMatchObject({ read: 2, unchanged: 2 });
    expect(await mutationsOf(service)).toHaveLength(length + 2);
  });

  test('the second is posted once when it comes back alone, in a CSV, by its number in #row', async () => {
    const service = await openTestService();
    const [id = 0] = await recipeIds(service, 1);
    const options = { ...optionsFor(service), out: join(service.folder, 'fout.csv') };
    const rows = [equal(id, 12), equal(id, 'twaalf'), equal(id, 12), equal(id, 'elf')];
    const file = csvOf(service, texts(rows));
    const { length } = await mutationsOf(service);
    const first = await importWorkbook(file, { ...options, onlyProblems: true });
    expect(first.rows.map(({ status }) => status)).toEqual(['created', 'invalid', 'created', 'invalid']);
    const [header = [], ...left] = csvRows(options.out);
    expect(header.slice(0, 8)).toEqual(['#row', ...MUTATION_HEADER, '#status']);
    expect(left.map((row) => row.slice(0, 3))).toEqual([
      ['3', String(id), 'twaalf'],
      ['5', String(id), 'elf'],
    ]);
    // What is said of a row names it as it stands in the file.
    expect(left[0]?.join(';')).toContain('B3 WerknemerID');
    const [second = [], last = []] = left;
    const corrected = csvOf(service, [header, second.with(2, '12'), last]);
    const out = join(service.folder, 's.csv');
    const done = await importWorkbook(corrected, { ...options, out, onlyProblems: true });
    expect(done.rows.map(({ row, status }) => [row, status])).toEqual([
      [3, 'created'],
      [5, 'invalid'],
    ]);
    expect(await mutationsOf(service)).toHaveLength(length + 3);
    // Of what came back with its number, what is still wrong keeps it.
    expect(csvRows(out).map(([number]) => number)).toEqual(['#row', '5']);
    // The other one from there, and in a workbook, as which a spreadsheet program may save it.
    const saved = await workbookOf(service, {
      Voorraadmutaties: [header, [3, ...equal(id, 12)], [5, ...equal(id, 12)]],
    });
    const whole = await importWorkbook(saved, { ...options, out: join(service.folder, 't.xlsx') });
    expect(whole.rows.map(({ row, status }) => [row, status])).toEqual([
      [3, 'unchanged'],
      [5, 'created'],
    ]);
    expect((await readBack(whole.result ?? '')).get('Voorraadmutaties')?.get(3)?.get(8)).toBe('created');
    expect(await mutationsOf(service)).toHaveLength(length + 4);
    // However often, and all four at once.
    for (const again of [corrected, saved, csvOf(service, texts(rows.map(() => equal(id, 12))))]) {
      const { counts } = await importWorkbook(again, {
        ...options,
        out: join(service.folder, 'u.csv'),
      });
      expect(counts).toMatchObject({ created: 0, failed: 0 });
    }
    expect(await mutationsOf(service)).toHaveLength(length + 4);
  });

  test('a record without a key is created once, too', async () => {
    const service = await openTestService();
    const header = ['#action', 'OmschrijvingIntern', 'ProductTypeID', 'Verkoopprijs', 'Actief'];
    const rows = [header, ...['12', 'duur', '12'].map((price) => ['create', 'Lunch', '1', price, 'ja'])];
    const out = join(service.folder, 'fout.csv');
    const options = optionsFor(service);
    const file = join(service.folder, 'Pakketten.csv');
    writeFileSync(file, rows.map((row) => row.join(';')).join('\r\n'));
    const first = await importWorkbook(file, { ...options, out, onlyProblems: true });
    expect(first.rows.map(({ status }) => status)).toEqual(['created', 'invalid', 'created']);
    writeFileSync(file, readFileSync(out, 'utf8').replace('duur', '12'));
    const statuses: string[] = [];
    for (const name of ['a.csv', 'b.csv']) {
      const done = await importWorkbook(file, { ...options, out: join(service.folder, name) });
      statuses.push(...done.rows.map(({ row, status }) => `${row} ${status}`));
    }
    expect(statuses).toEqual(['3 created', '3 unchanged']);
  });
});
