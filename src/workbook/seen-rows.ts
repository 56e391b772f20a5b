import { LAST_ROW } from './limits.ts';

/** Which rows of a sheet were met: a bit each, so that a million of them cost no more than ten. */
export class SeenRows {
  private readonly bits = new Uint8Array((LAST_ROW >> 3) + 1);

  /** Notes row `number` (from 1); false where it was met before. */
  add(number: number): boolean {
    const [at, bit] = [number >> 3, 1 << (number & 7)];
    const bits = this.bits[at] as number;
    this.bits[at] = bits | bit;
    return (bits & bit) === 0;
  }
}
