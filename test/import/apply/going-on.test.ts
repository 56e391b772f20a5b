import { expect, test } from 'vitest';
import type { Progress } from '../../../src/run/progress.ts';
import { newPackages, openWorld } from '../../promises/world.ts';

test('a run that goes on tells how far it is of all its rows, those from before among them', async () => {
  const { service, sheet, machine, planImport, applyPlan } = openWorld();
  const options = { ...machine(), concurrency: 1, retries: 0 };
  let writes = 0;
  const failure = { kind: 'answer', when: 'before', status: 401, body: {} } as const;
  service.set({ failures: { choose: ({ write }) => (write && ++writes > 11 ? failure : undefined) } });
  const { run } = await planImport(sheet(newPackages(8)), options);
  await expect(applyPlan(run, options)).rejects.toThrow('401');
  service.set({ failures: { choose: () => undefined } });
  const told: Progress[] = [];
  await applyPlan(run, { ...options, onProgress: (progress) => told.push(progress) });
  const sending = told.filter(({ stage }) => stage === 'sending').map(({ done }) => done);
  // The others were made, and lack their ExternalID still.
  expect([sending[0], sending.at(-1)]).toEqual([3, 8]);
});
