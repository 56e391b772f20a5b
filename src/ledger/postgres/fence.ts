import { VERSION } from '../tables.ts';
import { codeOf } from './database.ts';
import { rendered } from './rendered.ts';

/** The code with which the database's own function refuses, of no other error. */
const FENCED = 'CS001';

/**
 * Refuses what a transaction writes where the right to send of this name is another's by now, or a newer program
 * changed the tables. Until the transaction ends nobody can take over.
 */
export const fencing = (right: string): string => rendered('@fence(?, ?)', [right, VERSION]);

/** The version of the tables that a refusal tells; undefined of any other error. */
export const versionFound = (error: unknown): number | undefined =>
  codeOf(error) === FENCED ? Number((error as Error).message) : undefined;

/** Of programs that claim postings one does it at a time: each sees what the one before it has. */
export const IN_TURN = "pg_advisory_xact_lock(hashtextextended('catersheet postings', 0))";
