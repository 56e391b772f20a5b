import type { Ledger } from '../../ledger/ledger.ts';

/** Where the ledger keeps by which plan of the same file a plan was replaced: no service has this name. */
const placeOf = (run: string) => ['', `${run} was replaced`] as const;

/** Remembers that a plan was made anew (`by`), with other choices or corrections: the old one is not sent. */
export async function rememberReplaced(
  { rememberFact }: Pick<Ledger, 'rememberFact'>,
  run: string,
  by: string,
): Promise<void> {
  await rememberFact(...placeOf(run), by);
}

/** The plan that replaced a plan; undefined where none did. */
export async function findReplaced(
  { findFact }: Pick<Ledger, 'findFact'>,
  run: string,
): Promise<string | undefined> {
  return await findFact(...placeOf(run));
}
