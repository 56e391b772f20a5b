import type { AnswerRecord, WriteAnswer } from './answer.ts';
import type { DocumentResource, DownloadResource, RefreshResource } from './command-resources.ts';
import type { Endpoint } from './endpoint.ts';
import type { ListPage } from './list.ts';
import type { Members } from './members.ts';
import type { ProductPage, ProductQuery } from './page.ts';
import type { SheetDefinition } from './sheet-definition.ts';
import type { Values } from './value.ts';

/** An endpoint that writes a record and answers its id and whether it went well. */
export type WriteEndpoint = Endpoint<Values, WriteAnswer>;

/** Records that are found by id or ExternalID, one by one or in the pages of a list by LMT (interface 4.1, 4.2). */
export interface CatalogueResource extends SheetDefinition {
  readonly kind: 'catalogue';
  /** The field that holds the service's own id. */
  readonly id: string;
  /** The field that holds the user's key. */
  readonly external: string;
  /** The field that people know a record by. */
  readonly label: string;
  /** What the records of its list hold. */
  readonly listed: Members;
  readonly requests: {
    readonly create: WriteEndpoint;
    readonly update: WriteEndpoint;
    readonly remove: WriteEndpoint;
    readonly findById: Endpoint<unknown, AnswerRecord | null>;
    readonly findByExternal: Endpoint<unknown, AnswerRecord | null>;
    /** The records modified after a moment, page by page. */
    readonly list: Endpoint<ProductQuery, ProductPage>;
  };
}

/** Events: found by PartijID, by ExternalID through the ledger, else among the events of a period (interface 4.4). */
export interface EventResource extends SheetDefinition {
  readonly kind: 'event';
  readonly id: string;
  readonly external: string;
  /** The field that people know a record by. */
  readonly label: string;
  /** The field that says on which day a record is, to look it up by. */
  readonly date: string;
  /** The field, only read, that says whether a record takes more days than that one. */
  readonly severalDays: string;
  /** What the records of its lists hold. */
  readonly listed: Members;
  readonly requests: {
    readonly create: WriteEndpoint;
    readonly update: WriteEndpoint;
    readonly find: Endpoint<unknown, AnswerRecord | null>;
    readonly all: Endpoint<EventPeriod, ListPage>;
    /** Those of the period that were modified after a moment, `YYYY-MM-DD hh:mm`. */
    readonly allByLmt: Endpoint<EventPeriod & { readonly LMT: string }, ListPage>;
    /** Those of the period that are definitive; the flag has a name of its own. */
    readonly allDefinitive: Endpoint<
      Omit<EventPeriod, 'EnkelEvenement'> & { readonly EnkelEvent: boolean },
      ListPage
    >;
  };
}

/** The body of event/all (interface 4.4); days as `YYYY-MM-DD`. */
export interface EventPeriod {
  readonly EnkelEvenement: boolean;
  readonly DatumVan: string;
  readonly DatumTot: string;
}

/** What is linked to a parent record: found in the parent's list, one request a parent (interface 4.5). */
export interface LinkResource extends SheetDefinition {
  readonly kind: 'link';
  /** The field that holds the parent's id, and the field that says what is linked to it. */
  readonly parent: string;
  readonly child: string;
  /** What the records of its list hold. */
  readonly listed: Members;
  readonly requests: {
    readonly create: WriteEndpoint;
    readonly update: WriteEndpoint;
    readonly remove: WriteEndpoint;
    readonly list: Endpoint<unknown, ListPage>;
  };
}

/** Trips: made by the service alone; updated and deleted here (interface 4.6). */
export interface TripResource extends SheetDefinition {
  readonly kind: 'trip';
  readonly id: string;
  /** The field that says on which day a trip is, and the one that says when it was last written. */
  readonly date: string;
  readonly modified: string;
  /** What the records of its lists hold. */
  readonly listed: Members;
  readonly requests: {
    readonly update: WriteEndpoint;
    /** The trip stands in the path; nothing else goes along. */
    readonly remove: Endpoint<unknown, WriteAnswer>;
    readonly all: Endpoint<{ readonly DatumVan: string; readonly DatumTot: string }, ListPage>;
    readonly allByLmt: Endpoint<{ readonly LMT: string }, ListPage>;
  };
}

/** The requests of the stock sheets (interface 4.2). */
export interface StockRequests {
  readonly create: WriteEndpoint;
  readonly currentTotal: Endpoint<{ readonly ProductID: number }, StockTotal | null>;
}

/** What is in stock of a product, as currenttotal answers it; null for a product that is not there. */
export interface StockTotal {
  readonly total: readonly AnswerRecord[];
}

/** One of the two units in which stock is told: the field that is sent, and the members of a total (interface 2.6). */
export interface StockAmount {
  readonly sent: string;
  readonly total: string;
  /** The name of the unit: what is told in different ones does not add up. */
  readonly unit: string;
}

/** An amount with the column that holds what was counted of it. */
export interface CountedAmount extends StockAmount {
  readonly counted: string;
  /** The service works this total out by dividing, so that it may be a millionth off. */
  readonly divided: boolean;
}

/** Rows that take place anew each time they are sent, so at most once: the ledger alone knows (interface 2.6). */
export interface PostingResource extends SheetDefinition {
  readonly kind: 'posting';
  /** The field that holds the product's id. */
  readonly product: string;
  readonly amounts: readonly StockAmount[];
  readonly requests: StockRequests;
}

/** Counted amounts: what is sent is the difference to the current total (interface 2.6). */
export interface CountResource extends SheetDefinition {
  readonly kind: 'count';
  readonly product: string;
  /** The field that says when was counted. */
  readonly moment: string;
  readonly amounts: readonly CountedAmount[];
  /** The member of a listed product that says whether stock is kept of it. */
  readonly kept: string;
  /** What an export shows of a product and its current total beside what is counted. */
  readonly listed: Members;
  /** Of that, what people go by: it stands before what they count. */
  readonly told: readonly string[];
  readonly requests: StockRequests;
}

/**
 * One kind of sheet. Everything else derives from it: columns, row mapper, diff, requests, sandbox checks.
 * Plain data; `kind` says how its rows are looked up and sent. A new resource is one file and one line in the registry.
 */
export type Resource =
  | CatalogueResource
  | EventResource
  | LinkResource
  | TripResource
  | PostingResource
  | CountResource
  | DocumentResource
  | RefreshResource
  | DownloadResource;

/** Declares a resource and refuses one that contradicts itself, at start-up rather than in the middle of a run. */
export function defineResource<const R extends Resource>(resource: R): R {
  const named = [
    'id',
    'external',
    'label',
    'date',
    'severalDays',
    'modified',
    'parent',
    'child',
    'event',
    'day',
    'folder',
    'file',
    'extension',
    'product',
    'moment',
  ].flatMap((role) => {
    const name: unknown = (resource as unknown as Record<string, unknown>)[role];
    return typeof name === 'string' ? [name] : [];
  });
  for (const name of [...resource.keys, ...(resource.finds ?? []), ...named]) {
    if (!Object.hasOwn(resource.fields, name))
      throw new TypeError(`resource ${resource.name} has no field ${name}`);
  }
  return resource;
}
