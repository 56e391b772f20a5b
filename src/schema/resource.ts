import type { z } from 'zod';
import { normaliseHeader } from '../core/header.ts';
import type { Bilingual } from '../core/language.ts';
import type { Values } from '../core/value.ts';
import {
  ANSWERED,
  type AnswerRecord,
  type FileAnswer,
  listedName,
  type Members,
  type WriteAnswer,
} from './answer.ts';
import type { Endpoint } from './endpoint.ts';
import type { Field, Fields } from './field.ts';
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

/**
 * Declares a resource. Throws TypeError for one that contradicts itself, when the program starts rather than in the middle of a run:
 * a field that one request or list knows and another silently lacks is refused here.
 */
export function defineResource<const R extends Resource>(resource: R): R {
  const wrong = [
    ...unknownFields(resource),
    ...sameHeaders(resource),
    ...halfDays(resource),
    ...unsentFields(resource),
    ...unlistedFields(resource),
  ];
  if (wrong.length > 0) throw new TypeError(`resource ${resource.name} ${wrong.join('; ')}`);
  return resource;
}

/** What a resource tells of itself by the name of a field. */
const ROLES = [
  ...['id', 'external', 'label', 'date', 'severalDays', 'modified', 'parent', 'child', 'product', 'moment'],
  ...['event', 'day', 'folder', 'file', 'extension'],
] as const;

function rolesOf(resource: Resource): string[] {
  const told = resource as unknown as Readonly<Record<string, unknown>>;
  return ROLES.flatMap((role) => {
    const name = told[role];
    return typeof name === 'string' ? [name] : [];
  });
}

function unknownFields(resource: Resource): string[] {
  const { fields, keys, finds = [] } = resource;
  const counted = countedAmounts(resource).map((amount) => amount.counted);
  const sets = Object.values(fields).flatMap(({ refers }) => refers?.sets ?? []);
  const named = new Set([...keys, ...finds, ...rolesOf(resource), ...counted, ...sets]);
  return [...named].flatMap((name) => (Object.hasOwn(fields, name) ? [] : [`has no field ${name}`]));
}

/** Headers are read without regard to case, so that two fields could be meant by one. */
function sameHeaders({ fields }: Resource): string[] {
  const known = new Map<string, string>();
  return Object.entries(fields).flatMap(([name, { listName = name }]) =>
    [...new Set([name, listName].map(normaliseHeader))].flatMap((header) => {
      const other = known.get(header);
      known.set(header, name);
      return other === undefined ? [] : [`has ${other} and ${name}, which are one header`];
    }),
  );
}

/** Records are listed by day where there is both a field for it and a list. */
function halfDays(resource: Resource): string[] {
  const date = 'date' in resource ? resource.date : undefined;
  const all = 'all' in resource.requests ? resource.requests.all : undefined;
  if ((date === undefined) === (all === undefined)) return [];
  return [
    date === undefined ? 'has a list by days, and no field for them' : `has ${date}, and no list by days`,
  ];
}

/** Fields that a request should take and doesn't, and members of its body that no field fills. */
function unsentFields(resource: Resource): string[] {
  const { fields } = resource;
  const requests = resource.requests as Readonly<Record<string, Endpoint | undefined>>;
  // The requests of a command are made of what the resource tells of itself, and of nothing else.
  if (requests.create === undefined && requests.update === undefined)
    return sentBy(fields, 'create')
      .filter((name) => !rolesOf(resource).includes(name))
      .map(notSent('its command'));
  return (['create', 'update'] as const).flatMap((request) => {
    const sent = sentBy(fields, request).map((name) => sentAs(resource, name));
    const endpoint = requests[request];
    if (endpoint === undefined) return sent.map(notSent(`any request: it has no ${request}`));
    const taken = membersOf(endpoint.body);
    if (taken === undefined) return [];
    return [
      ...sent.filter((name) => !taken.includes(name)).map(notSent(endpoint.name)),
      ...taken
        .filter((name) => !sent.includes(name))
        .map((name) => `has no field for ${name} of ${endpoint.name}`),
    ];
  });
}

const notSent =
  (request: string) =>
  (name: string): string =>
    `has ${name}, which does not go with ${request}`;

const sentBy = (fields: Fields, request: 'create' | 'update'): string[] =>
  Object.keys(fields).filter((name) => fields[name]?.[request] !== 'none');

/** What is counted is sent as a difference. */
function sentAs(resource: Resource, name: string): string {
  return countedAmounts(resource).find(({ counted }) => counted === name)?.sent ?? name;
}

/** The amounts that people count, of a resource that has any. */
function countedAmounts(resource: Resource): CountResource['amounts'] {
  return 'told' in resource ? resource.amounts : [];
}

const membersOf = (body: z.ZodType | undefined): string[] | undefined => {
  const { shape } = (body ?? {}) as { readonly shape?: Readonly<Record<string, unknown>> };
  return shape === undefined ? undefined : Object.keys(shape);
};

/** Fields that a list returns and `listed` lacks: they would be imported, and silently absent from an export. */
function unlistedFields(resource: Resource): string[] {
  if (!('listed' in resource)) return [];
  const { fields, listed } = resource;
  if ('told' in resource) {
    const shown = [...resource.told, ...resource.amounts.flatMap(({ total, unit }) => [total, unit])];
    return shown
      .filter((name) => !Object.hasOwn(listed, name))
      .map((name) => `shows ${name}, which is not listed`);
  }
  return Object.entries(fields).flatMap(([name, field]) => unlisted(name, field, listed));
}

function unlisted(name: string, field: Field, listed: Readonly<Record<string, unknown>>): string[] {
  const member = listedName(name, field);
  if (member === null) return [];
  if (!Object.hasOwn(listed, member))
    return [`has ${name}, which is not listed (reads says that lists return it)`];
  const [type, own] = [listed[member], ANSWERED[field.codec.type]];
  return type === own || type === 'unknown' ? [] : [`has ${name} as ${own}, which is listed as ${type}`];
}
