import { type Bilingual, t } from '../core/language.ts';
import type { AnswerRecord } from '../schema/answer.ts';
import type { EventResource, TripResource } from '../schema/resource.ts';
import { RequestError } from '../service/request-error.ts';
import { momentIn, numberIn } from './existing-record.ts';
import {
  type Days,
  firstOf,
  inOne,
  isDeleted,
  newestOf,
  type RecordBatches,
  type RecordList,
  type ResolvedSelection,
  uncounted,
} from './listing.ts';
import type { ContextOf } from './planning.ts';

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
