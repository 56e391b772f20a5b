import type { ExistingRecord } from '../records/existing-record.ts';
import { ListedRecords } from '../records/keyed-records.ts';
import { type Days, daysOf, monthNumber, monthsOf } from '../records/listing.ts';

/** How a kind's records are listed. */
interface DayReads {
  onDays(days: Days): Promise<readonly ExistingRecord[]>;
  all(): Promise<readonly ExistingRecord[]>;
}

/**
 * Records that are listed by their days, read for a plan: whole months, each once, so that rows that come bit
 * by bit cost no more than one request a month; and all of them where that is not enough.
 */
export class DaySource {
  readonly listed = new ListedRecords();
  /** All records were read. */
  whole = false;
  private readonly read: Days[] = [];
  private readonly months = new Map<string, Promise<void>>();
  private all: Promise<void> | undefined;
  private readonly reads: DayReads;

  constructor(reads: DayReads) {
    this.reads = reads;
  }

  /** Reads the months within `margin` days of these days, as far as they were not read yet. */
  async cover(days: readonly string[], margin = 0): Promise<void> {
    if (this.whole) return;
    const months = [...new Set(days.flatMap((day) => monthsAround(day, margin)))];
    for (const run of runsOf(months.filter((month) => !this.months.has(month)))) {
      const period = daysOf(run);
      this.read.push(period);
      const reading = this.keep(this.reads.onDays(period));
      for (const month of run) this.months.set(month, reading);
    }
    await Promise.all(months.map((month) => this.months.get(month)));
  }

  /** The days of which lists tell what the plan read: none where only the list of all does. */
  get periods(): readonly Days[] {
    return this.whole ? [] : this.read;
  }

  async readAll(): Promise<void> {
    this.all ??= this.keep(this.reads.all());
    await this.all;
    this.whole = true;
  }

  private async keep(reading: Promise<readonly ExistingRecord[]>): Promise<void> {
    for (const existing of await reading) this.listed.add(existing);
  }
}

/** Months in one request: a quarter with its margins. */
const AT_ONCE = 6;
const DAY = 86_400_000;
/** Behind it years have five digits. */
const LAST_DAY = Date.UTC(9999, 11, 31);

/** The months (`YYYY-MM`) within `margin` days of a day. */
export function monthsAround(day: string, margin: number): string[] {
  const moment = Date.parse(`${day.slice(0, 10)}T00:00:00Z`);
  if (Number.isNaN(moment)) return [];
  const dayAt = (time: number): string => new Date(Math.min(time, LAST_DAY)).toISOString();
  return monthsOf({ from: dayAt(moment - margin * DAY), to: dayAt(moment + margin * DAY) });
}

/** Months that follow one another, as the periods to ask for. */
export function runsOf(months: Iterable<string>): string[][] {
  const runs: string[][] = [];
  for (const month of [...new Set(months)].sort()) {
    const run = runs.at(-1);
    const follows = run !== undefined && monthNumber(run.at(-1) ?? '') + 1 === monthNumber(month);
    if (follows && run.length < AT_ONCE) run.push(month);
    else runs.push([month]);
  }
  return runs;
}
