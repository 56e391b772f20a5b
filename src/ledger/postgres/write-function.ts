import { codeOf } from './database.ts';
import { rendered } from './rendered.ts';

/** The right to send by which something is written. */
export interface WritingRight {
  readonly name: string;
  readonly token: number;
  readonly holder: string;
}

/** The code with which the database's own function refuses, of no other error. */
export const FENCED = 'CS001';

/**
 * Goes before what is written: refuses it where the right to send is another's by now, or a newer program changed
 * the tables. Until the transaction ends nobody can take over.
 */
export const fencing = ({ name, token, holder }: WritingRight, version: number): string =>
  rendered('select @fence(?, ?, ?, ?)', [name, token, holder, version]);

/** The version of the tables that a refusal tells; null where the right is another's. */
export function versionFound(error: unknown): number | null {
  const { message } = error as Error;
  return codeOf(error) === FENCED && message !== '' && message !== 'taken over' ? Number(message) : null;
}

/** Of programs that claim postings one does it at a time: each sees what the one before it has. */
export const IN_TURN = "select pg_advisory_xact_lock(hashtextextended('catersheet postings', 0))";
