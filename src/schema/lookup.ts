import type { Endpoint } from './endpoint.ts';

/** Where the ids of a column come from, and how a name is turned into one (interface section 2, Lookup columns). */
export interface Lookup {
  /** Such as `producttype`; the key of its settings in the dialect. */
  readonly name: string;
  /** The list that holds every id, when the interface names one. */
  readonly endpoint?: Endpoint;
  /** The `{id}` of a dropdown list, when the interface gives its number; settings can supply it otherwise. */
  readonly dropdown?: number;
  /** The column takes ids of another list too: one that this list lacks may be right. */
  readonly partial?: true;
}

/** One entry of a lookup: an id, and the name people use for it. */
export interface LookupEntry {
  readonly id: number;
  readonly label: string;
}
