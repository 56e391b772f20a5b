import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import exceljs from 'exceljs';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../src/core/errors.ts';
import type { ImportWorkbookOptions } from '../../../src/index.ts';
import { cellsOf } from '../../helpers/cells-of.ts';
import { makeWorkbook, packageRows, readBack } from '../../helpers/make-workbook.ts';
import { type Cell, newPackages, openWorld } from '../../promises/world.ts';
import { problemBook } from '../../workbook/problem-book.ts';
import { readPart } from '../../xlsx/read/read-part.ts';

const CHANGE = 'FFDDEBF6';
const BAD = 'FFFFC7CF';
const ODD = 'FFFFEB9D';

/** A world of one machine, whose results stand beside their files unless they are put elsewhere. */
function open() {
  const world = openWorld();
  const { out: _, ...options } = world.machine();
  const at = (name: string): string => join(world.folder, name);
  return {
    ...{ ...world, options, at },
    send: (file: string, more: object = {}) =>
      world.importWorkbook(file, { ...options, ...more } as ImportWorkbookOptions),
  };
}

async function sheetOf(file: string, name: string): Promise<exceljs.Worksheet> {
  const book = new exceljs.Workbook();
  await book.xlsx.readFile(file);
  return book.getWorksheet(name) ?? expect.fail(`no sheet ${name}`);
}

const linesOf = async (file: string, name: string): Promise<string[]> =>
  [...((await readBack(file)).get(name)?.values() ?? [])].map((cells) => [...cells.values()].join(' | '));

/** The paper under the first cells of rows, by address. */
function papers(sheet: exceljs.Worksheet): Record<string, string> {
  const found: Record<string, string> = {};
  sheet.eachRow((row, number) => {
    for (let column = 1; column <= 5; column++) {
      const { fill, address } = row.getCell(column);
      const paper = fill?.type === 'pattern' ? fill.fgColor?.argb : undefined;
      if (number > 1 && paper !== undefined) found[address] = paper;
    }
  });
  return found;
}

test('a result says beside each row what came of it, in its cells, colours and summary, which are passed over when it is imported', async () => {
  const { at, send, service } = open();
  service.add.package({
    ExternalID: 1,
    OmschrijvingIntern: 'Lunch',
    ProductTypeID: 1,
    Verkoopprijs: 12.5,
    ProductCategorieID: 11,
  });
  const file = await makeWorkbook(at('week12.xlsx'), {
    Notities: [['bellen']],
    Pakketten: [
      ...cellsOf([
        'ExternalID;OmschrijvingIntern;ProductTypeID;Verkoopprijs;Actief;ProductCategorieID',
        '1;Lunch;1;13.75;;12',
        '3;Brunch;Feest;duur;misschien',
      ]).toSpliced(2, 0, [2, 'Diner', 'Pakket', '1.234']),
    ],
  });
  const planned = await send(file, { dryRun: true, lang: 'nl' });
  expect(planned.counts).toMatchObject({ created: 1, updated: 1, invalid: 1 });
  const sheet = await sheetOf(String(planned.result), 'Pakketten');
  expect(papers(sheet)).toEqual({ D2: CHANGE, D3: ODD, C4: BAD, D4: BAD, E4: BAD });
  expect(String(sheet.getCell('I3').value)).toContain('1234');
  expect(String(sheet.getCell('J2').value)).toContain('Verkoopprijs: 12,50 → 13,75');
  // A category that changes stands by name and number.
  expect(String(sheet.getCell('J2').value)).toContain('ProductCategorieID: Soepen (11) → Hapjes (12)');
  // Of a new record what it is made with, on one line.
  expect(String(sheet.getCell('J3').value)).toMatch(
    /^ProductTypeID: Pakket \(1\); OmschrijvingIntern: Diner; /,
  );

  const done = await send(String(planned.result), { lang: 'nl' });
  expect(done.counts).toMatchObject({ read: 3, created: 1, updated: 1, invalid: 1 });
  // What is done is no longer coloured.
  expect(papers(await sheetOf(String(done.result), 'Pakketten'))).toEqual({
    D3: ODD,
    C4: BAD,
    D4: BAD,
    E4: BAD,
  });
  const lines = await linesOf(String(done.result), 'Resultaat');
  for (const line of [
    `Run | ${done.run}`,
    'Werkblad | rijen | aangemaakt | gewijzigd | ongeldig',
    'Pakketten | 3 | 1 | 1 | 1',
  ])
    expect(lines).toContain(line);
  expect(lines.join('\n')).toContain(`catersheet undo ${done.run}`);
  expect(lines.find((line) => line.includes('number-expected'))).toMatch(
    /^Pakketten \| D \| 1 \| D4 \| .*„duur” is geen getal/,
  );
  const again = await send(String(done.result), { lang: 'en' });
  expect(again.counts).toMatchObject({ read: 3, unchanged: 2, invalid: 1 });
  const sheets = [...(await readBack(String(again.result))).keys()];
  expect(sheets.slice(0, 3)).toEqual(['Resultaat', 'Notities', 'Pakketten']);
  expect((await linesOf(String(again.result), 'Resultaat')).join('\n')).not.toContain('catersheet undo');
});

describe('the columns of a result stand beside the user’s own (23)', () => {
  const [header = [], ...rows] = packageRows(2) as (string | number | boolean)[][];
  const table = (names: readonly string[], more: readonly (string | null)[]): exceljs.Workbook => {
    const book = new exceljs.Workbook();
    book.addWorksheet('Pakketten').addTable({
      ...{ name: 'Lijst', ref: 'A1', headerRow: true },
      columns: names.map((name) => ({ name, filterButton: true })),
      rows: rows.map((row) => [...row, ...more]),
    });
    return book;
  };

  test.each<[string, readonly string[], readonly (string | null)[], readonly string[]]>([
    [
      'named as ours',
      ['#id', '#message'],
      ['eigen', 'bellen'],
      ['#status', '#id2', '#message2', '#changes', '#at'],
    ],
    [
      'put among ours',
      ['#status', 'Notitie', '#id', '#message', '#changes', '#at'],
      ['not sent', 'bellen', null, 'oud', 'oud', 'oud'],
      ['#id', '#message', '#changes', '#at'],
    ],
  ])('in a table whose columns are %s, which grows once', async (_, names, cells, ours) => {
    const { at, send } = open();
    await table([...header.map(String), ...names], cells).xlsx.writeFile(at('lijst.xlsx'));
    expect((await send(at('lijst.xlsx'))).counts.created).toBe(2);
    expect((await send(at('lijst.result.xlsx'))).counts.unchanged).toBe(2);
    for (const file of ['lijst.result.xlsx', 'lijst.result-2.xlsx']) {
      const xml = await readPart(at(file), 'xl/tables/table1.xml');
      const columns = [...xml.matchAll(/<tableColumn [^>]*?name="([^"]*)"/g)].map(([, name]) => name);
      expect(columns.slice(-ours.length)).toEqual(ours);
      expect(new Set(columns).size).toBe(columns.length);
      const read = (await readBack(at(file))).get('Pakketten');
      expect([...(read?.get(1)?.values() ?? [])]).toEqual(columns);
      expect([...(read?.get(2)?.values() ?? [])]).toContain('bellen');
    }
  });

  test('and beside a picture, which they do not cover', async () => {
    const { at, send } = open();
    const book = table(header.map(String), []);
    const image = book.addImage({
      base64:
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      extension: 'png',
    });
    book
      .getWorksheet('Pakketten')
      ?.addImage(image, { tl: { col: 7, row: 2 }, ext: { width: 200, height: 90 } });
    await book.xlsx.writeFile(at('prijzen.xlsx'));
    const { result } = await send(at('prijzen.xlsx'));
    // From H on over 200 pixels, 64 for each column: up to K.
    expect((await readBack(String(result))).get('Pakketten')?.get(1)?.get(12)).toBe('#status');
    const part = 'xl/tables/table1.xml';
    expect(await readPart(String(result), part)).toBe(await readPart(at('prijzen.xlsx'), part));
  });
});

describe('a result beside its file', () => {
  const why = (notes: readonly string[] = []): readonly string[] =>
    notes.flatMap((note) => (/result.csv stays as it was: (.+); this result/.exec(note) ?? []).slice(1));

  test('that tells what was sent, or that somebody worked on, gives way to no other', async () => {
    const { at, send, sheet, folder } = open();
    const file = sheet([...newPackages(1), [700_000, 'Soep', 1, 'abc']]);
    const name = async (more: object = {}): Promise<string> =>
      String((await send(file, more)).result).slice(folder.length + 'week-1.'.length + 1);
    // A dry run's gives way to anything.
    const dryRun = { dryRun: true };
    expect([await name(dryRun), await name(dryRun), await name()]).toEqual(Array(3).fill('result.csv'));
    const sent = readFileSync(at('week-1.result.csv'));
    expect([await name(dryRun), await name({ onlyProblems: true })]).toEqual(['result-2.csv', 'result.xlsx']);
    writeFileSync(at('week-1.result-2.csv'), 'bewerkt');
    expect(await name(dryRun)).toBe('result-3.csv');
    expect(why((await send(file, dryRun)).notes)).toEqual([expect.stringMatching(/^it tells what was sent/)]);
    expect(readFileSync(at('week-1.result.csv')).equals(sent)).toBe(true);
    expect(await name({ dryRun: true, out: at('week-1.result.csv') })).toBe('result.csv');
  });

  test('gives way to the next after a run that sent nothing, and not where the ledger was put back', async () => {
    const { send, sheet, options } = open();
    const nothing = sheet(cellsOf(['ExternalID;Verkoopprijs', '999999;duur']));
    expect((await send(nothing, { as: 'packages' })).counts).toMatchObject({ read: 1, invalid: 1 });
    const dry = await send(nothing, { as: 'packages', dryRun: true });
    expect(why(dry.notes)).toEqual([]);
    const file = sheet(newPackages(1));
    await send(file, { dryRun: true });
    const { ledger } = options;
    copyFileSync(ledger, `${ledger}.copy`);
    await send(file);
    copyFileSync(`${ledger}.copy`, ledger);
    rmSync(`${ledger}.mark`);
    const again = await send(file, { dryRun: true });
    expect(why(again.notes)).toEqual(['it was edited since, or is no result that is known here']);
  });
});

describe('a result that can’t be written', () => {
  test('stops the run before anything is sent', async () => {
    const { at, send, sheet, service } = open();
    mkdirSync(at('map.xlsx'));
    const sending = send(sheet(newPackages(2)), { out: at('map.xlsx') });
    await expect(sending).rejects.toMatchObject({ exit: EXIT.usage });
    expect(service.journal.writes).toEqual([]);
  });

  test.each<[readonly Cell[], number]>([
    [[900_009, 'Diner', 1, 30], EXIT.usage],
    [[900_009, 'Diner', 1, 'duur'], EXIT.rows],
  ])('after all leaves the counts, and hides no row that is wrong (%j)', async (row, exit) => {
    const { at, send, sheet } = open();
    const onProgress = ({ stage }: { readonly stage: string }) => {
      if (stage === 'writing' && !readdirSync(at('.')).includes('uit.xlsx')) mkdirSync(at('uit.xlsx'));
    };
    const done = await send(sheet([...newPackages(2), row]), { out: at('uit.xlsx'), onProgress });
    expect(done).toMatchObject({
      result: null,
      exit,
      resultError: expect.stringContaining('it is a folder'),
    });
    expect(done.counts.created + done.counts.invalid).toBe(3);
  });

  test('as a CSV as it holds more than one sheet says which can be chosen, and gives the one that is', async () => {
    const { at, send, service } = open();
    const header = 'ExternalID;OmschrijvingIntern;ProductCategorieID;ProductEenheidWaardeID;Gewicht;OPK';
    const Recepten = cellsOf([header, '1;Soep;11;501;0.5;4']);
    const file = await makeWorkbook(at('in.xlsx'), { Pakketten: packageRows(1), Recepten });
    await expect(send(file, { out: at('uit.csv') })).rejects.toThrow('Pakketten, Recepten');
    expect(service.journal.writes).toEqual([]);
    await send(file, { out: at('uit.csv'), sheets: ['Recepten'] });
    expect(readFileSync(at('uit.csv'), 'utf8')).toContain('Soep;11;501;0.5;4;created');
  });
});

describe('only the rows that need work', () => {
  test('are seen of the user’s own workbook, to be corrected in it and imported again (24)', async () => {
    const { at, send } = open();
    const file = await problemBook(at('boek.xlsx'), { bad: [6, 8] });
    const out = at('fout.xlsx');
    const first = await send(file, { out, onlyProblems: true, sheets: ['Pakketten'], locale: 'nl' });
    expect(first.counts).toMatchObject({ created: 4, invalid: 3, skipped: 1 });
    const seen: number[] = [];
    (await sheetOf(out, 'Pakketten')).eachRow((row, number) => void (row.hidden || seen.push(number)));
    // The headers, a title above them, and a total and a remark below.
    expect(seen).toEqual([1, 3, 6, 8, 10, 11]);
    const xml = await readPart(out, 'xl/worksheets/sheet2.xml');
    for (const text of ['sqref="B4:B500"', 'Keuzes!$A$1:$A$3', '<f>SUM(C4:C9)</f>', 'width="31"', 'duur'])
      expect(xml).toContain(text);
    const second = await send(out, {
      sheets: ['Pakketten'],
      corrections: [6, 8].map((row) => ({ sheet: 'Pakketten', row, column: 3, text: '12,5' })),
    });
    expect(second.counts).toMatchObject({ read: 8, created: 2, unchanged: 4, invalid: 1, skipped: 1 });
  });

  test('of a CSV they stand in a workbook, in which the others are hidden, and keep their numbers', async () => {
    const { at, send, sheet, service } = open();
    const header = 'ProductID;WerknemerID;DatumTijd;AantalRekeneenheid;MutatieCategorieID;MutatieReden';
    const own = `${service.add.product()};12;2026-03-31 07:45;4;4901;Inkoop`;
    const file = sheet(cellsOf([header, own, own.replace(';12;', ';twaalf;').replace(';4;', ';5;'), own]));
    const as = 'stock-mutations';
    const first = await send(file, { as, onlyProblems: true });
    expect(first.rows.map(({ status }) => status)).toEqual(['created', 'invalid', 'created']);
    const result = String(first.result);
    expect(basename(result)).toBe('week-1.result.xlsx');
    const seen: number[] = [];
    (await sheetOf(result, 'week-1')).eachRow((row, number) => void (row.hidden || seen.push(number)));
    expect(seen).toEqual([1, 3]);
    // Corrected and imported again, nothing but that row is sent (24), also where two rows say the same (15).
    const corrections = [{ sheet: 'week-1', row: 3, column: 2, text: '12' }];
    const again = await send(result, { as, corrections, out: at('s.xlsx') });
    expect(again.rows.map((row) => `${row.row} ${row.status}`)).toEqual([
      '2 unchanged',
      '3 created',
      '4 unchanged',
    ]);
    expect(
      service.journal.ours.filter(({ what, kind }) => what === 'created' && kind !== 'stock'),
    ).toHaveLength(3);
    await expect(send(file, { as, onlyProblems: true, out: at('p.csv') })).rejects.toMatchObject({
      exit: EXIT.usage,
      message: expect.stringContaining('can’t hide rows'),
    });
  });
});
