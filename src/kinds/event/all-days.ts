import { type Bilingual, t } from '../../core/language.ts';
import type { ExistingRecord } from '../../records/existing-record.ts';
import type { Days } from '../../records/listing.ts';
import type { ContextOf } from '../../records/planning.ts';
import type { EventPeriod, EventResource } from '../../schema/resource.ts';
import { RequestError } from '../../service/request-error.ts';

type MonthsPeriod = Pick<EventPeriod, 'DatumVan' | 'DatumTot'>;

/** Days around all events: the list by LMT takes a period too (interface 4.4). */
export const ALL_DAYS: Days = { from: '1970-01-01', to: '2069-12-31' };

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

/**
 * Looks for events by ExternalID on all days, once for a ledger: it then knows those that were there, also
 * where they moved far from the day that a row gives. What is made later is found around its day.
 */
export class AllDays {
  private readonly context: ContextOf<EventResource>;
  private readonly read: (period: MonthsPeriod) => Promise<readonly ExistingRecord[]>;
  private reading: Promise<ReadonlyMap<number, readonly ExistingRecord[]>> | undefined;
  private failure: Bilingual | null = null;

  constructor(context: AllDays['context'], read: AllDays['read']) {
    this.context = context;
    this.read = read;
  }

  /** The events with these ExternalIDs; none where a run looked before. */
  async find(externals: readonly number[]): Promise<readonly ExistingRecord[]> {
    if (externals.length === 0) return [];
    this.reading ??= this.readOnce();
    const found = await this.reading;
    return externals.flatMap((external) => found.get(external) ?? []);
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

  private async readOnce(): Promise<ReadonlyMap<number, readonly ExistingRecord[]>> {
    const { ledger, serviceKey, resource } = this.context;
    const found = new Map<number, ExistingRecord[]>();
    if ((await ledger.findFact(serviceKey, KNOWS_ALL)) !== undefined) return found;
    try {
      const records = await this.read({ DatumVan: ALL_DAYS.from, DatumTot: ALL_DAYS.to });
      const pairs = records.flatMap((existing) => {
        const { id, external } = existing;
        if (id === null || external === null) return [];
        found.set(external, [...(found.get(external) ?? []), existing]);
        return [{ external, id }];
      });
      // Those that the ledger knows are its own: it may know better than a list with two of them.
      const known = await ledger.findKeys(serviceKey, resource.name, [...found.keys()]);
      const fresh = pairs.filter(({ external }) => !known.has(external));
      if (fresh.length > 0) await ledger.rememberKeys(serviceKey, resource.name, fresh);
      await ledger.rememberFact(serviceKey, KNOWS_ALL, 'yes');
    } catch (error) {
      if (!(error instanceof RequestError) || error.kind === 'unreachable') throw error;
      this.failure = error.reasons;
    }
    return found;
  }
}
