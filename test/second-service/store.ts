import type { Random } from './random.ts';
import type { Kind, Values } from './types.ts';

interface Version {
  readonly at: number;
  readonly values: Readonly<Values> | undefined;
}

/** New ids; packages, recipes and other products share one row of them. */
export class Sequence {
  #highest: number;
  readonly #used = new Set<number>();

  constructor(start: number) {
    this.#highest = start;
  }

  /** Keeps an id from being given again. */
  use(id: number): void {
    this.#used.add(id);
    this.#highest = Math.max(this.#highest, id);
  }

  /** Lets an id be given again. */
  release(id: number): void {
    this.#used.delete(id);
    if (id === this.#highest) this.#highest = Math.max(0, ...this.#used);
  }

  /** The next id by the given habit. */
  next(habit: 'ascending' | 'gaps' | 'random' | 'reused', random: Random): number {
    // Ids need not ascend: the interface document does not say so.
    if (habit === 'random') return this.#free(random);
    this.#highest += habit === 'gaps' ? 1 + Math.floor(random.between(0, 9)) : 1;
    this.#used.add(this.#highest);
    return this.#highest;
  }

  #free(random: Random): number {
    let id = 0;
    do id = Math.floor(random.between(1, 2_000_000));
    while (this.#used.has(id));
    this.#used.add(id);
    return id;
  }
}

/** Groups of two or more that have the same key. */
export function doubled<T>(all: readonly T[], keyOf: (one: T) => unknown): T[][] {
  const groups: Record<string, T[]> = {};
  for (const one of all) {
    const key = JSON.stringify(keyOf(one));
    groups[key] = [...(groups[key] ?? []), one];
  }
  return Object.values(groups).filter((group) => group.length > 1);
}

/** All records of one kind, with every version they had, so that a list can show an older moment. */
export class Store {
  readonly kind: Kind;
  readonly sequence: Sequence;
  readonly #versions = new Map<number, Version[]>();

  constructor(kind: Kind, sequence: Sequence) {
    this.kind = kind;
    this.sequence = sequence;
  }

  /** The record as it was at a moment (default: now), or undefined. */
  get(id: number, asOf = Number.POSITIVE_INFINITY): Readonly<Values> | undefined {
    return this.#versions.get(id)?.findLast((version) => version.at <= asOf)?.values;
  }

  /** All records as they were at a moment (default: now), in the order of their ids. */
  all(asOf = Number.POSITIVE_INFINITY): Readonly<Values>[] {
    return this.entries(asOf).map(([, values]) => values);
  }

  /** All ids with their records as they were at a moment (default: now), in the order of the ids. */
  entries(asOf = Number.POSITIVE_INFINITY): [number, Readonly<Values>][] {
    const found: [number, Readonly<Values>][] = [];
    for (const id of [...this.#versions.keys()].sort((a, b) => a - b)) {
      const values = this.get(id, asOf);
      if (values) found.push([id, values]);
    }
    return found;
  }

  /** The records with these values. */
  where(wanted: Values): Readonly<Values>[] {
    return this.all().filter((values) =>
      Object.entries(wanted).every(([name, value]) => values[name] === value),
    );
  }

  /** Groups of two or more records that have the same values in these fields. */
  doubles(fields: readonly string[]): Readonly<Values>[][] {
    return doubled(this.all(), (values) => fields.map((name) => values[name]));
  }

  /** How many records there are now. */
  get size(): number {
    return this.entries().length;
  }

  /** Puts a new version down; the world's commit calls this, so that no write misses the journal. */
  put(id: number, values: Values | undefined, at: number): void {
    const versions = this.#versions.get(id) ?? [];
    versions.push({ at, values: values && Object.freeze({ ...values }) });
    this.#versions.set(id, versions);
    this.sequence.use(id);
  }
}
