import type { Time } from '../core/time.ts';
import { wallClock } from '../run/context.ts';

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

/** A wall-clock moment so many milliseconds later. */
export const later = (moment: string, milliseconds: number): string =>
  utcClock(Math.floor(Date.parse(`${moment.replace(' ', 'T')}Z`) + milliseconds));

const utcClock = (time: number): string => new Date(time).toISOString().replace('T', ' ').replace('Z', '');
