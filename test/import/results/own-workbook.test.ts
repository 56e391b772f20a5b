import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import exceljs from 'exceljs';
import { expect, test } from 'vitest';
import { POSTED_SHEET } from '../../../src/files/posted-sheet.ts';
import { type ImportWorkbookOptions, importWorkbook } from '../../../src/index.ts';
import { makeWorkbook, packageRows, readBack } from '../../helpers/make-workbook.ts';
import { openTestService, optionsFor, type TestService } from '../../helpers/test-service.ts';
import { readPart } from '../../xlsx/read/read-part.ts';

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Imports a file of the test service's folder; answers the result's name and what is said of the whole. */
async function imported(
  { folder, url, token }: TestService,
  file: string,
  options: ImportWorkbookOptions = {},
) {
  const own = { baseUrl: url, token, ledger: join(folder, 'ledger.db'), log: join(folder, 'run.log') };
  const { counts, result, notes = [] } = await importWorkbook(join(folder, file), { ...own, ...options });
  return { counts, result: basename(result ?? ''), notes };
}

test('a table with columns named as ours keeps them, grows once, and no two of its columns have one name', async () => {
  const service = await openTestService();
  const book = new exceljs.Workbook();
  const [header = [], ...rows] = packageRows(2) as (string | number | boolean)[][];
  book.addWorksheet('Pakketten').addTable({
    ...{ name: 'Lijst', ref: 'A1', headerRow: true },
    columns: [...header, '#id', '#message'].map((name) => ({ name: String(name), filterButton: true })),
    rows: rows.map((row, at) => [...row, `eigen ${at}`, 'bellen']),
  });
  const at = (name: string): string => join(service.folder, name);
  await book.xlsx.writeFile(at('lijst.xlsx'));
  expect(await imported(service, 'lijst.xlsx', { lang: 'en' })).toMatchObject({ counts: { created: 2 } });
  expect(await imported(service, 'lijst.result.xlsx', { lang: 'nl' })).toMatchObject({
    counts: { unchanged: 2 },
    result: 'lijst.result-2.xlsx',
  });
  const own = header.length + 2;
  for (const file of ['lijst.result.xlsx', 'lijst.result-2.xlsx']) {
    const table = await readPart(at(file), 'xl/tables/table1.xml');
    const names = [...table.matchAll(/<tableColumn [^>]*?name="([^"]*)"/g)].map(([, name]) => name);
    expect(names.slice(own)).toEqual(['#status', '#id2', '#message2', '#changes', '#at']);
    const read = (await readBack(at(file))).get('Pakketten');
    expect([...(read?.get(1)?.values() ?? [])]).toEqual(names);
    expect([read?.get(2)?.get(own - 1), read?.get(3)?.get(own)]).toEqual(['eigen 0', 'bellen']);
  }
  // The summary of the other language made room for this one's.
  expect([...(await readBack(at('lijst.result-2.xlsx'))).keys()]).toEqual([
    'Resultaat',
    'Pakketten',
    POSTED_SHEET,
  ]);
});

test('a column put among ours in a table leaves no column without a header, and none with another’s', async () => {
  const service = await openTestService();
  const at = (name: string): string => join(service.folder, name);
  const [header = [], ...rows] = packageRows(2) as (string | number | boolean)[][];
  const marks = ['#status', 'Notitie', '#id', '#message', '#changes', '#at'];
  const book = new exceljs.Workbook();
  book.addWorksheet('Pakketten').addTable({
    ...{ name: 'Lijst', ref: 'A1', headerRow: true },
    columns: [...header, ...marks].map((name) => ({ name: String(name), filterButton: true })),
    rows: rows.map((row) => [...row, 'not sent', 'bellen', null, 'oud', 'oud', 'oud']),
  });
  await book.xlsx.writeFile(at('lijst.xlsx'));
  await imported(service, 'lijst.xlsx');
  await imported(service, 'lijst.result.xlsx');
  for (const file of ['lijst.result.xlsx', 'lijst.result-2.xlsx']) {
    const table = await readPart(at(file), 'xl/tables/table1.xml');
    const names = [...table.matchAll(/<tableColumn [^>]*?name="([^"]*)"/g)].map(([, name]) => name);
    const ours = ['#status', '#id', '#message', '#changes', '#at'];
    expect(names).toEqual([...header, '#status2', 'Notitie', ...ours]);
    const read = (await readBack(at(file))).get('Pakketten');
    expect([...(read?.get(1)?.values() ?? [])]).toEqual(names);
    const row = read?.get(2);
    expect([1, 2, 3].map((place) => row?.get(header.length + place))).toEqual([
      undefined,
      'bellen',
      file === 'lijst.result.xlsx' ? 'created' : 'unchanged',
    ]);
  }
});

test('a picture beside the data is not covered, and a table does not reach below it', async () => {
  const service = await openTestService();
  const book = new exceljs.Workbook();
  const [header = [], ...rows] = packageRows(2) as (string | number | boolean)[][];
  const sheet = book.addWorksheet('Pakketten');
  sheet.addTable({
    ...{ name: 'Lijst', ref: 'A1', headerRow: true },
    columns: header.map((name) => ({ name: String(name), filterButton: true })),
    rows,
  });
  const image = book.addImage({ base64: PIXEL, extension: 'png' });
  sheet.addImage(image, { tl: { col: 7, row: 2 }, ext: { width: 200, height: 90 } });
  await book.xlsx.writeFile(join(service.folder, 'prijzen.xlsx'));
  expect((await imported(service, 'prijzen.xlsx')).counts).toMatchObject({ created: 2 });
  const result = join(service.folder, 'prijzen.result.xlsx');
  // From H on over 200 pixels, 64 for each column: up to K.
  const headers = (await readBack(result)).get('Pakketten')?.get(1);
  expect(headers?.get(12)).toBe('#status');
  const part = 'xl/tables/table1.xml';
  expect(await readPart(result, part)).toBe(await readPart(join(service.folder, 'prijzen.xlsx'), part));
  // Without the picture there is no reason to leave room for it.
  const csv = join(service.folder, 'prijzen.csv');
  await imported(service, 'prijzen.xlsx', { out: csv });
  expect(readFileSync(csv, 'utf8')).toContain(`${header.at(-1)};#status`);
});

test('a result of what was sent gives way to no dry run and no list of problems', async () => {
  const service = await openTestService();
  const rows = [...packageRows(1), [700_000, 'Soep', 1, 'abc', true]];
  await makeWorkbook(join(service.folder, 'week.xlsx'), { Pakketten: rows });
  const run = async (options: ImportWorkbookOptions) => {
    const { result, notes } = await imported(service, 'week.xlsx', options);
    return [result, ...notes.filter((note) => note.includes('stays'))];
  };
  const kept = (by: string) => [by, expect.stringContaining(`this result is ${join(service.folder, by)}`)];
  // A dry run's gives way to anything.
  expect(await run({ dryRun: true })).toEqual(['week.result.xlsx']);
  expect(await run({ dryRun: true })).toEqual(['week.result.xlsx']);
  expect(await run({})).toEqual(['week.result.xlsx']);
  const sent = readFileSync(join(service.folder, 'week.result.xlsx'));
  expect(await run({ dryRun: true })).toEqual(kept('week.result-2.xlsx'));
  expect(await run({ onlyProblems: true })).toEqual(kept('week.result-2.xlsx'));
  expect(await run({ dryRun: true })).toEqual(kept('week.result-3.xlsx'));
  expect(readFileSync(join(service.folder, 'week.result.xlsx')).equals(sent)).toBe(true);
  // Nor does one that somebody worked on.
  writeFileSync(join(service.folder, 'week.result-3.xlsx'), 'bewerkt');
  expect(await run({ dryRun: true })).toEqual(kept('week.result-4.xlsx'));
  expect(await run({ dryRun: true, out: join(service.folder, 'week.result.xlsx') })).toEqual([
    'week.result.xlsx',
  ]);
  expect(
    readdirSync(service.folder)
      .filter((name) => name.startsWith('week.'))
      .sort(),
  ).toEqual([
    'week.result-2.xlsx',
    'week.result-3.xlsx',
    'week.result-4.xlsx',
    'week.result.xlsx',
    'week.xlsx',
  ]);
});

test('the result of a run that sent something stays, and the next run of the same file has the next number', async () => {
  const service = await openTestService();
  const run = async (packages: number) => {
    await makeWorkbook(join(service.folder, 'dag.xlsx'), { Pakketten: packageRows(packages) });
    const { result, notes, counts } = await imported(service, 'dag.xlsx', {});
    return { result, created: counts.created, notes: notes.filter((note) => note.includes('stays')) };
  };
  expect(await run(1)).toEqual({ result: 'dag.result.xlsx', created: 1, notes: [] });
  const sent = readFileSync(join(service.folder, 'dag.result.xlsx'));
  // A result that tells of nothing sent gives way to the next.
  for (const created of [0, 0, 1])
    expect(await run(created + 1)).toEqual({
      ...{ result: 'dag.result-2.xlsx', created },
      notes: [expect.stringContaining('dag.result.xlsx stays as it was: it tells what was sent')],
    });
  expect((await run(2)).result).toBe('dag.result-3.xlsx');
  expect(readFileSync(join(service.folder, 'dag.result.xlsx')).equals(sent)).toBe(true);
});

test('the result of a dry run gives way to that of a run on another service; one that was edited since stays', async () => {
  const [tried, real] = [await openTestService(), await openTestService()];
  const file = join(tried.folder, 'dag.xlsx');
  await makeWorkbook(file, { Pakketten: packageRows(1) });
  const { out: _, ...options } = optionsFor(tried);
  const dry = { ...options, dryRun: true } as const;
  const planned = await importWorkbook(file, dry);
  writeFileSync(String(planned.result), 'notitie');
  const second = await importWorkbook(file, dry);
  expect(second.notes).toContainEqual(
    expect.stringMatching(/dag\.result\.xlsx stays .*: it was edited since/),
  );
  rmSync(String(planned.result));
  await importWorkbook(file, dry);
  const sent = await importWorkbook(file, { ...options, baseUrl: real.url, token: real.token });
  expect(sent.result).toBe(join(tried.folder, 'dag.result.xlsx'));
  expect((sent.notes ?? []).filter((note) => note.includes('stays'))).toEqual([]);
});
