import type { Made } from '../core/counts.ts';
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
interface AboutEvents {
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
  /** Fields by which a row without another key is found, in the whole list alone. */
  readonly articles: readonly string[];
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
interface EventPeriod {
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
    /** Answers a record for each place; null, or no places, for a product that does not exist. */
    readonly currentTotal: Endpoint<
      { readonly ProductID: number },
      { readonly total: readonly AnswerRecord[] } | null
    >;
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
interface CountedAmount extends StockAmount {
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
  /** The field with the place that was counted: amounts of several are added up. */
  readonly place: string;
  readonly amounts: readonly CountedAmount[];
  /** The member of a total that is taken for what all of it is worth: the interface has its name alone. */
  readonly worth: string;
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
  const wrong = [...unknownFields(resource), ...unsentFields(resource), ...unlistedFields(resource)];
  if (wrong.length > 0) throw new TypeError(`resource ${resource.name} ${wrong.join('; ')}`);
  return resource;
}

/** The members of a resource that name one of its fields. */
const ROLES = [
  ...['id', 'external', 'label', 'date', 'modified', 'parent', 'child', 'product', 'moment', 'place'],
  ...['event', 'day', 'folder', 'file', 'extension', 'active'],
] as const;

function unknownFields(resource: Resource): string[] {
  const { fields, keys, finds = [] } = resource;
  const told = resource as unknown as Readonly<Record<string, unknown>>;
  const roles = ROLES.flatMap((role) => (told[role] === undefined ? [] : [String(told[role])]));
  const counted = countedAmounts(resource).map((amount) => amount.counted);
  const sets = Object.values(fields).flatMap(({ refers }) => refers?.sets ?? []);
  const named = new Set([...keys, ...finds, ...roles, ...counted, ...sets]);
  return [...named].flatMap((name) => (Object.hasOwn(fields, name) ? [] : [`has no field ${name}`]));
}

/** Fields that a create or update does not take although they should go with it, and members that no field fills. */
function unsentFields(resource: Resource): string[] {
  const { fields, requests } = resource;
  const amounts = countedAmounts(resource);
  return (['create', 'update'] as const).flatMap((request) => {
    const { name, body } = (requests as Readonly<Record<string, Endpoint>>)[request] ?? {};
    const { shape } = (body ?? {}) as { readonly shape?: Readonly<Record<string, unknown>> };
    if (shape === undefined) return [];
    const sent = Object.keys(fields)
      .filter((field) => fields[field]?.[request] !== 'none')
      .map((field) => amounts.find(({ counted }) => counted === field)?.sent ?? field);
    const untaken = sent.filter((field) => !Object.hasOwn(shape, field));
    const unfilled = Object.keys(shape).filter((field) => !sent.includes(field));
    return [
      ...untaken.map((field) => `has ${field}, which does not go with ${name}`),
      ...unfilled.map((field) => `has no field for ${field} of ${name}`),
    ];
  });
}

/** The counted amounts of a resource; none where it has none. */
export function countedAmounts(resource: Resource): CountResource['amounts'] {
  return 'told' in resource ? resource.amounts : [];
}

/** Fields that a list returns and `listed` lacks, or has otherwise: an import would take them, an export not. */
function unlistedFields(resource: Resource): string[] {
  if (!('listed' in resource) || 'told' in resource) return [];
  return Object.entries(resource.fields).flatMap(([name, field]) => {
    const member = listedName(name, field);
    const [type, own] = [member && resource.listed[member], ANSWERED[field.codec.type]];
    if (type === null || type === own || type === 'unknown') return [];
    return type === undefined
      ? [`has ${name}, which is not listed (reads says that lists return it)`]
      : [`has ${name} as ${own}, which is listed as ${type}`];
  });
}

const ACTIONS = [
  ['create', 'create'],
  ['update', 'update'],
  ['remove', 'delete'],
] as const;

/** The values that `#action` takes on a resource's sheet. */
export function actionsOf({ requests }: Pick<Resource, 'requests'>): string[] {
  const can = ACTIONS.flatMap(([request, action]) => (request in requests ? [action] : []));
  return [...can, 'skip'];
}

/** Kinds whose creates make no record that people would call created. */
const MADE: Readonly<Partial<Record<Resource['kind'], Made>>> = {
  ...{ posting: 'posted', count: 'posted', download: 'fetched', document: 'uploaded' },
};

/** Tells what the creates of one of these resources are called; undefined where they are creates. */
export function madeIn(resources: readonly Resource[]): (resource: string) => Made | undefined {
  const kinds = new Map(resources.map(({ name, kind }) => [name, MADE[kind]]));
  return (resource) => kinds.get(resource);
}

/** Tells which fields of these resources are amounts of money. */
export function moneyIn(resources: readonly Resource[]): (resource: string, field: string) => boolean {
  const fieldsOf = new Map(resources.map(({ name, fields }) => [name, fields]));
  return (resource, field) => fieldsOf.get(resource)?.[field]?.money === true;
}
