const OFFSET_BASIS = 0x811c9dc5;

/** A 32-bit hash (FNV-1a, mixed); never 0, which stands for no text. `from`: `fnv1a` of the text before it. */
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
 * Numbers by hash: the texts of a million rows would take a hundred megabytes. Two may share one, so the caller
 * compares what is found.
 */
export class HashIndex {
  readonly #places = new Map<number, number | number[]>();

  add(hash: number, value: number): void {
    const known = this.#places.get(hash);
    if (typeof known === 'object') known.push(value);
    else this.#places.set(hash, known === undefined ? value : [known, value]);
  }

  /** The numbers under this hash, as they came. */
  find(hash: number): readonly number[] {
    return [this.#places.get(hash) ?? []].flat();
  }
}
