import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { EXIT } from '../../src/core/errors.ts';
import { openTestService } from '../helpers/test-service.ts';
import { runMutants } from './fuzz/run-mutants.ts';
import { ownSeeds, type Seed, seedsIn } from './fuzz/seeds.ts';

/** FILES from number FROM on, made from SEED; one of SHARE goes through the whole program, in a process of its own. */
const { FILES = 20_000, SEED = 1, FROM = 0, SHARE = 40 } = process.env;
const CORPORA = join(import.meta.dirname, '../../../shared/corpora');

const ALLOWED: readonly (number | null)[] = [EXIT.ok, EXIT.usage, EXIT.file, EXIT.rows];
/** One JSON document: the plan, or one sentence with what to do next. */
const ANSWER = /^\{.*("counts":|"message": "\S[^\n]+\.",\n *"next": ".).*\}\s*$/s;

/** What is wrong in all files that are made from these. */
async function faultsFrom(seeds: readonly Seed[]): Promise<readonly string[]> {
  const service = await openTestService();
  const { faults, ...figures } = await runMutants({
    ...{ seeds, seed: Number(SEED), from: Number(FROM), files: Number(FILES), readers: 2 },
    also: async (file, index) => {
      if (index % Number(SHARE) !== 0) return undefined;
      const { code, stdout, stderr } = await service.run(['import', file, '--dry-run', '--json']);
      const isTrace = /\n\s+at .*:\d+:\d+/.test(stderr);
      if (ALLOWED.includes(code) && !isTrace && ANSWER.test(stdout)) return undefined;
      return `program ${code}: ${stdout.slice(0, 2000)} ${stderr.slice(0, 2000)}`;
    },
  });
  console.log(JSON.stringify(figures), faults.join('\n'));
  return faults;
}

/** Hours, for a machine that has other work. */
const LIMIT = { timeout: 7_200_000 };

it(`${FILES} mutated workbooks and CSVs: no crash, no hang, little memory, one sentence`, LIMIT, async () => {
  expect(await faultsFrom(await ownSeeds())).toEqual([]);
});

it.skipIf(!existsSync(CORPORA))(`the same from real workbooks, where they are here`, LIMIT, async () => {
  expect(await faultsFrom(await seedsIn(CORPORA))).toEqual([]);
});
