import { expect, test } from 'vitest';
import { freeRunId } from '../../src/run/runs.ts';
import { VirtualTime } from '../helpers/virtual-time.ts';

test('a run gets no id that the ledger has, as two may begin in one instant', async () => {
  const asked: string[] = [];
  const ledger = {
    findRun: async (run: string) => {
      asked.push(run);
      return asked.length < 3 ? ({ run } as never) : undefined;
    },
  };
  expect(await freeRunId({ ledger, time: new VirtualTime() })).toBe(asked[2]);
  expect(asked).toHaveLength(3);
});
