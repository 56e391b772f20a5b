import type { Values } from '../schema/value.ts';

/** The kinds of records that change; what never changes is in the company. */
export const KINDS = [
  'package',
  'recipe',
  'stock',
  'mutation',
  'event',
  'link',
  'trip',
  'document',
  'order',
  'orderCall',
] as const;

export type Kind = (typeof KINDS)[number];

export interface Stored {
  readonly id: number;
  /** When it was last written: `YYYY-MM-DD hh:mm:ss.SSS`. */
  readonly lmt: string;
  readonly values: Values;
}

export interface Insertion {
  /** The next number of the kind by default. */
  readonly id?: number;
  /** Now by default. */
  readonly lmt?: string;
}

/** The service's records. Every call is one statement, unless it is made inside `atomic`. */
export interface Store {
  get(kind: Kind, id: number): Stored | undefined;
  /** The first of the records with this ExternalID; the service does not keep them apart. */
  byExternal(kind: Kind, externalId: number): Stored | undefined;
  /** The records of one event. */
  byEvent(kind: Kind, partijId: number): Stored[];
  /** The records whose Datum lies from `from` up to and including `to`, by date. */
  between(kind: Kind, from: string, to: string): Stored[];
  /** The records written after `since`, in the order in which they were written. */
  modified(kind: Kind, since: string, limit?: number, offset?: number): Stored[];
  countModified(kind: Kind, since: string): number;
  all(kind: Kind): Stored[];
  insert(kind: Kind, values: Values, insertion?: Insertion): number;
  /** Sets the given fields and leaves the others; null clears. */
  update(record: Stored, kind: Kind, changes: Values): void;
  remove(kind: Kind, id: number): void;
  atomic<Result>(work: () => Result): Result;
  close(): void;
}
