import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { StopError } from '../../src/core/errors.ts';
import { readWorkbook } from '../../src/workbook/read-workbook.ts';
import { mutant } from '../campaigns/fuzz/mutant.ts';
import { faultOf } from '../campaigns/fuzz/run-mutants.ts';
import { ownSeeds } from '../campaigns/fuzz/seeds.ts';
import { scratchFolder } from './make-workbook.ts';

const folder = scratchFolder();

test('mutated workbooks and CSVs are read, or refused in one sentence that says what to do', async () => {
  const seeds = await ownSeeds();
  const outcomes = new Set<string>();
  for (let index = 0; index < 40; index++) {
    const { bytes, name } = await mutant(seeds, 4, index);
    const file = join(folder, name);
    writeFileSync(file, bytes);
    const outcome = await readWorkbook(file)
      .then(async (workbook) => {
        for (const { batches } of workbook) for await (const _ of batches);
        return {};
      })
      .catch((error: unknown) => {
        if (!(error instanceof StopError)) throw error;
        const { message, next } = error.texts;
        return { exit: error.exit, message, ...(next && { next }) };
      });
    expect(faultOf({ file, cpuMs: 0, ms: 0, megabytes: 0, ...outcome }), name).toBeUndefined();
    outcomes.add('exit' in outcome ? 'refused' : 'read');
  }
  expect(outcomes.size).toBe(2);
});

const SAYS = { message: { en: 'It is cut off.', nl: 'Het is afgekapt.' } };
test.each([
  [{ rows: 3 }, undefined],
  [{ exit: 3, ...SAYS, next: { en: 'Save it again.', nl: 'Sla het op.' } }, undefined],
  [{ exit: 3, ...SAYS }, /^words/],
  [{ exit: 1, ...SAYS }, /^exit 1/],
  [{ crash: 'TypeError' }, /^crash/],
  [{ rows: 1, cpuMs: 6000 }, /^slow/],
  [{ rows: 1, megabytes: 600 }, /^memory/],
])('the report %j is judged', (report, fault) => {
  const found = faultOf({ file: 'a.xlsx', cpuMs: 1, ms: 1, megabytes: 100, ...report });
  if (fault === undefined) expect(found).toBeUndefined();
  else expect(found).toMatch(fault);
});
