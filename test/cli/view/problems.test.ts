import { expect, test } from 'vitest';
import { troubleLines } from '../../../src/cli/view/problems.ts';
import { issueAt } from '../../../src/core/issue.ts';
import type { Outcome, PlannedRow, RowResult } from '../../../src/core/plan.ts';

const planned: PlannedRow = {
  seq: 0,
  sheet: 'Pakketten',
  row: 12,
  resource: 'packages',
  action: 'create',
  key: null,
  id: null,
  external: null,
  lmt: null,
  changes: [],
  steps: [],
  needs: [],
  issues: [],
  message: null,
};

const outcome = (told: Partial<Outcome>): RowResult => ({
  planned,
  outcome: { seq: 0, status: 'failed', id: null, message: null, issues: [], at: null, ...told },
});

const both = (text: string) => ({ en: text, nl: text });
const price = issueAt(
  { code: 'service-refused', found: '', hint: 'Te hoog.' },
  { field: 'Verkoopprijs', address: 'D12' },
);

async function lines(row: RowResult, language: 'en' | 'nl' = 'en'): Promise<string[]> {
  async function* rows() {
    yield row;
  }
  return await troubleLines(rows(), false, language);
}

test('a refused field is shown with its cell, in place of the sentence about all of them', async () => {
  const row = outcome({ message: both('The given data was invalid.'), issues: [price] });
  expect(await lines(row)).toEqual([
    '  Pakketten 12: failed: D12 Verkoopprijs: expected a value the service accepts (the service says: Te hoog.)',
  ]);
});

test('a refusal without fields is shown as it was said, under one status in the reader’s language', async () => {
  expect(await lines(outcome({ message: both('Niet toegestaan.') }), 'nl')).toEqual([
    '  Pakketten 12: mislukt: Niet toegestaan.',
  ]);
});

test('what is unknown says so before its cells', async () => {
  const row = outcome({ status: 'unknown', message: both('no answer'), issues: [price] });
  expect((await lines(row))[0]).toMatch(/^ {2}Pakketten 12: unknown: no answer; D12 Verkoopprijs: /);
});

test('rows that are fine, or have nothing to say, are left out', async () => {
  expect(await lines(outcome({ status: 'created' }))).toEqual([]);
  expect(await lines({ planned, outcome: null })).toEqual([]);
});
