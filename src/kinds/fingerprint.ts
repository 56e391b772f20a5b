import { createHash } from 'node:crypto';
import type { PlannedRow } from '../core/plan.ts';

/** Names what a row sends so that the same row of the same file has the same name again, and no other has it. */
export interface Fingerprints {
  /** By the user's own `#key`, else by content with its ordinal among equal rows of the file. */
  of(key: string | null, content: PlannedRow['steps'][number]['body']): string;
}

/** The name of a row with a `#key`. */
export const byReference = (key: string): string => `key:${key}`;

const BY_CONTENT = 'content:';

/** Whether a row that the user gave no name has this one. */
export const isByContent = (fingerprint: string): boolean => fingerprint.startsWith(BY_CONTENT);

/** One serves all sheets of a resource in a run: equal rows on two sheets are two rows. */
export function createFingerprints(): Fingerprints {
  const seen = new Map<string, number>();
  return {
    of(key, content) {
      if (key !== null) return byReference(key);
      const sorted = Object.entries(content).sort(([a], [b]) => (a < b ? -1 : 1));
      const hash = createHash('sha256').update(JSON.stringify(sorted)).digest('base64url').slice(0, 27);
      const ordinal = (seen.get(hash) ?? 0) + 1;
      seen.set(hash, ordinal);
      return `${BY_CONTENT}${hash}:${ordinal}`;
    },
  };
}
