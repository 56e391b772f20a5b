import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { openRuns } from '../../src/api/runs.ts';
import { type ShownRow, shownRow } from '../../src/api/table-entries.ts';
import type { TableQuery } from '../../src/api/table-query.ts';
import { needsWork } from '../../src/core/row-text.ts';
import { importWorkbook } from '../../src/index.ts';
import type { StoredResult } from '../../src/ledger/ledger.ts';
import { makeWorkbook } from '../helpers/make-workbook.ts';
import { openTestService, optionsFor } from '../helpers/test-service.ts';

const ALL: TableQuery = {
  ...{ status: [], work: false, warned: false, replaced: false, sheet: null, search: '', issue: null },
  ...{ sort: 'row', descending: false, offset: 0, limit: 500 },
};

/** A run of two sheets with rows of several outcomes. */
async function openTable({ dryRun }: { readonly dryRun: boolean }) {
  const service = await openTestService();
  const packages = Array.from({ length: 60 }, (_, at) => [
    ...[72_000 + at, `Buffet ${at} ${at % 3 === 0 ? 'Feest' : 'Lunch'}`],
    ...[
      at % 7 === 0 ? 'nnb' : 10 + at / 4,
      at % 11 === 0 ? 'Bufet' : 'Buffet',
      at % 13 === 0 ? 'skip' : null,
    ],
  ]);
  const file = await makeWorkbook(`${service.folder}/a.xlsx`, {
    Pakketten: [
      ['ExternalID', 'OmschrijvingIntern', 'Verkoopprijs', 'ProductTypeID', '#action'],
      ...packages,
    ],
    Recepten: [
      ['ExternalID', 'OmschrijvingIntern', 'ProductTypeID', '#action'],
      [73_001, 'Soep', 1, 'create'],
      [73_002, 'Saus', 'onbekend', 'create'],
    ],
  });
  const options = optionsFor(service);
  const { run } = await importWorkbook(file, { ...options, dryRun });
  const runs = openRuns({ ledger: options.ledger, lang: 'en' });
  onTestFinished(() => runs.close());
  const table = await runs.table(run, 'en');
  const rows: ShownRow[] = [];
  for await (const row of (await runs.open(run)).rows) rows.push(shownRow(row as StoredResult, dryRun, 'en'));
  return { table, rows };
}

const shownOf = (row: ShownRow): string => JSON.stringify(row).toLowerCase();

test.each([[true], [false]])(
  'a page of a table holds what its query leaves, in its order (of a plan: %s)',
  async (dryRun) => {
    const { table, rows } = await openTable({ dryRun });
    const statuses = [...new Set(rows.map(({ status }) => status))];
    expect(statuses.length).toBeGreaterThan(2);
    const issues = rows.flatMap(({ sheet, issues: own = [], causes }) =>
      own.flatMap(({ code, field }, at) => [
        { sheet, code, field, cause: null },
        { sheet, code, field, cause: causes[at] ?? '' },
      ]),
    );
    const queries = fc.record({
      status: fc.subarray<string>(statuses, { maxLength: 2 }),
      work: fc.boolean(),
      sheet: fc.constantFrom(null, null, 'Pakketten', 'Recepten'),
      search: fc.constantFrom('', '', 'feest', 'buffet 1', '72012', 'LUNCH buffet', 'nnb', 'nothing at all'),
      issue: fc.constantFrom(null, null, ...issues),
      sort: fc.constantFrom('row' as const, 'status' as const, 'record' as const, 'changes' as const),
      descending: fc.boolean(),
      offset: fc.integer({ min: 0, max: 30 }),
      limit: fc.integer({ min: 1, max: 80 }),
    });
    await fc.assert(
      fc.asyncProperty(queries, async (query) => {
        const wanted = rows.filter(
          (row) =>
            (query.status.length === 0 || query.status.includes(row.status)) &&
            (!query.work || needsWork(row.status)) &&
            (query.sheet === null || row.sheet === query.sheet) &&
            (query.issue === null ||
              (row.sheet === query.issue.sheet &&
                row.issues?.some(
                  ({ code, field }, at) =>
                    code === query.issue?.code &&
                    field === query.issue.field &&
                    (query.issue.cause === null || row.causes[at] === query.issue.cause),
                ))) &&
            query.search
              .toLowerCase()
              .split(' ')
              .every((word) => shownOf(row).includes(word)),
        );
        const { total, rows: page } = await table.page({ ...ALL, ...query }, rows.length);
        expect(total).toBe(wanted.length);
        const expected = wanted.slice(query.offset, query.offset + query.limit);
        expect(page).toHaveLength(expected.length);
        if (query.sort !== 'row') return;
        const inOrder = query.descending
          ? wanted.toReversed().slice(query.offset, query.offset + query.limit)
          : expected;
        expect(page).toEqual(inOrder);
      }),
      { numRuns: 150 },
    );
    const byRecord = await table.page({ ...ALL, sort: 'record' }, rows.length);
    const words = new Intl.Collator('nl', { numeric: true });
    const labels = byRecord.rows.map(({ label = '' }) => label);
    expect(labels).toEqual(labels.toSorted(words.compare));
    const counts = await table.counts();
    expect(counts.read).toBe(rows.length);
    expect(counts.invalid).toBe(rows.filter(({ status }) => status === 'invalid').length);
  },
);

test('rows that are put in place of a run’s own count, are found and can be taken back', async () => {
  const { table, rows } = await openTable({ dryRun: true });
  const bad = rows.find(({ status }) => status === 'invalid') as ShownRow;
  const { issues: _, ...others } = { ...bad, status: 'create' as const, label: 'Verbeterd', causes: [] };
  const fine = { ...others, recordKey: null };
  const before = await table.counts();
  await table.page({ ...ALL, search: 'verbeterd' }, rows.length);
  await table.replace([fine]);
  const found = await table.page({ ...ALL, search: 'verbeterd', replaced: true }, rows.length);
  expect(found).toEqual({ total: 1, rows: [fine] });
  expect(await table.counts()).toMatchObject({ invalid: before.invalid - 1, created: before.created + 1 });
  await table.restore([bad]);
  expect(await table.counts()).toEqual(before);
  expect(await table.document(bad.sheet, bad.row)).toEqual(bad);
});
