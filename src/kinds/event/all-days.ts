import { type Bilingual, t } from '../../core/language.ts';
import type { ExistingRecord } from '../../records/existing-record.ts';
import { secondBefore } from '../../records/freshness.ts';
import type { Days } from '../../records/listing.ts';
import { createMark } from '../../records/mark.ts';
import type { ContextOf } from '../../records/planning.ts';
import { wallClock } from '../../run/context.ts';
import type { EventPeriod, EventResource } from '../../schema/resource.ts';
import { RequestError } from '../../service/request-error.ts';

type MonthsPeriod = Pick<EventPeriod, 'DatumVan' | 'DatumTot'>;

/** Days around all events: the list by LMT takes a period too (interface 4.4). */
export const ALL_DAYS: Days = { from: '1970-01-01', to: '2069-12-31' };

const ALL_PERIOD = { DatumVan: ALL_DAYS.from, DatumTot: ALL_DAYS.to };

/** The same, and days that a plan read beyond them. */
export function allDays(periods: readonly MonthsPeriod[]): Days {
  const from = periods.map(({ DatumVan }) => DatumVan);
  const to = periods.map(({ DatumTot }) => DatumTot);
  return {
    from: [ALL_DAYS.from, ...from].reduce((one, other) => (other < one ? other : one)),
    to: [ALL_DAYS.to, ...to].reduce((one, other) => (other > one ? other : one)),
  };
}

/** The ledger's fact that it knows every ExternalID that the service had, whatever the day of its event. */
const KNOWS_ALL = 'events of all days were read';

interface Known {
  readonly newest: string | null;
  /** How many events there were. */
  readonly count: number;
  /** Our own day then: LMTs need not tell all that is new. */
  readonly day: string;
}

/** So many events are read anew by each run; of more than these what was written since. */
const FEW = 500;

interface Reads {
  all(period: MonthsPeriod): Promise<readonly ExistingRecord[]>;
  since(moment: string): Promise<readonly ExistingRecord[]>;
}

/**
 * Looks for events by ExternalID on all days, once for a ledger: it then knows those that were there, also
 * where they are far from the day that a row gives, or it gives none. Later runs ask for what is new.
 */
export class AllDays {
  private readonly context: ContextOf<EventResource>;
  private readonly reads: Reads;
  private reading: Promise<ReadonlyMap<number, readonly ExistingRecord[]>> | undefined;
  private failure: Bilingual | null = null;

  constructor(context: AllDays['context'], reads: Reads) {
    this.context = context;
    this.reads = reads;
  }

  /** The events with these ExternalIDs; none where a run looked before. */
  async find(externals: readonly number[]): Promise<readonly ExistingRecord[]> {
    this.reading ??= this.readNew();
    const found = await this.reading;
    return externals.flatMap((external) => found.get(external) ?? []);
  }

  /** Whether the list of all days that was read can't be believed, or could not be read. */
  get failed(): boolean {
    return this.failure !== null;
  }

  /** Why events may be made anew that stand on other days; none where they were looked for. */
  notes(): Bilingual[] {
    if (this.failure === null) return [];
    const { en, nl } = this.failure;
    return [
      t(
        `events were looked for around their days only, as the list of all days could not be read (${en}): one that moved further is not found by its ExternalID, and is made anew`,
        `evenementen zijn alleen rond hun dag gezocht, omdat de lijst van alle dagen niet kon worden gelezen (${nl}): een dat verder verplaatst is, wordt niet met zijn ExternalID gevonden en opnieuw aangemaakt`,
      ),
    ];
  }

  private async readNew(): Promise<ReadonlyMap<number, readonly ExistingRecord[]>> {
    const { ledger, serviceKey, resource, time } = this.context;
    const found = new Map<number, ExistingRecord[]>();
    const fact = (await ledger.findFact(serviceKey, KNOWS_ALL)) ?? '';
    const before = fact.startsWith('{') ? (JSON.parse(fact) as Known) : null;
    const day = wallClock(time.now()).slice(0, 10);
    const isLate = before === null || before.day !== day || before.count <= FEW;
    try {
      const moment = isLate ? null : before.newest;
      const fresh = moment === null ? [] : await this.reads.since(secondBefore(moment));
      // Even what is not new has the newest LMT: a list without it tells nothing.
      const records = fresh.length > 0 ? fresh : await this.reads.all(ALL_PERIOD);
      const mark = createMark();
      for (const existing of records) mark.saw(existing);
      const count = Math.max(records.length, before?.count ?? 0);
      const now: Known = { newest: mark.mark().newest, count, day };
      const pairs = records.flatMap((existing) => {
        const { id, external } = existing;
        if (id === null || external === null) return [];
        found.set(external, [...(found.get(external) ?? []), existing]);
        return [{ external, id }];
      });
      // Those that the ledger knows are its own: it may know better than a list with two of them.
      const known = await ledger.findKeys(serviceKey, resource.name, [...found.keys()]);
      const others = pairs.filter(({ external }) => !known.has(external));
      if (others.length > 0) await ledger.rememberKeys(serviceKey, resource.name, others);
      await ledger.rememberFact(serviceKey, KNOWS_ALL, JSON.stringify(now));
    } catch (error) {
      if (!(error instanceof RequestError) || error.kind === 'unreachable') throw error;
      this.failure = error.reasons;
    }
    return found;
  }
}
