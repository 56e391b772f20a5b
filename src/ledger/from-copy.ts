import type { Ledger } from './ledger.ts';

/** Where a ledger keeps that a run's plan was in a copy that was put back: no service has this name. */
export const placeOfCopied = (run: string) => ['', `${run} is from a copy`] as const;

/**
 * Whether a run was in a copy that was put back, and not done: what of it was sent since the copy was made may
 * not be known.
 */
export async function isFromCopy({ findFact }: Pick<Ledger, 'findFact'>, run: string): Promise<boolean> {
  return (await findFact(...placeOfCopied(run))) !== undefined;
}
