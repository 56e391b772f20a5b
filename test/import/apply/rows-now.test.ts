import { expect, test } from 'vitest';
import { rowNow } from '../../../src/import/apply/outcomes.ts';
import { plannedRow } from '../../ledger/fixtures.ts';

const step = (purpose: 'create' | 'update') => ({ ...plannedRow(0).steps[0], purpose }) as never;

test('a row that is created, and whose update is still to come, asks for nothing while its run is sent', () => {
  const planned = plannedRow(0, { steps: [step('create'), step('update')] });
  const row = { planned, outcome: null, progress: { done: 1, id: 7316, sendingSince: null } };
  expect(rowNow('een', row, true).outcome).toBeNull();
  expect(rowNow('een', row, false).outcome).toMatchObject({
    ...{ status: 'not sent', id: 7316 },
    message: { en: 'created as 7316, but what an update should add did not go through: it was not sent yet' },
  });
});
