import type { ClockKnobs } from './knobs.ts';
import type { Time } from './time.ts';

const amsterdam = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Europe/Amsterdam',
  dateStyle: 'short',
  timeStyle: 'medium',
});

/** The service's own clock: it knows nothing of its clients' time. */
export class Clock {
  readonly #knobs: ClockKnobs;
  readonly #time: Time;
  #jumped = 0;

  constructor(knobs: ClockKnobs, time: Time) {
    this.#knobs = knobs;
    this.#time = time;
  }

  /** Moves the clock at once, forth or back. */
  jump(ms: number): void {
    this.#jumped += ms;
  }

  /** The service's time as text in its own zone and at its own resolution. */
  stamp(): string {
    const now = this.#time.now() + this.#knobs.skewMs + this.#jumped;
    const wall = wallTime(now, this.#knobs.zone);
    if (this.#knobs.resolution === 'min') return `${wall.slice(0, 16)}:00.000`;
    return this.#knobs.resolution === 's' ? `${wall.slice(0, 19)}.000` : wall;
  }

  /** Whether a record with this LMT was modified after the given moment. */
  isAfter(lmt: string, moment: string): boolean {
    const length = { ms: 23, s: 19, min: 16, day: 10 }[this.#knobs.compareTo];
    const [own, given] = [lmt.slice(0, length), moment.slice(0, length)];
    return this.#knobs.compare === 'inclusive' ? own >= given : own > given;
  }
}

function wallTime(now: number, zone: ClockKnobs['zone']): string {
  if (zone === 'Europe/Amsterdam') {
    const thousandths = ((now % 1000) + 1000) % 1000;
    return `${amsterdam.format(now)}.${String(Math.floor(thousandths)).padStart(3, '0')}`;
  }
  const moved = zone === 'UTC' ? now : now + zone * 60_000;
  return new Date(moved).toISOString().replace('T', ' ').replace('Z', '');
}

const datetime =
  /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?(?:Z|[+-]\d{2}:?\d{2})?$/;

/** A date or datetime in its full shape, or undefined where it is none. */
export function fullDatetime(text: string): string | undefined {
  const [, day, minute = '00:00', second = '00', fraction = ''] = datetime.exec(text.trim()) ?? [];
  if (day === undefined) return undefined;
  const full = `${day} ${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}`;
  const parsed = Date.parse(`${full.replace(' ', 'T')}Z`);
  if (Number.isNaN(parsed)) return undefined;
  // 31 February is read as a day in March: such a day does not exist.
  return new Date(parsed).toISOString().startsWith(day) ? full : undefined;
}

/** A full datetime moved by some minutes. */
export function shifted(full: string, minutes: number): string {
  if (minutes === 0) return full;
  const moved = Date.parse(`${full.replace(' ', 'T')}Z`) + minutes * 60_000;
  return new Date(moved).toISOString().replace('T', ' ').replace('Z', '');
}
