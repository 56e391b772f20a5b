import { expect, test } from 'vitest';
import { faultOf, runMutants } from '../campaigns/fuzz/run-mutants.ts';
import { ownSeeds } from '../campaigns/fuzz/seeds.ts';
import { throughProgram } from '../campaigns/fuzz/through-program.ts';
import { openTestService } from '../helpers/test-service.ts';

const seeds = await ownSeeds();

test('40 mutated files are read or refused in one sentence, without crash, hang or much memory', async () => {
  const service = await openTestService();
  const { faults, outcomes } = await runMutants({
    ...{ seeds, seed: 4, files: 40, readers: 1 },
    also: async (file, index) =>
      index % 100 === 30 ? (await throughProgram(service, file)).fault : undefined,
  });
  expect(faults).toEqual([]);
  expect(Object.keys(outcomes).sort()).toEqual(['read', 'refused']);
});

test.each([
  [{ rows: 3 }, undefined],
  [
    {
      exit: 3,
      message: { en: 'It is cut off.', nl: 'Het is afgekapt.' },
      next: { en: 'Save it again.', nl: 'Sla het op.' },
    },
    undefined,
  ],
  [{ exit: 3, message: { en: 'It is cut off.', nl: 'Het is afgekapt.' } }, /^words/],
  [{ exit: 3, message: { en: 'two\nlines.', nl: 'twee.' }, next: { en: 'Save.', nl: 'Bewaar.' } }, /^words/],
  [{ exit: 1, message: { en: 'It is cut off.', nl: 'Het is afgekapt.' } }, /^exit 1/],
  [{ crash: 'TypeError' }, /^crash/],
  [{ rows: 1, cpuMs: 6000 }, /^slow/],
  [{ rows: 1, megabytes: 600 }, /^memory/],
])('the report %j is judged', (report, fault) => {
  const found = faultOf({ file: 'a.xlsx', cpuMs: 1, ms: 1, megabytes: 100, ...report });
  if (fault === undefined) expect(found).toBeUndefined();
  else expect(found).toMatch(fault);
});
