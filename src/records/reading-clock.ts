import { wallClock } from '../run/context.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const QUARTER = 15 * MINUTE;
/** How far two clocks of one service are apart, one of which says whole seconds. */
const ROUNDING = 2 * SECOND;
/** No clock on the wall is further ahead of UTC, and none in the Netherlands further than the other. */
const [FURTHEST, SUMMER] = [14 * HOUR, 2 * HOUR];
/**
 * An hour, as clocks on the wall go back one in autumn, and some minutes for what a service stamps before
 * others can read it.
 */
const OVERLAP = 65 * MINUTE;

/**
 * Tells from the moments that a service gives its records where in them a reading began: the newest that was read is of no later than
 * its end, and the reading took as long as it took. So whatever was written while it was read is not before that, whatever this
 * machine's clock says.
 *
 * A moment that someone typed may lie ahead of the service's clock, though, and what is written until then comes before it. So a reading
 * never begins later than UTC and this machine's clock say: where the service's own is ahead of those, some hours are read twice, which
 * costs little. (One that is behind both, west of them, can't be told from a service where nobody typed anything.)
 */
export class ListReading {
  private readonly start = performance.now();
  private readonly now: string;
  private readonly latest: string;
  private readonly expected: string;
  private found: string | null = null;
  /** The first moment that lies further ahead than a service's clock is expected to be. */
  ahead: string | null = null;

  private readonly time: number;

  /** Begins now. */
  constructor(now: Date) {
    this.time = now.getTime();
    const [utc, own] = [utcClock(now.getTime()), wallClock(now)];
    this.now = own < utc ? own : utc;
    this.latest = utcClock(now.getTime() + FURTHEST + OVERLAP);
    this.expected = later(own < utc ? utc : own, SUMMER + OVERLAP);
  }

  /** The newest moment that was read, of those that a clock may have said; null where none was. */
  get newest(): string | null {
    return this.found;
  }

  /** To be told of each moment that is read. */
  saw(moment: string): void {
    if (this.found !== null && moment <= this.found) return;
    if (moment > this.expected) this.ahead ??= moment;
    if (moment <= this.latest) this.found = moment;
  }

  /** A moment that is certainly not after the beginning; null where no moment was read. */
  began(): string | null {
    return this.earlierBy(OVERLAP + performance.now() - this.start);
  }

  /** A moment certainly before what `began` will say, of readings under a day; null where none was read. */
  before(): string | null {
    return this.earlierBy(OVERLAP + DAY);
  }

  /**
   * Whether the newest moment that was read may be of after the reading began, on a clock of any zone: those
   * are whole quarters of an hour apart. `ahead`: how far the service's clock is ahead of this machine's, ms.
   */
  sawWrites(ahead: number): boolean {
    if (this.found === null) return false;
    const since = Date.parse(`${this.found.replace(' ', 'T')}Z`) - this.time - ahead + ROUNDING;
    if (Math.abs(since) > FURTHEST + OVERLAP) return false;
    return ((since % QUARTER) + QUARTER) % QUARTER <= performance.now() - this.start + 2 * ROUNDING;
  }

  private earlierBy(milliseconds: number): string | null {
    if (this.found === null) return null;
    const edge = this.found < this.now ? this.found : this.now;
    return later(edge, -milliseconds);
  }
}

/** What a clock says so many milliseconds after a moment of it. */
const later = (moment: string, milliseconds: number): string =>
  utcClock(Math.floor(Date.parse(`${moment.replace(' ', 'T')}Z`) + milliseconds));

/** What a clock on the wall says where it goes by UTC. */
const utcClock = (time: number): string => new Date(time).toISOString().replace('T', ' ').replace('Z', '');

/** Above so many, what is too old is let go now and then. */
const MANY = 50_000;

/**
 * What was read of a list and is so young that whoever asks for what was written since the reading began may
 * be given it again. Of each record, by its key, a stamp is kept that tells what it was and begins with when
 * it was written; of older ones nothing.
 */
export class RecentRecords<K> {
  readonly reading: ListReading;
  private readonly stamps = new Map<K, string>();
  private newest: string | null = null;
  private before = '';

  /** The reading begins now. */
  constructor(now: Date) {
    this.reading = new ListReading(now);
  }

  /** What is older than this moment need not be kept. To be asked for now and then: it only goes up. */
  oldest(): string {
    const { newest } = this.reading;
    if (newest !== this.newest) {
      this.newest = newest;
      this.before = this.reading.before() ?? '';
    }
    return this.before;
  }

  keep(key: K, stamp: string): void {
    this.stamps.set(key, stamp);
    if (this.stamps.size % MANY !== 0) return;
    const oldest = this.oldest();
    for (const [one, other] of this.stamps) if (other < oldest) this.stamps.delete(one);
  }

  stampOf(key: K): string | undefined {
    return this.stamps.get(key);
  }

  [Symbol.iterator](): IterableIterator<[K, string]> {
    return this.stamps.entries();
  }
}
