import type { Values } from './types.ts';

/** The records that others refer to; the interface reads them and never writes them. */
export interface Lookups {
  readonly relation: Map<number, Values>;
  readonly contact: Map<number, Values>;
  readonly location: Map<number, Values>;
  /** The values of each dropdown by the dropdown's number. */
  readonly dropdown: Map<number, Map<number, string>>;
  readonly unit: Map<number, string>;
  readonly department: Map<number, string>;
  readonly productType: Map<number, string>;
  readonly productCategory: Map<number, string>;
  readonly productActionCategory: Map<number, string>;
  /** What a trip asks of people, by RitID. */
  readonly demand: Map<number, { readonly values: Values; readonly planning: readonly Values[] }>;
}

/** The name of a lookup that is a list of ids with their names. */
export type NamedLookup = 'unit' | 'department' | 'productType' | 'productCategory' | 'productActionCategory';

/** Lookups without any record. */
export function emptyLookups(): Lookups {
  return {
    relation: new Map(),
    contact: new Map(),
    location: new Map(),
    dropdown: new Map(),
    unit: new Map(),
    department: new Map(),
    productType: new Map(),
    productCategory: new Map(),
    productActionCategory: new Map(),
    demand: new Map(),
  };
}
