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
  for (let index = 0; index < 20; index++) {
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
