import type { Codec } from '../core/codec.ts';
import { type Bilingual, t } from '../core/language.ts';
import type { Time } from '../core/time.ts';
import type { Value, Values } from '../core/value.ts';
import { wallClock } from '../run/context.ts';
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
import { RequestError } from '../service/request-error.ts';
import { type KeyedResource, later, momentIn, numberIn, readValues, utcClock } from './existing-record.ts';
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
  ways(resource: R): readonly ResolvedSelection['way'][];
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
  /**
   * The ids of the products in a file, with the Artikelnummer of those that are found by one; `leftOut` is told
   * what else stands there. Throws StopError.
   */
  namedIn(
    resource: CountResource,
    file: string,
    leftOut: LeftOut,
  ): Promise<ReadonlyMap<number, Value | undefined>>;
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
  returned?: Parameters<typeof readValues>[2],
): ExportedRecord {
  const id = numberIn(record, resource.id);
  const values = readValues(resource, record, returned);
  return { key: id === null ? null : `id:${id}`, lmt: momentIn(record, modified), values };
}

/** Whether a record is deleted, and listed only to say so. */
export const isDeleted = ({ DEL }: AnswerRecord): boolean => DEL === true;

/** The records of a list, each once: of copies the one written last; those without id stay. */
function newestOf(records: readonly AnswerRecord[], id: string, modified: string): AnswerRecord[] {
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

/** How a service lists records by the days they are on. */
export interface DayLists {
  /** The member that holds the LMT. */
  readonly modified: string;
  read(days: Days): Promise<readonly AnswerRecord[]>;
  /** Records written since a moment, of these days where it can tell, also those deleted. */
  changedSince(moment: string, days?: Days): Promise<readonly AnswerRecord[]>;
}

type DayContext = ContextOf<EventResource | TripResource>;

/** The records of some days, or of what was written since a moment, for an export. */
export function listDays(context: DayContext, lists: DayLists, chosen: ResolvedSelection): RecordList {
  const { resource } = context;
  if (chosen.way === 'since') {
    const { moment, days } = chosen;
    // The list may be asked to the minute, and hold earlier ones.
    const second = moment.slice(0, 19);
    const isAsked = (record: AnswerRecord): boolean =>
      (momentIn(record, lists.modified) ?? second) >= second &&
      (days === undefined || isOn(record, resource.date, days));
    const read = async () => newestOf(await lists.changedSince(moment, days), resource.id, lists.modified);
    return uncounted(inOne(async () => (await read()).filter(isAsked)));
  }
  if (!('days' in chosen) || chosen.days === null) throw new TypeError(`no days: ${chosen.way}`);
  const otherDays = new OtherDays(resource);
  return uncounted(periodRecords(context, lists, chosen.days, otherDays), () => otherDays.notes());
}

/** The records of a period, each once; those of other days are left out, and told to `otherDays`. */
export const periodRecords = (
  { resource: { id, date } }: DayContext,
  lists: DayLists,
  period: Days,
  otherDays: OtherDays,
): RecordBatches =>
  inOne(async () => {
    const here = (await lists.read(period)).filter((record) => {
      const isHere = isOn(record, date, period);
      if (!isHere && !isDeleted(record)) otherDays.add(numberIn(record, id));
      return isHere;
    });
    return newestOf(here, id, lists.modified);
  });

/** Whether a record is on one of these days; one without a day is. */
function isOn(record: AnswerRecord, date: string, { from, to }: Days): boolean {
  const day = momentIn(record, date)?.slice(0, 10);
  return day === undefined || (day >= from && day <= to);
}

/** The most lists that one which is too large for an answer is asked for in. */
const MOST_PARTS = 100;

const DAY_MS = 86_400_000;
const dayAt = (moment: number): string => new Date(moment).toISOString().slice(0, 10);

/** What `read` gives of some days, in ever fewer days where the answer is larger than is accepted. */
export async function inFewerDays<T>(
  { from, to }: Days,
  read: (days: Days) => Promise<readonly T[]>,
  left = { parts: MOST_PARTS },
): Promise<T[]> {
  try {
    return [...(await read({ from, to }))];
  } catch (error) {
    left.parts -= 2;
    const isLarge = error instanceof RequestError && error.kind === 'too-large';
    if (!isLarge || !(from < to) || left.parts < 0) throw error;
    const middle = Math.floor((Date.parse(from) + Date.parse(to)) / 2 / DAY_MS) * DAY_MS;
    const first = await inFewerDays({ from, to: dayAt(middle) }, read, left);
    return first.concat(await inFewerDays({ from: dayAt(middle + DAY_MS), to }, read, left));
  }
}

/** The months that the days are in, `YYYY-MM`. */
export function monthsOf({ from, to }: Days): string[] {
  const first = monthNumber(from);
  return Array.from({ length: monthNumber(to) - first + 1 }, (_, at) => monthText(first + at));
}

/** Months since the year 0 began, of a day or a month. */
export const monthNumber = (day: string): number =>
  Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;

const monthText = (month: number): string =>
  `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}`;

/** From the first day of months that follow one another to the last. */
export function daysOf(months: readonly string[]): Days {
  const [first = '', last = first] = [months[0], months.at(-1)];
  const end = new Date(0);
  end.setUTCFullYear(Number(last.slice(0, 4)), Number(last.slice(5, 7)), 0);
  return { from: `${first}-01`, to: `${last}-${String(end.getUTCDate()).padStart(2, '0')}` };
}

/** Records that came with a list of some days, and are of others: they are left out, and said to be. */
export class OtherDays {
  private readonly resource: EventResource | TripResource;
  private readonly ids = new Set<number | null>();

  constructor(resource: EventResource | TripResource) {
    this.resource = resource;
  }

  add(id: number | null): void {
    this.ids.add(id);
  }

  get count(): number {
    return this.ids.size;
  }

  notes(): Bilingual[] {
    const { count } = this;
    if (count === 0) return [];
    const { id, name, sheet } = this.resource;
    const which = `${count} (${id} ${firstOf([...this.ids].map(String))})`;
    return [
      t(
        `${name} of other days than were asked for, which came with the list and are left out: ${which}`,
        `${sheet.toLowerCase()} van andere dagen dan gevraagd, die meekwamen met de lijst en zijn weggelaten: ${which}`,
      ),
    ];
  }
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Largest UTC offset anywhere. */
const FURTHEST = 14 * HOUR;
/** The hour that clocks go back in autumn, and minutes between a service's stamp and its list. */
const OVERLAP = 65 * MINUTE;

/**
 * Tells by the service's own LMTs when a reading of its list began: not before the newest LMT less the time
 * it took. An LMT that someone typed may lie ahead, so the beginning is never later than UTC and this
 * machine's clock say; some hours may be read twice. A service whose clock is behind both can't be told from
 * one where nobody typed anything.
 */
export class ListReading {
  private readonly clock: Time;
  private readonly start: number;
  private readonly now: string;
  private readonly latest: string;
  /** The newest LMT that a clock may have said; null where none was read. */
  newest: string | null = null;

  constructor(time: Time) {
    const now = time.now();
    this.clock = time;
    this.start = time.steady();
    const [utc, own] = [utcClock(now), wallClock(now)];
    this.now = own < utc ? own : utc;
    this.latest = utcClock(now + FURTHEST + OVERLAP);
  }

  saw(moment: string | null): void {
    if (moment === null || (this.newest !== null && moment <= this.newest)) return;
    if (moment <= this.latest) this.newest = moment;
  }

  /** A moment certainly not after the beginning; null where no LMT was read. */
  began(): string | null {
    return this.earlierBy(OVERLAP + this.clock.steady() - this.start);
  }

  /** A moment before what `began` will say of a reading under a day; null where no LMT was read. */
  before(): string | null {
    return this.earlierBy(OVERLAP + DAY);
  }

  private earlierBy(milliseconds: number): string | null {
    if (this.newest === null) return null;
    const edge = this.newest < this.now ? this.newest : this.now;
    return later(edge, -milliseconds);
  }
}
