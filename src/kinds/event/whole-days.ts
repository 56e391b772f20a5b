import { type Bilingual, t } from '../../core/language.ts';
import type { ExistingRecord } from '../../records/existing-record.ts';
import { listGaps } from '../../records/list-gaps.ts';
import type { Days } from '../../records/listing.ts';
import { halvesOf } from '../../records/period-list.ts';
import type { ContextOf } from '../../records/planning.ts';
import type { EventPeriod, EventResource } from '../../schema/resource.ts';
import { RequestError } from '../../service/request-error.ts';
import { ALL_DAYS } from './all-days.ts';

type Period = Pick<EventPeriod, 'DatumVan' | 'DatumTot'>;

/** So many lists of fewer days a run asks for. */
const MOST_LISTS = 200;
const DAY = 86_400_000;

interface Reads {
  period(period: Period): Promise<readonly ExistingRecord[]>;
  detail(id: number): Promise<ExistingRecord | null>;
  /** Takes an event that no list showed before. */
  keep(existing: ExistingRecord): void;
}

interface Came {
  readonly period: Period;
  readonly ids: ReadonlySet<number>;
}

/**
 * Which days' events are known to the last one: a service may end its lists before that without a word. It
 * shows by an event that one list has and another lacks, or that only its id finds beside those listed.
 */
export class WholeDays {
  readonly #context: ContextOf<EventResource>;
  readonly #reads: Reads;
  readonly #lists: Came[] = [];
  readonly #days = new Map<number, string>();
  #checked = 0;
  #probed = false;
  /** As long as the shortest list that was cut; null where none is known to be. */
  #cutAt: number | null = null;
  #left = MOST_LISTS;
  readonly #cut = new Set<Came>();

  constructor(context: ContextOf<EventResource>, reads: Reads) {
    this.#context = context;
    this.#reads = reads;
  }

  /** Takes a list that came. */
  async took(period: Period, records: readonly ExistingRecord[]): Promise<void> {
    for (const existing of records) this.#know(existing);
    this.#lists.push({ period, ids: new Set(records.flatMap(({ id }) => id ?? [])) });
    await listGaps(this.#context).tookSize(records.length);
  }

  /** Looks whether lists that came are cut, and reads those in fewer days; false where any was. */
  async complete(): Promise<boolean> {
    if (this.#checked < this.#lists.length) await this.#look();
    this.#checked = this.#lists.length;
    return this.#cutAt === null;
  }

  /** Why it can't be told whether an event around a day is there; null where it can. */
  untold(day: string | undefined, margin: number): Bilingual | null {
    if (this.#cutAt === null || day === undefined) return null;
    const moment = Date.parse(`${day}T00:00:00Z`);
    const days = Array.from({ length: 2 * margin + 1 }, (_, at) => dayAt(moment + (at - margin) * DAY));
    return days.every((one) => this.#isWhole(one)) ? null : UNTOLD;
  }

  #know({ id, values }: ExistingRecord): void {
    const day = values[this.#context.resource.date];
    if (id !== null) this.#days.set(id, typeof day === 'string' ? day.slice(0, 10) : '');
  }

  async #look(): Promise<void> {
    const gaps = listGaps(this.#context);
    if (this.#cutAt === null) {
      const lacked = this.#lacked() ?? ((await this.#probe()) ? this.#lacked() : undefined);
      const isCut = lacked !== undefined && !(await this.#cameLate(lacked));
      if (isCut) await gaps.missed(lacked.id);
      if (isCut || (await gaps.known()) !== null) {
        this.#cutAt = lacked?.list.ids.size ?? (await gaps.longest());
      }
    }
    if (this.#cutAt === null) return;
    // Each list that is read is looked at in its turn.
    for (const list of this.#lists)
      if (this.#isFull(list) && list.period.DatumVan !== ALL_DAYS.from && !this.#cut.has(list)) {
        this.#cut.add(list);
        for (const { from: DatumVan, to: DatumTot } of halvesOf(daysOf(list.period)))
          if (this.#left-- > 0) await this.#read({ DatumVan, DatumTot });
      }
  }

  /** An event that a list lacks and should hold, by its day. */
  #lacked(): { readonly id: number; readonly list: Came } | undefined {
    for (const list of this.#lists) {
      const { DatumVan, DatumTot } = list.period;
      // The service may count the hours around midnight to another day.
      for (const [id, day] of this.#days)
        if (DatumVan < day && day < DatumTot && !list.ids.has(id)) return { id, list };
    }
    return undefined;
  }

  /** Lists may be late with what was just made. */
  async #cameLate({ id, list }: { readonly id: number; readonly list: Came }): Promise<boolean> {
    this.#lists.splice(this.#lists.indexOf(list), 1);
    return (await this.#read(list.period)).some((one) => one.id === id);
  }

  async #read(period: Period): Promise<readonly ExistingRecord[]> {
    const records = await this.#reads.period(period);
    for (const existing of records) this.#reads.keep(existing);
    await this.took(period, records);
    return records;
  }

  /** Asks, once, for the id behind the last one of a list that may be cut. */
  async #probe(): Promise<boolean> {
    const longest = this.#lists.reduce((most, list) => (list.ids.size > most.ids.size ? list : most));
    if (this.#probed || !(await listGaps(this.#context).mayBeCut(longest.ids.size))) return false;
    this.#probed = true;
    const ids = [...longest.ids];
    const [first = 0, last = 0] = [ids[0], ids.at(-1)];
    const step = last < first ? -1 : 1;
    let id = last + step;
    while (this.#days.has(id)) id += step;
    try {
      const existing = id > 0 ? await this.#reads.detail(id) : null;
      if (existing === null) return false;
      this.#know(existing);
      this.#reads.keep(existing);
      return true;
    } catch (error) {
      // It is no more than a look: where no event can be read, the lists are all there is.
      if (!(error instanceof RequestError)) throw error;
      return false;
    }
  }

  #isFull = ({ ids }: Came): boolean => this.#cutAt !== null && ids.size >= this.#cutAt;

  #isWhole(day: string): boolean {
    return this.#lists.some(
      (list) => !this.#isFull(list) && list.period.DatumVan <= day && day <= list.period.DatumTot,
    );
  }
}

const daysOf = ({ DatumVan: from, DatumTot: to }: Period): Days => ({ from, to });
const dayAt = (moment: number): string => new Date(moment).toISOString().slice(0, 10);

const UNTOLD = t(
  'lists of the service end before their last event, so it may be there already; look for it there, and put create in #action where it is not',
  'lijsten van het systeem houden op voor hun laatste evenement, dus misschien is het er al; kijk of het er staat, en zet create in #action als dat niet zo is',
);
