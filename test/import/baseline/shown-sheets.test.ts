import { expect, test } from 'vitest';
import type { Values } from '../../../src/core/value.ts';
import { takeShown, textsOf } from '../../../src/files/baseline-sheet.ts';
import { shownSheetNotes } from '../../../src/import/baseline/shown-sheets.ts';
import { exportRecords, importWorkbook } from '../../../src/index.ts';
import { packages } from '../../../src/resources/packages.ts';
import { readWorkbook } from '../../../src/workbook/read-workbook.ts';
import { serviceOnly } from '../../helpers/service-options.ts';
import { openTestService, optionsFor } from '../../helpers/test-service.ts';
import { rewriteSheet, type SheetRow } from './fixtures.ts';

const SHEET = 'productLinks';

/** Exports packages, edits the sheet with their links and imports the workbook: what is said of that sheet. */
async function afterEdit(edit: (rows: SheetRow[], headers: string[]) => readonly SheetRow[]) {
  const service = await openTestService();
  const out = `${service.folder}/uit.xlsx`;
  const options = optionsFor(service);
  await exportRecords(packages, { ...serviceOnly(options), out });
  await rewriteSheet(out, SHEET, (rows) => edit(rows, Object.keys(rows[0] ?? {})));
  const done = await importWorkbook(out, options);
  expect(done.counts).toMatchObject({ unchanged: done.counts.read });
  return (done.notes ?? []).filter((note) => note.includes(SHEET) || note.includes('such cells'));
}

const changed = (place: string): string =>
  `${SHEET} ${place} was changed since the export; nothing of it is sent, only the service fills it in`;

test('a cell changed on a sheet that only tells is a note that names its place and column', async () => {
  let header = '';
  const notes = await afterEdit((rows, headers) => {
    header = headers[2] ?? '';
    Object.assign(rows[1] ?? {}, { [header]: 987_654 });
    return rows;
  });
  expect(notes).toEqual([changed(`D3 ${header}`)]);
});

test('a sheet that only tells and was saved again or sorted, is no change', async () => {
  expect(await afterEdit((rows) => rows)).toEqual([]);
  expect(await afterEdit((rows) => rows.toReversed())).toEqual([]);
});

test('rows added to and removed from a sheet that only tells are told in one sentence', async () => {
  const notes = await afterEdit((rows, headers) => {
    const other = Object.fromEntries(headers.map((header, at) => [header, 770_000 + at]));
    return [...rows.slice(2), other];
  });
  expect(notes).toEqual([
    expect.stringMatching(
      /^productLinks: rows since the export: 1 added \(\d+\), 2 removed; nothing of it is sent, only the service/,
    ),
  ]);
});

test('of many cells changed on a sheet that only tells twenty are named, and the rest is counted', async () => {
  let count = 0;
  const notes = await afterEdit((rows, headers) => {
    count = rows.length;
    return rows.map((row, at) => ({ ...row, [headers[1] ?? '']: 880_000 + at }));
  });
  expect(count).toBeGreaterThan(20);
  expect(notes).toHaveLength(21);
  expect(notes.at(-1)).toBe(`and ${count - 20} more such cells`);
});

test('a sheet that only tells and that nobody touched is not read', async () => {
  const service = await openTestService();
  const out = `${service.folder}/uit.xlsx`;
  await exportRecords(packages, { ...serviceOnly(optionsFor(service)), out });
  const { sheets } = await readWorkbook(out);
  const shown = new Map<string, Values[]>();
  for await (const row of sheets.find(({ name }) => name === 'catersheet')?.rows ?? [])
    takeShown(shown, textsOf(row));
  expect([...shown.keys()]).toContain(SHEET);
  const rows = {
    [Symbol.asyncIterator]: () => {
      throw new Error('read');
    },
  };
  const unread = sheets.map((sheet) => ({ ...sheet, rows, batches: rows }));
  expect(await shownSheetNotes(shown, unread)).toEqual([]);
  const touched = unread.map((sheet) => ({ ...sheet, sum: (sheet.sum ?? 0) + 1 }));
  await expect(shownSheetNotes(shown, touched)).rejects.toThrow('read');
});
