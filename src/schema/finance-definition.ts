import type { Bilingual } from '../core/language.ts';
import type { Lookup, NamedRecord } from './field.ts';
import type {
  CountResource,
  EventResource,
  LinkResource,
  PostingResource,
  TripResource,
} from './resource.ts';

/** What a column holds. An amount is money, a quantity any other measure. */
type FinanceType = 'id' | 'text' | 'day' | 'moment' | 'month' | 'boolean' | 'amount' | 'quantity';

/** Where the names of ids come from: a list of them all, or a record of each. */
export type NameSource =
  | {
      /** What has the names, such as customers. */
      readonly called: Bilingual;
      readonly list: Lookup;
    }
  | NamedRecord;

/** A value that is computed for a row and stands in no record. */
type WorkedOutValue = 'month' | 'lines' | 'line-total' | 'arrangements' | 'trip-count' | 'trips' | 'revenue';

/** One column of a sheet of a finance export. */
export interface FinanceColumn {
  readonly header: Bilingual;
  readonly type: FinanceType;
  readonly help: Bilingual;
  /** The record's member; with a dot, a member of a nested record. */
  readonly member?: string;
  /** Shows the name of the id in the member. */
  readonly names?: NameSource;
  readonly worked?: WorkedOutValue;
  /** A value of the row rather than of its record, by the name that the sheet has for it. */
  readonly told?: string;
}

/** One sheet of a finance export. */
export interface FinanceSheet {
  readonly name: Bilingual;
  /** The table's name: letters and underscores. */
  readonly table: string;
  readonly columns: readonly FinanceColumn[];
}

/** What revenue is broken down by, beside months: a member of the event, and the names of its ids. */
interface FinanceGroup {
  readonly title: Bilingual;
  readonly member: string;
  readonly names: NameSource | null;
  /** What an id without a name is called, before its number. */
  readonly called: Bilingual;
}

/** The sheets of a finance export, and the members that hold its amounts, names and days. Plain data. */
export interface FinanceDefinition {
  readonly overview: Bilingual;
  readonly manifest: Bilingual;
  readonly events: FinanceSheet & {
    readonly resource: EventResource;
    readonly label: string;
    /** Flags: no revenue, and not to be invoiced. */
    readonly noRevenue: string;
    readonly notInvoiced: string;
    readonly location: FinanceGroup;
    readonly type: FinanceGroup;
    readonly manager: FinanceGroup;
  };
  readonly lines: FinanceSheet & {
    readonly resource: LinkResource;
    /** The member that a row is called by. */
    readonly label: string;
    readonly price: string;
    readonly quantity: string;
  };
  readonly trips: FinanceSheet & {
    readonly resource: TripResource;
    /** The member that a row is called by. */
    readonly label: string;
    readonly event: string;
    /** The member with what its event is called, told as `label`. */
    readonly eventLabel: string;
    readonly price: string;
    readonly cost: string;
    readonly distance: string;
  };
  readonly mutations: FinanceSheet & { readonly resources: readonly (PostingResource | CountResource)[] };
  /** A line for each arrangement and trip that counts as revenue: columns of its event, and told ones. */
  readonly bookings: FinanceSheet & {
    /** By what it is of: the told values that stand in its record, and their members. */
    readonly of: Readonly<Record<'lines' | 'trips', Readonly<Record<string, string>>>>;
  };
}
