import { expect, it } from 'vitest';
import { applyPlan, importWorkbook, planImport } from '../../../src/index.ts';
import { openLedger } from '../../../src/ledger/sqlite-ledger.ts';
import { openTestService, optionsFor } from '../../helpers/test-service.ts';
import { MORNING, MUTATION_HEADER, mutationsOf, recipeIds, workbookOf } from './stock-fixtures.ts';

it('a run cut off before a posting went out leaves it to the next import, one cut off after it leaves it in doubt', async () => {
  const service = await openTestService();
  const options = optionsFor(service);
  const ids = await recipeIds(service, 3);
  const rows = [MUTATION_HEADER, ...ids.map((id) => [id, 12, MORNING, 4, 4904, 'Inkoop'])];
  const file = await workbookOf(service, { Voorraadmutaties: rows });
  const { length } = await mutationsOf(service);
  const plan = await planImport(file, options);
  // What a kill leaves: the first row had taken its place, the second was about to go out, the third was not begun.
  const ledger = openLedger(options.ledger);
  const address = `${service.url.replace(/\/$/, '')}/`;
  for (const seq of [0, 1]) {
    const [row] = await ledger.readRows(plan.run, { after: seq - 1, limit: 1 });
    const fingerprint = row?.planned.steps[0]?.fingerprint ?? '';
    const at = '2027-03-31 08:00:00';
    const claim = { fingerprint, run: plan.run, seq, state: 'sending', at, id: null } as const;
    await ledger.claimPosting(address, 'stock-mutations', claim);
    if (seq === 1) await ledger.saveProgress(plan.run, seq, { done: 0, id: null, sendingSince: `${at}.000` });
  }
  await ledger.close();
  const next = await importWorkbook(file, options);
  expect(next.rows.map(({ status }) => status)).toEqual(['created', 'unknown', 'created']);
  expect(next.rows[1]?.message).toContain(`run ${plan.run} sent it on 31 Mar 2027 08:00`);
  const continued = await applyPlan(plan, options);
  expect(continued.rows.map(({ status }) => status)).toEqual(['unchanged', 'unknown', 'unchanged']);
  expect(continued.rows[0]?.message).toContain(`sent already, in run ${next.run}`);
  expect(await mutationsOf(service)).toHaveLength(length + 2);
});
