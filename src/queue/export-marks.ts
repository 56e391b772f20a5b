import { hash } from 'node:crypto';
import { isWatermark, watermarkAt } from '../export/watermark.ts';
import { isSnapshot, snapshotAt } from '../finance/export-snapshot.ts';
import type { Ledger } from '../ledger/ledger.ts';

/** What an export is to remember in the ledger once its file reached the person. */
export interface Mark {
  readonly service: string;
  readonly name: string;
  readonly value: string;
  /** The sign of what it goes on from; null where there was none. */
  readonly before: string | null;
}

const signOf = (value: string | undefined): string | null =>
  value === undefined ? null : hash('sha256', value);
const isMark = (name: string): boolean => isWatermark(name) || isSnapshot(name);

/** A ledger that keeps an export's marks apart: who delivers the file remembers them. */
export function withoutMarks(ledger: Ledger, marks: Mark[]): Ledger {
  const seen = new Map<string, string | null>();
  return Object.assign(Object.create(ledger) as Ledger, {
    async findFact(service: string, name: string) {
      const found = await ledger.findFact(service, name);
      // What an export goes on from is what it read first.
      if (!seen.has(name)) seen.set(name, signOf(found));
      return found;
    },
    async rememberFact(service: string, name: string, value: string) {
      if (isMark(name)) marks.push({ service, name, value, before: seen.get(name) ?? null });
      else await ledger.rememberFact(service, name, value);
    },
  });
}

/**
 * Whether a mark may take the place of what is remembered by now: of what its export went on from, or of what
 * is not as far. Another export may have been delivered meanwhile, and a mark never goes back.
 */
export function mayFollow({ name, value, before }: Mark, now: string | undefined): boolean {
  if (now === undefined || signOf(now) === before) return true;
  const at = isWatermark(name) ? watermarkAt : snapshotAt;
  return at(value) > at(now);
}
