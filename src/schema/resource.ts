import type { Bilingual, Values } from '../core/value.ts';
import type { AnswerRecord, FileAnswer, Members, WriteAnswer } from './answer.ts';
import type { Endpoint } from './endpoint.ts';
import type { Fields } from './field.ts';
import type { ListPage } from './list.ts';
import type { ProductQuery, RecordPage } from './page.ts';

/** What every kind of sheet has. */
interface SheetDefinition {
  /** Such as `packages`; what `--as` takes. */
  readonly name: string;
  /** The sheet's Dutch name, such as `Pakketten`. */
  readonly sheet: string;
  /** What its rows are, as a sentence without its full stop. */
  readonly about: Bilingual;
  /** Columns that say which record a row is about; a sheet without any of them is not recognised by its columns. */
  readonly keys: readonly string[];
  /** Columns that are never sent and help to find or to check a record all the same. */
  readonly finds?: readonly string[];
  /** The command that the sheet serves, where it is not an import. */
  readonly command?: string;
  readonly fields: Fields;
}

/** What an upload takes (interface 4.4): the event, a folder of it, and the file. */
interface DocumentUpload {
  readonly PartijID: number;
  readonly Submap: string;
  readonly Document: Blob;
}

/** The same with the file as text in base64, for services that take no forms. */
type DocumentTextUpload = Omit<DocumentUpload, 'Document'> & { readonly Document: string };

/** A sheet that serves a command of its own; an import passes it over. */
interface CommandSheet extends SheetDefinition {
  /** The command's name. */
  readonly command: string;
}

/** A sheet whose rows are about events. */
export interface AboutEvents {
  /** The field that holds the event's id, and the one, never sent, that says on which day it is. */
  readonly event: string;
  readonly day: string;
}

/** Files that are uploaded to events, each once: the ledger alone knows which (interface 4.4). */
export interface DocumentResource extends CommandSheet, AboutEvents {
  readonly kind: 'document';
  /** The field that names the folder on the service, and the one that holds the file's path here. */
  readonly folder: string;
  readonly file: string;
  readonly requests: {
    readonly upload: Endpoint<DocumentUpload, WriteAnswer>;
    readonly uploadAsText: Endpoint<DocumentTextUpload, WriteAnswer>;
    readonly find: Endpoint<unknown, AnswerRecord | null>;
  };
}

/** Events that the service is asked to refresh (interface 4.4, 6). */
export interface RefreshResource extends CommandSheet, AboutEvents {
  readonly kind: 'refresh';
  readonly requests: { readonly refresh: Endpoint<unknown, WriteAnswer> };
}

/** Files that are fetched from the service (interface 4.7). */
export interface DownloadResource extends CommandSheet {
  readonly kind: 'download';
  /** The fields that are the two segments of the path. */
  readonly id: string;
  readonly extension: string;
  /** What a file is fetched as where the row does not say. */
  readonly usual: string;
  readonly requests: { readonly file: Endpoint<unknown, FileAnswer> };
}

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
    readonly list: Endpoint<ProductQuery, RecordPage>;
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

/** What the service makes itself, such as trips (interface 4.6): updated here, found in the list of what changed. */
export interface TripResource extends SheetDefinition {
  readonly kind: 'trip';
  readonly id: string;
  /** The field that says when a record was last written, and the one that says on which day it is, of records that are listed by day. */
  readonly modified: string;
  readonly date?: string;
  /** What the records of its lists hold. */
  readonly listed: Members;
  readonly requests: {
    readonly update: WriteEndpoint;
    /** The record stands in the path; nothing else goes along. */
    readonly remove?: Endpoint<unknown, WriteAnswer>;
    readonly all?: Endpoint<{ readonly DatumVan: string; readonly DatumTot: string }, ListPage>;
    readonly allByLmt: Endpoint<{ readonly LMT: string }, ListPage>;
  };
}

/** Records of such a resource that are listed by their days too, as trips are. */
export type DailyResource = TripResource & {
  readonly date: string;
  readonly requests: { readonly all: NonNullable<TripResource['requests']['all']> };
};

/** Whether a resource's records are listed by their days. */
export function isDaily(resource: TripResource): resource is DailyResource {
  return resource.date !== undefined && resource.requests.all !== undefined;
}

/** The requests of the stock sheets (interface 4.2). */
export interface StockRequests {
  readonly create: WriteEndpoint;
  readonly currentTotal: Endpoint<{ readonly ProductID: number }, StockTotal | null>;
}

/** What is in stock of a product, as currenttotal answers it; null for a product that is not there. */
interface StockTotal {
  readonly total: readonly AnswerRecord[];
}

/** One of the two units in which stock is told: the field that is sent, and the members of a total (interface 2.6). */
interface StockAmount {
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
