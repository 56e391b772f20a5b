import { expect, onTestFinished, test } from 'vitest';
import { postedSheets } from '../../../src/import/results/posted-sheets.ts';
import { openLedger } from '../../../src/ledger/sqlite-ledger.ts';
import { resources } from '../../../src/resources/registry.ts';
import type { Context } from '../../../src/run/context.ts';
import { many, outcomeOf, RUN, SERVICE, STARTED } from '../../ledger/fixtures.ts';

test('what was posted of rows, and sent of fields that no read returns, is asked of the ledger for a page of rows at once', async () => {
  const ledger = openLedger(':memory:');
  onTestFinished(() => ledger.close());
  await ledger.startRun(STARTED);
  const fingerprints = ['mutatie 0', 'mutatie 1'];
  const steps = fingerprints.map(
    (fingerprint) => ({ purpose: 'post', endpoint: 'stock.create', body: {}, fingerprint }) as const,
  );
  const rows = many(4, (seq) =>
    seq < 2
      ? { sheet: 'Voorraad', resource: 'stock-mutations', steps: steps.slice(seq, seq + 1) }
      : { sheet: 'Evenementen', resource: 'events', steps: [], key: `id:${5000 + seq}` },
  );
  await ledger.savePlan(RUN, rows);
  for (const seq of [0, 1, 2, 3]) await ledger.saveRow(RUN, seq, { outcome: outcomeOf(seq) });
  const place = { run: RUN, at: STARTED.startedAt, state: 'done' as const };
  for (const [seq, fingerprint] of fingerprints.entries())
    await ledger.claimPosting(SERVICE, 'stock-mutations', { ...place, fingerprint, seq, id: 5000 + seq });
  const sent = { Starttijd: '2027-05-01 12:00:00' };
  const applied = { Starttijd: { sent: sent.Starttijd, held: sent.Starttijd } };
  await ledger.remember(SERVICE, 'events', 'applied', 'id:5003', applied);
  const asked: string[] = [];
  const counted = {
    ...ledger,
    findPostings: (...given: Parameters<typeof ledger.findPostings>) => {
      asked.push(`postings of ${given[2].length}`);
      return ledger.findPostings(...given);
    },
    recall: (...given: Parameters<typeof ledger.recall>) => {
      asked.push(`records of ${given[3]?.length}`);
      return ledger.recall(...given);
    },
  };
  const context = { ledger: counted, serviceKey: SERVICE, resources } as unknown as Context;
  const [sheet] = postedSheets(context, RUN, [{ resource: 'stock-mutations' }, { resource: 'events' }]);
  const told: (string | undefined)[][] = [];
  for await (const row of sheet?.rows ?? [])
    told.push(row.cells.map(({ value }) => (value === null ? undefined : String(value))));
  expect(told).toHaveLength(4);
  expect(told.slice(1).map((cells) => cells.at(-1))).toEqual([...fingerprints, JSON.stringify(sent)]);
  expect(asked).toEqual(['postings of 2', 'records of 2', 'postings of 0', 'records of 2']);
});
