import { wallClock } from '../context.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/**
 * An hour, as clocks on the wall go back one in autumn, and some minutes for what a service stamps before others can read it.
 */
const OVERLAP = 65 * MINUTE;

/**
 * Tells from the moments that a service gives its records where in them a reading began: the newest that was read is of no later than
 * its end, and the reading took as long as it took. So whatever was written while it was read is not before that, whatever this
 * machine's clock says.
 */
export class Reading {
  private readonly start = performance.now();
  private readonly latest: string;
  private found: string | null = null;
  /** The first moment that was passed by, as it lies ahead of any clock. */
  ahead: string | null = null;

  /** Begins now. */
  constructor(now: Date) {
    // A record of another year, by a slip of someone's, would hide all that comes before it.
    this.latest = wallClock(new Date(now.getTime() + DAY));
  }

  /** The newest moment that was read; null where none was. */
  get newest(): string | null {
    return this.found;
  }

  /** To be told of each moment that is read. */
  saw(moment: string): void {
    if (moment > this.latest) this.ahead ??= moment;
    else if (this.found === null || moment > this.found) this.found = moment;
  }

  /** A moment that is certainly not after the beginning; null where no moment was read. */
  began(): string | null {
    return this.found === null ? null : earlier(this.found, OVERLAP + performance.now() - this.start);
  }

  /** A moment that is certainly before what `began` will say, of readings that take no day; null where none was read. */
  before(): string | null {
    return this.found === null ? null : earlier(this.found, OVERLAP + DAY);
  }
}

/** A moment of a wall clock so many milliseconds before another. */
function earlier(moment: string, milliseconds: number): string {
  const at = Date.parse(`${moment.replace(' ', 'T')}Z`) - Math.ceil(milliseconds);
  return new Date(at).toISOString().replace('T', ' ').replace('Z', '');
}
