import type { Bilingual, Locale, Values } from '../core/value.ts';
import type { Context } from '../run/context.ts';
import type { AnswerRecord } from '../schema/answer.ts';
import type {
  CatalogueResource,
  CountResource,
  EventResource,
  LinkResource,
  TripResource,
} from '../schema/resource.ts';
import type { Days } from './days.ts';

/** Before any record was written: a list from here on holds them all. */
export const EPOCH = '1970-01-01 00:00:00.000';

/** In what ways the records of an export can be chosen. */
export type SelectionWay = 'all' | 'since' | 'period' | 'definitive' | 'file';

/** Which records an export is of. */
export type Selection =
  | { readonly way: 'all' }
  /** Those modified after a moment, `YYYY-MM-DD hh:mm:ss[.SSS]`. */
  | { readonly way: 'since'; readonly moment: string }
  /** Those modified since the last export of the same kind. */
  | { readonly way: 'last' }
  | { readonly way: 'period'; readonly days: Days }
  /** The definitive ones, of some days or of all. */
  | { readonly way: 'definitive'; readonly days: Days | null }
  /** Those that a file names. */
  | { readonly way: 'file'; readonly file: string };

/** What can be exported: what the service gives lists of. */
export type ExportedResource =
  | CatalogueResource
  | EventResource
  | LinkResource
  | TripResource
  | CountResource;

/** Records as a service gives them, each once, in batches. */
export interface RecordList extends AsyncIterable<readonly AnswerRecord[]> {
  /** How many there are, as the list told first; null where it doesn't tell. Live. */
  readonly total: number | null;
  /** False where records may have slipped by, as the list never kept still. Live; final at the end. */
  readonly complete: boolean;
  /** What there is to say of the reading, at its end. */
  readonly notes: readonly Bilingual[];
}

/** A record as the planner of an import knows it. */
export interface ExportedRecord {
  /** The planner's key; null for a record without one, of which a workbook can't say what it was. */
  readonly key: string | null;
  readonly lmt: string | null;
  /** By field; what is absent is not known. */
  readonly values: Values;
}

/** Which selection an export is of, once `last` has become a moment. */
export type ListSelection = Exclude<Selection, { readonly way: 'last' }>;

/** How the records of one kind of resource are listed, and what an import knows of them. */
export interface Lister<R extends ExportedResource> {
  /** How what is exported can be chosen; the first is what is done when nothing is chosen, if that is `all`. */
  ways(resource: R): readonly SelectionWay[];
  list(context: Context, resource: R, chosen: ListSelection, options: ListOptions): RecordList;
  /** Null for a record that an import would not find: it has no row, and stands in NDJSON alone. */
  read(resource: R, record: AnswerRecord): ExportedRecord | null;
}

/** How records are listed. */
export interface ListOptions {
  /** With the ingredient declaration. */
  readonly declaration: boolean;
  /** How a file that names records writes numbers in text. */
  readonly locale: Locale;
}

/** A list whose number of records nobody knows before its end. */
export function uncountedList(
  read: () => AsyncGenerator<readonly AnswerRecord[]>,
  notes: readonly Bilingual[] = [],
  complete: () => boolean = () => true,
): RecordList {
  return {
    total: null,
    get complete() {
      return complete();
    },
    notes,
    [Symbol.asyncIterator]: read,
  };
}

/** So many records are written at once: the first of them tell how wide columns are. */
const BATCH = 200;

/** Batches of a decent size, of those that are small. */
export async function* batched(
  batches: AsyncIterable<readonly AnswerRecord[]>,
): AsyncGenerator<readonly AnswerRecord[]> {
  let waiting: AnswerRecord[] = [];
  for await (const records of batches) {
    for (const record of records) waiting.push(record);
    if (waiting.length < BATCH) continue;
    yield waiting;
    waiting = [];
  }
  if (waiting.length > 0) yield waiting;
}
