import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const BENCH = fileURLToPath(new URL('../../bench/', import.meta.url));

interface Race {
  readonly name: string;
  readonly base: string;
  readonly sizes: { readonly quick: readonly [string] };
  readonly contestants: Readonly<Record<string, object>>;
}

const { RACES } = (await import(join(BENCH, 'races.mjs'))) as { RACES: readonly Race[] };
const { marked } = (await import(join(BENCH, 'marks.mjs'))) as { marked(race: Race): string[] };
const { measure, summary } = (await import(join(BENCH, 'measure.mjs'))) as {
  measure(race: Race, size: string, how: object): Promise<{ readonly rounds: readonly object[] }>;
  summary(race: Race, measured: object): { readonly name: string; readonly failure?: string }[];
};

/** Libraries that only the bench has installed. */
const PEERS = /^hucre/;

it.each(RACES)('All who are held to a mark finish the race of $name with fifty rows', async (race) => {
  const [size] = race.sizes.quick;
  const names = marked(race).filter((name) => !PEERS.test(name));
  const among = { ...race, base: names[0] ?? race.base };
  const measured = await measure(among, size.replace(/\d+/, '50'), { names, rounds: 1, limit: 120_000 });
  const told = summary(among, measured).map(({ name, failure }) => [name, failure]);
  expect(told).toEqual(names.map((name) => [name, undefined]));
});
