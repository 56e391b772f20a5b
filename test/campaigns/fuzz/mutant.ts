import { Random } from '../../second-service/random.ts';
import { alterHeaders, BYTES } from './mutate-bytes.ts';
import { mutateCsv } from './mutate-csv.ts';
import { mutateParts } from './mutate-parts.ts';
import type { Seed } from './seeds.ts';

/** File number `index` of a seed: always the same for the same seeds. */
export async function mutant(
  seeds: readonly Seed[],
  seed: number,
  index: number,
): Promise<{ bytes: Buffer; name: string }> {
  const random = new Random(Math.imul(seed, 1_000_003) + index);
  const { bytes, parts } = random.pick(seeds);
  if (parts === undefined) return { bytes: mutateCsv(bytes, random), name: `${index}.csv` };
  const name = `${index}.xlsx`;
  const way = random.below(10);
  if (way < 6) return { bytes: await mutateParts(parts, random), name };
  if (way < 8) return { bytes: alterHeaders(bytes, random), name };
  return { bytes: random.pick(BYTES)(bytes, random), name };
}
