import type { Ledger } from '../ledger/ledger.ts';

/** Where the ledger keeps it: no service has this name. */
const PLACE = ['', 'run at work'] as const;

/** Remembers which run the program that has the ledger's lock is at; none yet when it just took the lock. */
export const rememberAtWork = (ledger: Ledger, run = ''): Promise<void> => ledger.rememberFact(...PLACE, run);

/** The run that the program which has the ledger's lock is at; undefined before it has one. */
export const findAtWork = async (ledger: Ledger): Promise<string | undefined> =>
  (await ledger.findFact(...PLACE)) || undefined;
