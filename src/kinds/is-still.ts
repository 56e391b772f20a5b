import type { KnownRecord } from '../ledger/ledger.ts';
import { type Existing, sameValue } from './catalogue/existing.ts';

/**
 * Whether a record is still the one that the ledger remembers for an ExternalID: it has that key, or none at all (not
 * every service keeps them) and the name it had.
 */
export function isStill(existing: Existing, external: number, known: KnownRecord, label: string): boolean {
  if (existing.external !== null) return existing.external === external;
  return known.label === null || sameValue(existing.values[label], known.label);
}
