import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { rowDocument } from '../../src/api/make-documents.ts';
import { openRuns } from '../../src/api/runs.ts';
import { onPage } from '../../src/core/language.ts';
import { issuesOf, needsWork } from '../../src/core/row-text.ts';
import type { TableRow } from '../../src/desk/contract/answers.ts';
import { type RowsWish, rowsWish } from '../../src/desk/contract/asked.ts';
import { causeSign, RunRows } from '../../src/desk/server/run-rows.ts';
import { countNow } from '../../src/import/apply/apply-plan.ts';
import { openLedger } from '../../src/ledger/sqlite-ledger.ts';
import { tempFolder } from '../helpers/run-cli.ts';
import { many, outcomeOf, RUN, SENDING, SERVICE, STARTED, sent } from '../ledger/fixtures.ts';
import { openWorld } from '../promises/world.ts';

/** How rows are shown that nobody touched. */
const SHOWN = { language: 'en', dryRun: false, busy: false, pruned: false } as const;

type Query = Partial<RowsWish & { offset: number; limit: number }>;

/** A part of the rows that are wanted. */
const pageIn = async (rows: RunRows, { offset = 0, limit = 500, ...wish }: Query, all: number) =>
  await rows.page(rowsWish.parse(wish), { offset, limit }, all);

/** A run with rows of several outcomes: its table, and its rows one by one. */
async function openTable(dryRun: boolean) {
  const { sheet, machine, importWorkbook } = openWorld();
  const rows = Array.from({ length: 30 }, (_, at) => [
    ...[72_000 + at, `Buffet ${at} ${at % 3 === 0 ? 'Feest' : 'Lunch'}`, at % 7 === 0 ? 'nnb' : `${10 + at}`],
    ...[at % 11 === 0 ? 'onbekend' : 1, at % 13 === 0 ? 'skip' : null],
  ]);
  const header = ['ExternalID', 'OmschrijvingIntern', 'Verkoopprijs', 'ProductTypeID', '#action'];
  const options = machine();
  const { run } = await importWorkbook(sheet([header, ...rows]), { ...options, dryRun });
  const runs = openRuns({ ledger: options.ledger, lang: 'en' });
  onTestFinished(() => runs.close());
  const shown: { row: TableRow; causes: string[] }[] = [];
  for await (const row of (await runs.open(run)).rows)
    shown.push({
      row: { ...rowDocument(row, dryRun, 'en', onPage), corrected: false, decided: null },
      causes: issuesOf(row).map(causeSign),
    });
  const table = new RunRows({ ...SHOWN, ledger: await runs.ledger(), run, dryRun });
  return { table, shown, rows: shown.map(({ row }) => row) };
}

test.each([true, false])(
  'a page of a table holds what its query leaves, in its order (of a plan: %s)',
  async (dryRun) => {
    const { table, rows, shown } = await openTable(dryRun);
    const causesOf = new Map(shown.map(({ row, causes }) => [row, causes]));
    const statuses = [...new Set(rows.map(({ status }) => status))];
    expect(statuses).toHaveLength(3);
    const issues = shown.flatMap(({ row: { sheet, issues: own = [] }, causes }) =>
      own.flatMap(({ code, field }, at) =>
        [null, causes[at] ?? ''].map((cause) => ({ sheet, code, field, cause })),
      ),
    );
    const queries = fc.record({
      status: fc.subarray<string>(statuses, { maxLength: 2 }),
      work: fc.boolean(),
      search: fc.constantFrom('', '', 'feest', 'buffet 1', '72012', 'LUNCH buffet', 'nnb', 'nothing at all'),
      issue: fc.constantFrom(null, null, ...issues),
      sort: fc.constantFrom('row' as const, 'status' as const, 'record' as const, 'changes' as const),
      descending: fc.boolean(),
      offset: fc.integer({ min: 0, max: 20 }),
      limit: fc.integer({ min: 1, max: 40 }),
    });
    const pageOf = async (query: Query) => await pageIn(table, query, rows.length);
    const check = async (query: Query): Promise<void> => {
      const { status = [], work, search = '', issue, sort, descending, offset = 0, limit = 500 } = query;
      const words = search.toLowerCase().split(' ');
      const holds = (row: (typeof rows)[number], word: string): boolean =>
        JSON.stringify(row).toLowerCase().includes(word);
      const left = rows.filter(
        (row) =>
          (status.length === 0 || status.includes(row.status)) &&
          (!work || needsWork(row.status)) &&
          (issue == null ||
            row.issues?.some(
              ({ code, field }, at) =>
                code === issue.code &&
                field === issue.field &&
                (issue.cause ?? causesOf.get(row)?.[at]) === causesOf.get(row)?.[at],
            )),
      );
      const together = left.filter((row) => holds(row, words.join(' ')));
      const wanted =
        together.length > 0 ? together : left.filter((row) => words.every((word) => holds(row, word)));
      const { total, rows: page } = await pageOf(query);
      const expected = (descending ? wanted.toReversed() : wanted).slice(offset, offset + limit);
      expect([total, page.length]).toEqual([wanted.length, expected.length]);
      if (sort === 'row') expect(page).toEqual(expected);
    };
    await fc.assert(fc.asyncProperty(queries, check), { seed: 39, numRuns: 60 });
    const labels = (await pageOf({ sort: 'record' })).rows.map(({ label = '' }) => label);
    expect(labels).toEqual(labels.toSorted(new Intl.Collator('nl', { numeric: true }).compare));
  },
);

test('a table of a run that is being sent has its rows as they are', async () => {
  const ledger = openLedger(join(tempFolder(), 'ledger.db'));
  onTestFinished(() => ledger.close());
  await ledger.startRun(STARTED);
  await ledger.savePlan(
    RUN,
    many(4000, (seq) => ({ row: seq + 2, action: 'create', sheet: 'Pakketten' })),
  );
  await ledger.updateRun(RUN, { state: 'applying' });
  const look = async () => {
    const table = new RunRows({ ...SHOWN, ledger, run: RUN });
    const { total } = await pageIn(table, { status: ['failed'] }, 4000);
    return [await table.counts(), total] as const;
  };
  for (const [change, failed] of [
    [
      () =>
        Promise.all([
          ledger.saveRow(RUN, 7, { outcome: outcomeOf(7) }),
          ledger.saveRow(RUN, 1203, { outcome: outcomeOf(1203, { status: 'failed' }) }),
        ]),
      1,
    ],
    [() => ledger.saveRow(RUN, 2500, { progress: SENDING }), 1],
    [() => ledger.saveRow(RUN, 1203, { outcome: null, progress: null }), 0],
  ] as const) {
    await change();
    expect(await look()).toEqual([await countNow(ledger, RUN), failed]);
  }
});

test('the table of a run whose rows were removed shows each that stays once, and finds it', async () => {
  const count = 1200;
  const ledger = await sent({ open: async () => openLedger(':memory:') }, count);
  const rows = many(count);
  const kept = rows.filter(({ seq }) => seq % 3 === 2);
  for (const { seq } of kept)
    await ledger.remember(SERVICE, 'packages', 'write', `id:${seq}`, { run: RUN, seq, at: null });
  const moments = { at: '2028-05-01 09:00:00', since: '2028-01-01 00:00:00' };
  await ledger.pruneRuns([RUN], { ...moments, posted: [], updated: new Set() });
  const table = new RunRows({ ...SHOWN, ledger, run: RUN, pruned: true });
  const pages = await Promise.all(
    [0, 150, 300].map((offset) => pageIn(table, { offset, limit: 150 }, count)),
  );
  expect(pages.flatMap((page) => page.rows.map(({ row }) => row))).toEqual(kept.map(({ row }) => row));
  expect((await table.find({ sheet: 'Pakketten', row: kept[9]?.row ?? 0 }))?.planned.seq).toBe(kept[9]?.seq);
  expect(await table.find({ sheet: 'Pakketten', row: rows[0]?.row ?? 0 })).toBeUndefined();
  await ledger.close();
});
