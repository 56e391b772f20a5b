/** Chance that a seed decides, so that every file it makes can be made again. */
export interface Random {
  /** A whole number from 0 up to, not including, this one. */
  below(limit: number): number;
  pick<T>(list: readonly T[]): T;
  /** True in one of so many cases. */
  oneIn(cases: number): boolean;
}

/** The generator mulberry32. */
export function randomFrom(seed: number): Random {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    pick: (list) => {
      if (list.length === 0) throw new Error('nothing to pick from');
      return list[below(list.length)] as (typeof list)[number];
    },
    oneIn: (cases) => below(cases) === 0,
  };
}
