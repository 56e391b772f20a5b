import { Reading } from './clock-edges.ts';

/** Above so many, what is too old is let go now and then. */
const MANY = 50_000;

/**
 * What was read of a list and is so young that whoever asks for what was written since the reading began may be given it again. Of each
 * record, by its key, a stamp is kept that tells what it was and begins with when it was written; of older ones nothing.
 */
export class Recent<K> {
  readonly reading: Reading;
  private readonly stamps = new Map<K, string>();
  private newest: string | null = null;
  private before = '';

  /** The reading begins now. */
  constructor(now: Date) {
    this.reading = new Reading(now);
  }

  /** What is older than this moment need not be kept. To be asked for now and then: it only goes up. */
  oldest(): string {
    const { newest } = this.reading;
    if (newest !== this.newest) {
      this.newest = newest;
      this.before = this.reading.before() ?? '';
    }
    return this.before;
  }

  keep(key: K, stamp: string): void {
    this.stamps.set(key, stamp);
    if (this.stamps.size % MANY !== 0) return;
    const oldest = this.oldest();
    for (const [one, other] of this.stamps) if (other < oldest) this.stamps.delete(one);
  }

  stampOf(key: K): string | undefined {
    return this.stamps.get(key);
  }

  [Symbol.iterator](): IterableIterator<[K, string]> {
    return this.stamps.entries();
  }
}
