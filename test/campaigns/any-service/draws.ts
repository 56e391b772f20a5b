import { Random } from '../../second-service/random.ts';

/**
 * What can be out of the ordinary in a round, each with the share of rounds it is drawn in. Every group draws
 * from a generator of its own, so that a round without one of them is otherwise the same round.
 */
export const GROUPS = {
  skew: 0.4,
  resolution: 0.3,
  lmt: 0.25,
  jump: 0.2,
  lost: 0.6,
  late: 0.35,
  gateway: 0.25,
  lag: 0.25,
  numbers: 0.25,
  texts: 0.3,
  moments: 0.15,
  nothing: 0.15,
  keys: 0.45,
  ids: 0.2,
  shapes: 0.3,
  colleague: 0.2,
  between: 0.15,
  kill: 0.2,
  changed: 0.25,
  hidden: 0.15,
  ignored: 0.12,
  clears: 0.2,
  bits: 0.1,
  zone: 0.08,
} as const;

/** The name of something that can be out of the ordinary. */
export type Group = keyof typeof GROUPS;

/** Groups by name: those that are left out, and those that alone may be drawn. */
export interface GroupWishes {
  readonly without?: readonly string[];
  readonly only?: readonly string[];
}

/** The draws of one round: which groups are out of the ordinary, and a generator for each. */
export class Draws {
  readonly seed: number;
  /** The groups that are out of the ordinary in this round. */
  readonly groups: readonly Group[];

  constructor(seed: number, { without = [], only }: GroupWishes = {}) {
    this.seed = seed;
    this.groups = (Object.keys(GROUPS) as Group[]).filter((group) => {
      if (without.includes(group)) return false;
      return only ? only.includes(group) : this.random(`${group}?`).chance(GROUPS[group]);
    });
  }

  has(group: Group): boolean {
    return this.groups.includes(group);
  }

  /** A generator that is always the same for this round and this purpose. */
  random(purpose: string): Random {
    return new Random(hashed(`${this.seed} ${purpose}`));
  }
}

/** A number that a text always gives (FNV-1a). */
export function hashed(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
