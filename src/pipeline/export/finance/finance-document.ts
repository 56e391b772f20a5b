import type { Language } from '../../../schema/value.ts';
import type { FinanceResult } from './export-finance.ts';
import type { Changed, FinanceChanges } from './finance-changes.ts';

/** A finance export as `--json` prints it; amounts are decimals in text. */
export interface FinanceDocument extends Omit<FinanceResult, 'notes' | 'changes'> {
  readonly notes: readonly string[];
  readonly changes:
    | (Omit<FinanceChanges, 'listed'> & {
        /** The first of them. */
        readonly records: readonly (Omit<Changed, 'was' | 'now'> & {
          readonly was: string | null;
          readonly now: string | null;
        })[];
      })
    | null;
}

/** A finance export as JSON. */
export function financeDocument(
  { notes, changes, ms, ...result }: FinanceResult,
  language: Language,
): FinanceDocument {
  return { ...result, changes: changesDocument(changes), notes: notes.map((note) => note[language]), ms };
}

function changesDocument(changes: FinanceChanges | null): FinanceDocument['changes'] {
  if (changes === null) return null;
  const { listed, ...about } = changes;
  const records = listed.map((one) => ({ ...one, was: one.was?.text ?? null, now: one.now?.text ?? null }));
  return { ...about, records };
}
