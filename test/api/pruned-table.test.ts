import { expect, test } from 'vitest';
import { RunTable } from '../../src/api/run-table.ts';
import { noCounts } from '../../src/core/counts.ts';
import { openLedger } from '../../src/ledger/sqlite-ledger.ts';
import { many, outcomeOf, RUN, SERVICE, STARTED } from '../ledger/fixtures.ts';

const COUNT = 3000;
const PLAIN = {
  ...{
    search: '',
    status: [],
    work: false,
    warned: false,
    replaced: false,
    sheet: null,
    issue: null,
    code: null,
    found: null,
  },
  ...{ sort: 'row', descending: false, limit: 100 },
} as const;

test('the table of a run whose rows were removed shows each that stays once, and finds it', async () => {
  const ledger = openLedger(':memory:');
  await ledger.startRun(STARTED);
  const rows = many(COUNT);
  await ledger.savePlan(RUN, rows);
  await ledger.saveOutcomes(
    RUN,
    rows.map(({ seq }) => outcomeOf(seq)),
  );
  await ledger.setRunState(RUN, 'done', { ...noCounts(), read: COUNT, created: COUNT });
  const kept = rows.filter(({ seq }) => seq % 3 === 2);
  for (const { seq } of kept) {
    const write = { key: `id:${seq}`, run: RUN, seq, at: null };
    await ledger.rememberWrite(SERVICE, 'packages', write);
  }
  const moments = { at: '2028-05-01 09:00:00', since: '2028-01-01 00:00:00' };
  await ledger.pruneRuns([RUN], { ...moments, posted: [], updated: new Set() });
  const table = new RunTable(ledger, RUN, { language: 'en', dryRun: false, pruned: true });
  const seen: number[] = [];
  for (let offset = 0; offset < COUNT; offset += PLAIN.limit) {
    const { rows: page, total } = await table.page({ ...PLAIN, offset } as never, COUNT);
    expect(total).toBe(kept.length);
    seen.push(...page.map(({ row }) => row));
  }
  expect(seen).toEqual(kept.map(({ row }) => row));
  for (const { sheet, row, seq } of kept.filter((_, at) => at % 50 === 0))
    expect((await table.find(sheet, row))?.planned.seq).toBe(seq);
  expect(await table.find('Pakketten', rows[0]?.row ?? 0)).toBeUndefined();
  await ledger.close();
});
