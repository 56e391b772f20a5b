import type { Codec } from '../core/codec.ts';
import { type Bilingual, t } from '../core/language.ts';
import type { Values } from '../core/value.ts';
import type { AnswerRecord } from '../schema/answer.ts';
import type { Field } from '../schema/field.ts';
import type {
  CatalogueResource,
  CountResource,
  EventResource,
  LinkResource,
  Resource,
  TripResource,
} from '../schema/resource.ts';
import {
  type KeyedResource,
  momentIn,
  numberIn,
  type ReturnedFields,
  readValues,
} from './existing-record.ts';
import type { ContextOf } from './planning.ts';

/** What can be exported: what the service gives lists of. */
export type ExportedResource =
  | CatalogueResource
  | EventResource
  | LinkResource
  | TripResource
  | CountResource;

/** What the cells of a column hold as a rule; `unknown` where the interface doesn't say. */
export type ColumnType = Codec['type'] | 'money' | 'day' | 'unknown';

/** One column of an export: a field of the resource, or a member that only reads return. */
export interface ExportColumn {
  /** As the interface spells it; a member of a nested record with a dot, `productType.ProductType`. */
  readonly header: string;
  readonly type: ColumnType;
  readonly field: Field | null;
  readonly imported: boolean;
  /** Its path in a listed record. */
  readonly path: readonly string[];
}

/** Records as a service gives them, each once, in batches. */
export interface RecordList extends AsyncIterable<readonly AnswerRecord[]> {
  /** How many there are, as the list told first; null where it doesn't tell. Live. */
  readonly total: number | null;
  /** False where records may have slipped by. Live; final at the end. */
  readonly complete: boolean;
  /** Notes on the reading, final at its end. */
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
export type ResolvedSelection = Exclude<Selection, { readonly way: 'last' }>;

/** How the records of one kind of resource are listed, and what an import knows of them. */
export interface RecordLister<R extends Resource> {
  /** How records can be chosen; the first is the default, if that is `all`. */
  ways(resource: R): readonly SelectionWay[];
  list(context: ContextOf<R>, chosen: ResolvedSelection, options: ListOptions): RecordList;
  /** The name of its export; by default the resource's name. */
  readonly called?: string;
  /** It can be listed with the ingredient declaration. */
  readonly declaration?: true;
  /** Its fields are for people to fill in: no list returns them. */
  readonly filledIn?: true;
  /** The member with the moment of a record's last change; by default LMT. */
  modified?(resource: R): string;
  /** Members of its records that an export shows before the columns to fill in. */
  before?(resource: R): readonly string[];
  /** Columns behind the first that say what a record is about, by members that it is given for them. */
  beside?(resource: R): readonly string[];
  /** Ways to list that return more of its fields. */
  others?(resource: R): readonly OtherList[];
  /** Null for a record that an import would not find: it has no row, and stands in NDJSON alone. */
  read(resource: R, record: AnswerRecord): ExportedRecord | null;
}

/** Another way to list the same records, which returns fields that a list may leave out. */
interface OtherList {
  readonly fields: readonly string[];
  /** The option that chooses it. */
  readonly option: string;
}

interface ListOptions {
  readonly declaration: boolean;
  /** The ids of the products in a file; `leftOut` is told what else stands there. Throws StopError. */
  namedIn(resource: CountResource, file: string, leftOut: LeftOut): Promise<readonly number[]>;
}

/** Records as they come. */
export type RecordBatches = AsyncGenerator<readonly AnswerRecord[]>;

/** A list whose number of records nobody knows before its end; `told`: what is said of it then. */
export function uncounted(
  records: RecordBatches,
  told: () => readonly Bilingual[] = () => [],
  complete: () => boolean = () => true,
): RecordList {
  const notes: Bilingual[] = [];
  return {
    total: null,
    get complete() {
      return complete();
    },
    notes,
    async *[Symbol.asyncIterator]() {
      yield* records;
      notes.push(...told());
    },
  };
}

const BATCH = 200;

/** A list that comes whole in one answer. */
export async function* inOne(read: () => Promise<readonly AnswerRecord[]>): RecordBatches {
  const records = await read();
  for (let at = 0; at < records.length; at += BATCH) yield records.slice(at, at + BATCH);
}

/** Joins small batches. */
export async function* batched(batches: RecordBatches): RecordBatches {
  let waiting: AnswerRecord[] = [];
  for await (const records of batches) {
    for (const record of records) waiting.push(record);
    if (waiting.length < BATCH) continue;
    yield waiting;
    waiting = [];
  }
  if (waiting.length > 0) yield waiting;
}

/** A listed record as an import knows it; `modified` is the member that holds its LMT. */
export function exportedRecord(
  resource: KeyedResource | TripResource,
  record: AnswerRecord,
  modified = 'LMT',
  returned?: ReturnedFields,
): ExportedRecord {
  const id = numberIn(record, resource.id);
  const values = readValues(resource, record, returned);
  return { key: id === null ? null : `id:${id}`, lmt: momentIn(record, modified), values };
}

/** Whether a record is deleted, and listed only to say so. */
export const isDeleted = ({ DEL }: AnswerRecord): boolean => DEL === true;

/** The records of a list, each once: of copies the one written last; those without id stay. */
export function newestOf(records: readonly AnswerRecord[], id: string, modified: string): AnswerRecord[] {
  const known = new Map<number | AnswerRecord, AnswerRecord>();
  for (const record of records) {
    const key = numberIn(record, id) ?? record;
    const other = known.get(key);
    if (other === undefined || (momentIn(record, modified) ?? '') > (momentIn(other, modified) ?? ''))
      known.set(key, record);
  }
  return [...known.values()];
}

/** Before any record was written: a list from here on holds them all. */
export const EPOCH = '1970-01-01 00:00:00.000';

/** Days of a list, both included, `YYYY-MM-DD`. */
export interface Days {
  /** The first. */
  readonly from: string;
  /** The last. */
  readonly to: string;
}

/** In what ways the records of an export can be chosen. */
export type SelectionWay = 'all' | 'since' | 'period' | 'definitive' | 'file';

/** Which records an export is of. */
export type Selection =
  | { readonly way: 'all' }
  /** Those modified after a moment, `YYYY-MM-DD hh:mm:ss[.SSS]`; of some days, or of all. */
  | { readonly way: 'since'; readonly moment: string; readonly days?: Days }
  /** Those modified since the last export of the same kind. */
  | { readonly way: 'last' }
  | { readonly way: 'period'; readonly days: Days }
  /** The definitive ones, of some days or of all. */
  | { readonly way: 'definitive'; readonly days: Days | null }
  | { readonly way: 'file'; readonly file: string };

/** So many are named in one line. */
const NAMED = 20;

/** The first of many names, in one line. */
export function firstOf(names: readonly string[]): string {
  return names.slice(0, NAMED).join(', ') + (names.length > NAMED ? ', …' : '');
}

/** Why a product is not in a stock sheet. */
type Why = 'unread' | 'unknown' | 'several' | 'untold';

const WHY: Readonly<Record<Why, Bilingual>> = {
  unread: t('left out, as no product can be read there', 'weggelaten, omdat daar geen product te lezen is'),
  unknown: t(
    'left out, as the service has no product of that number',
    'weggelaten, omdat het systeem geen product met dat nummer heeft',
  ),
  several: t(
    'left out, as more than one product has that number',
    'weggelaten, omdat meer dan één product dat nummer heeft',
  ),
  untold: t(
    'left out, as the service gives no usable total for it',
    'weggelaten, omdat het systeem er geen bruikbaar totaal van geeft',
  ),
};

/** What was to be in a stock sheet and is not, each by why. */
export class LeftOut {
  private readonly names = new Map<Why, string[]>();

  /** A product by the number that names it, or what names none by its cell. */
  add(why: Why, name: string): void {
    const known = this.names.get(why) ?? [];
    this.names.set(why, known);
    known.push(name);
  }

  get any(): boolean {
    return this.names.size > 0;
  }

  notes(): Bilingual[] {
    return [...this.names].map(([why, names]) => {
      return t(`${WHY[why].en}: ${firstOf(names)}`, `${WHY[why].nl}: ${firstOf(names)}`);
    });
  }
}
