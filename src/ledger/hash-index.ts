const SMALLEST = 1 << 10;

const OFFSET_BASIS = 0x811c9dc5;

/** A 32-bit hash (FNV-1a, mixed); never 0, a free place. `from`: `fnv1a` of the text before it. */
export function hashOf(text: string, from = OFFSET_BASIS): number {
  let hash = fnv1a(text, from);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash ^= hash >>> 13;
  return hash === 0 ? 1 : hash;
}

/** FNV-1a of a prefix, for `hashOf`: it need not be joined with each text. */
export function fnv1a(text: string, from = OFFSET_BASIS): number {
  let hash = from;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}

/**
 * A set of hashes, about 8 bytes each: a Set of a million texts takes a hundred megabytes. Two texts may
 * share a hash, so only `false` is certain.
 */
export class HashSet {
  private places = new Int32Array(SMALLEST);
  private used = 0;

  has(hash: number): boolean {
    return this.places[this.placeOf(hash)] !== 0;
  }

  add(hash: number): void {
    if (2 * (this.used + 1) > this.places.length) this.grow();
    const at = this.placeOf(hash);
    if (this.places[at] === 0) this.used++;
    this.places[at] = hash;
  }

  /** The place of the hash, or the free place for it. */
  private placeOf(hash: number): number {
    const { places } = this;
    const mask = places.length - 1;
    let at = hash & mask;
    while (places[at] !== 0 && places[at] !== hash) at = (at + 1) & mask;
    return at;
  }

  private grow(): void {
    const old = this.places;
    this.places = new Int32Array(2 * old.length);
    for (const hash of old) if (hash !== 0) this.places[this.placeOf(hash)] = hash;
  }
}

/** Numbers from 0 by hash, about 16 bytes each. Texts may share one, so the caller compares what is found. */
export class HashIndex {
  /** Hash and number side by side; of more numbers the place of the last in `more`, counted from -1 down. */
  private places = new Int32Array(2 * SMALLEST);
  private used = 0;
  /** Number and what stood under the hash before it, side by side. */
  private readonly more: number[] = [];

  add(hash: number, value: number): void {
    if (4 * (this.used + 1) > this.places.length) this.grow();
    const at = this.placeOf(hash);
    if (this.places[at] === 0) {
      this.put(hash, value);
      this.used++;
      return;
    }
    this.more.push(value, this.places[at + 1] as number);
    this.places[at + 1] = -this.more.length / 2;
  }

  /** The numbers under this hash, in no order. */
  find(hash: number): number[] {
    const at = this.placeOf(hash);
    if (this.places[at] === 0) return [];
    const found: number[] = [];
    let value = this.places[at + 1] as number;
    for (; value < 0; value = this.more[-2 * value - 1] as number)
      found.push(this.more[-2 * value - 2] as number);
    found.push(value);
    return found;
  }

  /** Where the hash stands, or the free place for it. */
  private placeOf(hash: number): number {
    const { places } = this;
    const mask = places.length / 2 - 1;
    let at = hash & mask;
    while (places[2 * at] !== 0 && places[2 * at] !== hash) at = (at + 1) & mask;
    return 2 * at;
  }

  private put(hash: number, value: number): void {
    const at = this.placeOf(hash);
    this.places[at] = hash;
    this.places[at + 1] = value;
  }

  private grow(): void {
    const old = this.places;
    this.places = new Int32Array(2 * old.length);
    for (let at = 0; at < old.length; at += 2) {
      if (old[at] !== 0) this.put(old[at] as number, old[at + 1] as number);
    }
  }
}
