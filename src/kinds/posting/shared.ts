import type { EarlierRow } from '../../import/map/record-twice.ts';
import type { PostingResource } from '../../schema/resource.ts';
import type { Fingerprints } from '../fingerprint.ts';
import type { Product } from './product.ts';
import type { Total } from './total.ts';

/** What the sheets of mutations share in a run. */
export interface Shared {
  readonly resource: PostingResource;
  readonly fingerprints: Fingerprints;
  /** Where each `#key` stands. */
  readonly keys: Map<string, EarlierRow>;
  /** Names each mutation that will be posted, by its product. */
  readonly mutationKey: (product: Product) => string;
  readonly totals: (product: number) => Promise<Total | null>;
}
