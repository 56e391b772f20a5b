import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openTestService } from '../helpers/test-service.ts';
import { type FuzzReport, runMutants } from './fuzz/run-mutants.ts';
import { ownSeeds, type Seed, seedsIn } from './fuzz/seeds.ts';
import { throughProgram } from './fuzz/through-program.ts';

const FILES = Number(process.env.FILES ?? 20_000);
const SEED = Number(process.env.SEED ?? 1);
const FROM = Number(process.env.FROM ?? 0);
/** One file of so many goes through the whole program, in a process of its own. */
const SHARE = Number(process.env.SHARE ?? 40);
const CORPORA = join(import.meta.dirname, '../../../shared/corpora');

async function run(seeds: readonly Seed[]): Promise<FuzzReport> {
  const service = await openTestService();
  const codes: Record<string, number> = {};
  const report = await runMutants({
    ...{ seeds, seed: SEED, from: FROM, files: FILES, readers: 2 },
    also: async (file, index) => {
      if (index % SHARE !== 0) return undefined;
      const { code, fault } = await throughProgram(service, file);
      codes[String(code)] = (codes[String(code)] ?? 0) + 1;
      return fault;
    },
  });
  const { faults, ...figures } = report;
  console.log(JSON.stringify({ ...figures, exitCodes: codes, seeds: seeds.length }), faults.join('\n'));
  return report;
}

/** Hours, for a machine that has other work. */
const LIMIT = { timeout: 7_200_000 };

it(`${FILES} mutated workbooks and CSVs: no crash, no hang, little memory, one sentence`, LIMIT, async () => {
  expect((await run(await ownSeeds())).faults).toEqual([]);
});

it.skipIf(!existsSync(CORPORA))(`the same from real workbooks, where they are here`, LIMIT, async () => {
  expect((await run(await seedsIn(CORPORA))).faults).toEqual([]);
});
