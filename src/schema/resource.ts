import type { z } from 'zod';
import { normaliseHeader } from '../core/header.ts';
import { type Bilingual, t } from '../core/language.ts';
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
import type { Field, Fields, NamedRecord } from './field.ts';
import type { ProductQuery, RecordPage } from './page.ts';
import type { TotalAnswer } from './total-answer.ts';

/** What every kind of sheet has. */
interface SheetDefinition {
  /** Such as `packages`; the value of `--as`. */
  readonly name: string;
  /** The sheet's Dutch name, such as `Pakketten`. */
  readonly sheet: string;
  /** What its rows are, as a sentence without its full stop. */
  readonly about: Bilingual;
  /** Columns that identify a row's record; a sheet without any is not recognised by its columns. */
  readonly keys: readonly string[];
  /** The field with the name that people know a record by. */
  readonly label?: string;
  /** The field whose id tells what a row is about that has no name of its own, and what it names. */
  readonly labelled?: readonly [field: string, of: NamedRecord];
  /** Headers under which people keep the name of what a row is about: never sent, and held against it. */
  readonly names?: readonly string[];
  /** Columns that are never sent, but help to find or check a record. */
  readonly finds?: readonly string[];
  /** The command that takes the sheet, where that is not an import. */
  readonly command?: string;
  /** Its columns, in order. */
  readonly fields: Fields;
}

/** The body of an upload (interface 4.4): the event, one of its folders, and the file. */
interface DocumentUpload<File> {
  readonly PartijID: number;
  readonly Submap: string;
  readonly Document: File;
}

/** A sheet for a command of its own; an import skips it. */
interface CommandSheet extends SheetDefinition {
  readonly command: string;
}

/** A sheet whose rows are about events. */
export interface AboutEvents {
  /** The field with the event's id, and the one, never sent, with its day. */
  readonly event: string;
  readonly day: string;
}

/** Files to upload to events, each once: only the ledger remembers which (interface 4.4). */
export interface DocumentResource extends CommandSheet, AboutEvents {
  readonly kind: 'document';
  /** The field with the folder on the service, and the one with the file's path on this machine. */
  readonly folder: string;
  readonly file: string;
  readonly requests: {
    readonly upload: Endpoint<DocumentUpload<Blob>, WriteAnswer>;
    /** With the file as base64, for services that take no forms. */
    readonly uploadAsText: Endpoint<DocumentUpload<string>, WriteAnswer>;
    readonly find: Endpoint<unknown, AnswerRecord | null>;
  };
}

/** Events for the service to refresh (interface 4.4, 6). */
export interface RefreshResource extends CommandSheet, AboutEvents {
  readonly kind: 'refresh';
  readonly requests: { readonly refresh: Endpoint<unknown, WriteAnswer> };
}

/** Files to fetch from the service (interface 4.7). */
export interface DownloadResource extends CommandSheet {
  readonly kind: 'download';
  /** The fields with the two segments of the path. */
  readonly id: string;
  readonly extension: string;
  /** The extension where the row has none. */
  readonly usual: string;
  readonly requests: { readonly file: Endpoint<unknown, FileAnswer> };
}

/** An endpoint that writes a record and answers its id and success. */
export type WriteEndpoint = Endpoint<Values, WriteAnswer>;

/** Records that lists return, with their members there. */
interface ListedRecords extends SheetDefinition {
  readonly listed: Members;
  /** What ids name, for an export to show: told `in` the record, else asked for by the id. */
  readonly named?: readonly {
    readonly id: string;
    readonly header?: `#${string}`;
    readonly of: NamedRecord | Pick<NamedRecord, 'called' | 'name' | 'label'>;
    readonly in?: readonly string[];
  }[];
}

/** Records with a key of the service and one of the user. */
interface KeyedRecords extends ListedRecords {
  /** The field with the service's id. */
  readonly id: string;
  /** The field with the user's own key. */
  readonly external: string;
  /** The field with the name that people know a record by. */
  readonly label: string;
}

/** Found by id or ExternalID, singly or in the pages of a list by LMT (interface 4.1, 4.2). */
export interface CatalogueResource extends KeyedRecords {
  readonly kind: 'catalogue';
  /** The flag that is off on a record that was deleted, where the service keeps those. */
  readonly active: string;
  /** Reads a record of any kind that has its id of the same sequence. */
  readonly findAny: Endpoint<unknown, AnswerRecord | null>;
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

/** Events: found by PartijID, by ExternalID through the ledger, or in a list of a period (interface 4.4). */
export interface EventResource extends KeyedRecords {
  readonly kind: 'event';
  /** The field with a record's day, to look it up by. */
  readonly date: string;
  readonly requests: {
    readonly create: WriteEndpoint;
    readonly update: WriteEndpoint;
    readonly find: Endpoint<unknown, AnswerRecord | null>;
    readonly all: Endpoint<EventPeriod, RecordPage>;
    /** Those of the period modified after a moment, `YYYY-MM-DD hh:mm`. */
    readonly allByLmt: Endpoint<EventPeriod & { readonly LMT: string }, RecordPage>;
    /** The definitive ones of the period; here the flag has another name. */
    readonly allDefinitive: Endpoint<
      Omit<EventPeriod, 'EnkelEvenement'> & { readonly EnkelEvent: boolean },
      RecordPage
    >;
  };
}

/** The body of event/all (interface 4.4); days as `YYYY-MM-DD`. */
export interface EventPeriod {
  readonly EnkelEvenement: boolean;
  readonly DatumVan: string;
  readonly DatumTot: string;
}

/** Records linked to a parent: found in the parent's list, one request a parent (interface 4.5). */
export interface LinkResource extends ListedRecords {
  readonly kind: 'link';
  /** The field with the parent's id, and the one with what is linked to it. */
  readonly parent: string;
  readonly child: string;
  /** Columns that an export shows beside the parent's id, never sent, with the member of the parent. */
  readonly beside: Readonly<Record<`#${string}`, string>>;
  readonly requests: {
    readonly create: WriteEndpoint;
    readonly update: WriteEndpoint;
    readonly remove: WriteEndpoint;
    readonly list: Endpoint<unknown, RecordPage>;
  };
}

/** Records that no request makes, such as trips (interface 4.6): updated, and found in lists by day and by LMT. */
export interface TripResource extends ListedRecords {
  readonly kind: 'trip';
  readonly id: string;
  /** The field with the moment of the last change, and the one with the day. */
  readonly modified: string;
  readonly date: string;
  readonly requests: {
    readonly update: WriteEndpoint;
    /** The record is in the path, without a body. */
    readonly remove: Endpoint<unknown, WriteAnswer>;
    readonly all: Endpoint<{ readonly DatumVan: string; readonly DatumTot: string }, RecordPage>;
    readonly allByLmt: Endpoint<{ readonly LMT: string }, RecordPage>;
  };
}

/** Rows about the stock of products (interface 4.2). */
interface StockSheet extends SheetDefinition {
  /** The field with the product's id. */
  readonly product: string;
  readonly requests: {
    readonly create: WriteEndpoint;
    /** Answers null, or no places, for a product that does not exist. */
    readonly currentTotal: Endpoint<{ readonly ProductID: number }, TotalAnswer | null>;
  };
}

/** One of the two units of stock: the field that is sent, and the members of a total (interface 2.6). */
interface StockAmount {
  readonly sent: string;
  readonly total: string;
  /** The member with the unit's name: amounts in different units are not added up. */
  readonly unit: string;
}

/** An amount with the column of its counted value. */
export interface CountedAmount extends StockAmount {
  readonly counted: string;
}

/** Rows that take effect each time they are sent, so once: only the ledger remembers (interface 2.6). */
export interface PostingResource extends StockSheet {
  readonly kind: 'posting';
  readonly amounts: readonly StockAmount[];
}

/** Counted amounts; the difference to the current total is sent (interface 2.6). */
export interface CountResource extends StockSheet, ListedRecords {
  readonly kind: 'count';
  /** The field with the moment of the count. */
  readonly moment: string;
  readonly amounts: readonly CountedAmount[];
  /** The member of a listed product that tells whether it is kept in stock. */
  readonly kept: string;
  /** What stands before the counted columns, of what an export shows of a product and its current total. */
  readonly told: readonly string[];
}

/**
 * One kind of sheet, as plain data: columns, row mapper, diff, requests and sandbox checks derive from it.
 * `kind` tells how its rows are looked up and sent. A new resource is one file and one line in the registry.
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

/** Whether people keep the name of what a row is about in a column with this header. */
export const isNameHeader = ({ names }: Pick<Resource, 'names'>, header: string): boolean =>
  names?.some((name) => normaliseHeader(name) === normaliseHeader(header)) === true;

/** What an id stands for, as far as people name it. */
export const recordBehind = (field: Field | undefined): NamedRecord | undefined =>
  field?.record ?? field?.said;

/** The field with the id of a record that people name in a column with this header: Bedrijfsnaam, a customer. */
export const idNamedBy = ({ fields }: Pick<Resource, 'fields'>, header: string): string | undefined =>
  Object.keys(fields).find((field) => {
    const [name, ...more] = recordBehind(fields[field])?.label ?? [];
    return name !== undefined && more.length === 0 && normaliseHeader(name) === normaliseHeader(header);
  });

/** What the rows of a resource are, in a sentence. */
export const kindWords = ({ name, sheet }: Resource): Bilingual =>
  t(name.replaceAll('-', ' '), sheet.toLowerCase());

/**
 * Declares a resource. Throws TypeError, when the program starts, for one that contradicts itself, such as a
 * field that one request or list knows and another lacks.
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

/** The members of a resource that name one of its fields. */
const ROLES = [
  ...['id', 'external', 'label', 'date', 'modified', 'parent', 'child', 'product', 'moment'],
  ...['event', 'day', 'folder', 'file', 'extension', 'active'],
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

/** Fields with the same header: headers are read without regard to case. */
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

/** A field for the day without a list by day, or the other way round. */
function halfDays(resource: Resource): string[] {
  const date = 'date' in resource ? resource.date : undefined;
  const all = 'all' in resource.requests ? resource.requests.all : undefined;
  if ((date === undefined) === (all === undefined)) return [];
  return [
    date === undefined ? 'has a list by days, and no field for them' : `has ${date}, and no list by days`,
  ];
}

/** Fields that no request sends although they should be, and body members that no field fills. */
function unsentFields(resource: Resource): string[] {
  const { fields } = resource;
  const requests = resource.requests as Readonly<Record<string, Endpoint | undefined>>;
  // The requests of a command take only the fields that the resource itself names.
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

const notSent = (request: string) => (name: string) => `has ${name}, which does not go with ${request}`;

const sentBy = (fields: Fields, request: 'create' | 'update'): string[] =>
  Object.keys(fields).filter((name) => fields[name]?.[request] !== 'none');

/** The field that is sent for a counted one. */
function sentAs(resource: Resource, name: string): string {
  return countedAmounts(resource).find(({ counted }) => counted === name)?.sent ?? name;
}

/** The counted amounts of a resource; none where it has none. */
export function countedAmounts(resource: Resource): CountResource['amounts'] {
  return 'told' in resource ? resource.amounts : [];
}

const membersOf = (body: z.ZodType | undefined): string[] | undefined => {
  const { shape } = (body ?? {}) as { readonly shape?: Readonly<Record<string, unknown>> };
  return shape === undefined ? undefined : Object.keys(shape);
};

/** Fields that a list returns and `listed` lacks: an import would take them, an export would not. */
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
