import type { Value, Values } from '../core/value.ts';
import { sameValue } from './existing-record.ts';
import type { HeldNow } from './field-memory.ts';
import type { SentStep } from './row-guard.ts';

/** A record that may be read back. */
export interface Candidate {
  readonly key: string;
  readonly sent: SentStep;
  readonly body: Values;
  /** What its fields held before, as far as they were there. */
  readonly was: Values;
  readonly telling: number;
}

/** One that was read after it was written. */
export interface SeenAgain {
  readonly one: Pick<Candidate, 'body' | 'was'> & { readonly isMoved: boolean };
  readonly values: HeldNow;
}

/** What the fields of a record held before a request wrote them; of a create none. */
export function heldBefore({ step, planned, body }: SentStep): Values {
  if (step.purpose === 'create') return {};
  const from = new Map(planned.changes.map((change) => [change.field, change.from]));
  return Object.fromEntries(Object.keys(body).map((field) => [field, from.get(field) ?? null]));
}

/** Whether a record was read as it was before an update of it: reads may lag behind. */
export function holdsBefore(
  { step, planned }: SentStep,
  held: Readonly<Record<string, Value | undefined>>,
): boolean {
  const told = planned.changes.filter(({ field }) => held[field] !== undefined);
  const isBefore = told.length > 0 && told.every(({ field, from }) => sameValue(held[field], from));
  return step.purpose === 'update' && isBefore;
}

/** Whether a record was written since the plan of a row read it, by its LMT. */
export const hasMoved = ({ planned }: SentStep, lmt: string | null): boolean =>
  planned.lmt !== null && lmt !== null && lmt !== planned.lmt;
