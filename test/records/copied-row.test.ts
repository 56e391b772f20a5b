import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exportRecords, importWorkbook } from '../../src/index.ts';
import { packages } from '../../src/resources/packages.ts';
import { listed, listService } from '../export/list-service.ts';
import { makeWorkbook } from '../helpers/make-workbook.ts';
import { serviceOnly } from '../helpers/service-options.ts';
import { openTestService, optionsFor } from '../helpers/test-service.ts';
import { rewriteSheet, type SheetRow } from '../import/baseline/fixtures.ts';

const lines = (rows: readonly { status: string; issues?: readonly { code: string; severity: string }[] }[]) =>
  rows.map(({ status, issues = [] }) => [status, ...issues.map(({ code }) => code)].join(' '));

describe('a row that was copied in an export and still names its record', () => {
  it('is an error wherever it stands, and a new record where its keys are empty', async () => {
    const service = await openTestService();
    const options = optionsFor(service);
    const out = `${service.folder}/uit.xlsx`;
    await exportRecords(packages, { ...serviceOnly(options), out });
    const other = (row: SheetRow = {}): SheetRow => ({
      ...row,
      OmschrijvingIntern: 'DELUXE 2027',
      Verkoopprijs: 60,
    });
    await rewriteSheet(out, 'Pakketten', ([a = {}, b = {}, c = {}, d = {}, e = {}, f = {}]) => [
      ...[a, other(b), b],
      ...[other(c), { ...c, Verkoopprijs: 61 }],
      ...[d, { ...d, ExternalID: 987_654 }, e, e, f],
      other(a),
      { ...other(f), ProductID: null },
      { ...other(a), ProductID: null, ExternalID: null, '#action': 'create' },
      { ...other(e), '#action': 'skip' },
    ]);
    const before = await service.records('package');
    const expected = [
      ...['unchanged', 'invalid record-copied', 'unchanged'],
      ...['invalid record-copied', 'invalid record-copied'],
      ...['unchanged', 'invalid record-copied', 'unchanged', 'unchanged record-twice', 'unchanged'],
      // Its LMT is that of the record it was copied from, and none of its own.
      ...['invalid record-copied', 'invalid record-copied', 'created cell-not-sent', 'skipped'],
    ];
    const done = await importWorkbook(out, options);
    expect(lines(done.rows)).toEqual(expected);
    const after = await service.records('package');
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after.length).toBe(before.length + 1);
  });

  it('is none where all rows on the record say the same, however many there are', async () => {
    const service = await openTestService();
    const options = optionsFor(service);
    const out = `${service.folder}/uit.xlsx`;
    await exportRecords(packages, { ...serviceOnly(options), out });
    await rewriteSheet(out, 'Pakketten', ([a = {}]) => Array(4).fill({ ...a, Verkoopprijs: 61 }));
    const twice = 'unchanged record-twice';
    expect(lines((await importWorkbook(out, options)).rows)).toEqual(['updated', twice, twice, twice]);
  });

  it('is one too where its record stands many rows before', async () => {
    const service = await listService(
      Array.from({ length: 620 }, (_, at) => listed(at + 1)),
      620,
    );
    const out = join(service.folder, 'uit.xlsx');
    await exportRecords(packages, { ...service.options, out });
    await rewriteSheet(out, 'Pakketten', (rows) => [
      ...rows,
      { ...rows[3], Verkoopprijs: 99 },
      { ...rows[4] },
    ]);
    const { counts, rows } = await importWorkbook(out, { ...service.options, dryRun: true });
    expect(counts).toMatchObject({ read: 622, unchanged: 621, invalid: 1 });
    expect(rows.filter(({ status }) => status === 'invalid')).toMatchObject([{ row: 622 }]);
  });
});

it('a file that does not say what its records were may hold several rows on one record: a warning, also behind one that changes nothing', async () => {
  const service = await openTestService();
  const [one] = await service.records('package');
  const file = await makeWorkbook(`${service.folder}/in.xlsx`, {
    Pakketten: [
      ['ProductID', 'Verkoopprijs', 'Volume'],
      [Number(one?.id), Number(one?.Verkoopprijs), null],
      [Number(one?.id), null, 8],
    ],
  });
  const strict = await importWorkbook(file, optionsFor(service, { strict: true }));
  expect(lines(strict.rows)).toEqual(['unchanged', 'invalid record-twice']);
  const done = await importWorkbook(file, optionsFor(service));
  expect(lines(done.rows)).toEqual(['unchanged', 'updated record-twice']);
});
