import { elapsed, type Time, thisMoment } from '../core/time.ts';

/** A service that turned a request away; moments by the clock that all programs share. */
interface PushBack {
  /** When the request that was turned away was sent. */
  readonly startedAt: number;
  /** The end of the pause that the service asked for; null when it named no time. */
  readonly pausedUntil: number | null;
  /** Too many requests; else one broken worker of several may have answered. */
  readonly limited: boolean;
}

/** What a program hears each time that it asks; `now` is the shared clock meanwhile, ms. */
interface Heard {
  readonly now: number;
  /** Counts the events; another number than last time is a new one. */
  readonly event: number;
  /** The last push-back that another program met; null for one of this program. */
  readonly pushBack: PushBack | null;
}

/** Where programs keep the pace that they share: it knows one clock for all of them. */
interface PaceSource {
  /**
   * Reserves `count` moments, `spacing` ms apart, that no other program gets; answers the first. Rejects with
   * StopError when it could not be reached for long.
   */
  reserve(count: number): Promise<Heard & { readonly first: number; readonly spacing: number }>;
  /**
   * Tells that this program lives, how many requests it may have in flight, and whether it has any to send; and
   * hears how many it may have from now on, 0 where they are not shared, and the time between two requests of
   * all programs, null where none has a limit. Undefined where it was not answered; rejects with StopError when
   * that was so for long.
   */
  beat(
    uses: number,
    wants: boolean,
  ): Promise<(Heard & { readonly share: number; readonly spacing: number | null }) | undefined>;
  /** Tells the other programs of a push-back, by how long ago and how far ahead it is, ms. */
  turnedAway(ago: number, pause: number | null, limited: boolean): Promise<void>;
}

/** What the gate does when something changed. */
interface GateSide {
  readonly time: Time;
  /** Requests in flight, and those that wait. */
  count(): { readonly inFlight: number; readonly waiting: number };
  /** There may be something to send. */
  changed(): void;
  /** Another program was turned away. */
  turnedAway(event: PushBack): void;
  /** The source could not be reached for long. */
  stopped(error: unknown): void;
}

/** How often each program hears of the others, ms. */
const BEAT_MS = 250;
/** What is not heard of for so long, ms, sends nothing any more; a machine may have been suspended. */
const UNHEARD_MS = 5000;
/** Without a request for so long, ms, a program asks no more. */
const IDLE_MS = 5000;
/** What a program wanted in the last time, ms, it may want again. */
const WANTED_MS = 1000;

/** One program among those that share a pace, as its gate asks for it; by the gate's clock. */
export class SharedPace {
  readonly #source: PaceSource;
  readonly #concurrency: number | undefined;
  #side: { readonly gate: GateSide; readonly slots: ReturnType<typeof openSlots> } | undefined;
  #spacing: number | null = null;
  #share = 0;
  /** When the last beat was asked that was answered. */
  #heardAt: ReturnType<typeof thisMoment> | undefined;
  #touchedAt = Number.NEGATIVE_INFINITY;
  #wantedAt = Number.NEGATIVE_INFINITY;
  #event: number | undefined;
  #reserving = false;
  #beating: Promise<void> | undefined;
  /** Ends the wait for the next beat; undefined while none is waited for. */
  #resting: AbortController | undefined;
  #closed = false;

  /** `concurrency`: most requests in flight over all programs; absent where each has its own. */
  constructor(source: PaceSource, concurrency?: number) {
    this.#source = source;
    this.#concurrency = concurrency;
  }

  /** Begins to work for a gate; before that it does nothing. */
  attach(gate: GateSide): void {
    this.#side = { gate, slots: openSlots(gate.time) };
  }

  /** A request is to be sent soon. */
  touch(): void {
    this.#touchedAt = this.#now();
    if (this.#resting === undefined) this.#beat();
  }

  /** Most requests of this program in flight now. */
  get share(): number {
    return this.#concurrency === undefined ? Number.POSITIVE_INFINITY : this.#isHeard() ? this.#share : 0;
  }

  /** Most requests a second over all programs. */
  get rate(): number {
    return this.#spacing === null ? Number.POSITIVE_INFINITY : 1000 / this.#spacing;
  }

  /**
   * The moment of the next slot, -Infinity where none is needed; undefined while there is none. `waiting`
   * requests may use some.
   */
  next(waiting: number): number | undefined {
    const { slots } = this.#sides();
    if (!this.#isHeard()) {
      slots.forget();
      return undefined;
    }
    if (this.#spacing === null) return Number.NEGATIVE_INFINITY;
    const next = slots.next();
    const count = slots.missing(waiting, this.#spacing);
    if (count > 0 && !this.#reserving && !this.#closed) void this.#reserve(count);
    return next;
  }

  /** Uses that slot. */
  take(): void {
    if (this.#spacing !== null) this.#sides().slots.take();
  }

  /** A request of this program was turned away: the others are told. */
  tell({ startedAt, pausedUntil, limited }: PushBack): void {
    const now = this.#now();
    const pause = pausedUntil === null ? null : Math.max(0, pausedUntil - now);
    // What can't be told the others find out by themselves.
    this.#source.turnedAway(now - startedAt, pause, limited).catch(() => {});
  }

  /** Asks no more; what is asked ends first, so that nothing is told after it. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#resting?.abort();
    await this.#beating;
  }

  #sides() {
    if (this.#side === undefined) throw new TypeError('no gate uses this pace');
    return this.#side;
  }

  #now(): number {
    return this.#sides().gate.time.steady();
  }

  #isHeard(): boolean {
    return this.#heardAt !== undefined && elapsed(this.#sides().gate.time, this.#heardAt) < UNHEARD_MS;
  }

  #hear({ now, event, pushBack }: Heard): void {
    const { gate, slots } = this.#sides();
    slots.shift.heard(now);
    const isNew = this.#event !== undefined && event !== this.#event;
    // One that is over says nothing to who comes later; its pause may still last.
    const lasts = this.#event === undefined && (pushBack?.pausedUntil ?? 0) > now;
    this.#event = event;
    if (pushBack === null || !(isNew || lasts)) return;
    const { startedAt, pausedUntil, limited } = pushBack;
    gate.turnedAway({
      startedAt: slots.shift.local(startedAt),
      pausedUntil: pausedUntil === null ? null : slots.shift.local(pausedUntil),
      limited,
    });
  }

  async #reserve(count: number): Promise<void> {
    const { gate, slots } = this.#sides();
    this.#reserving = true;
    try {
      const answer = await this.#source.reserve(count);
      this.#hear(answer);
      slots.add(answer.first, count, answer.spacing);
    } catch (error) {
      if (!this.#closed) gate.stopped(error);
      return;
    } finally {
      this.#reserving = false;
    }
    if (!this.#closed) gate.changed();
  }

  #beat(): void {
    this.#resting?.abort();
    if (this.#beating !== undefined || this.#closed) return;
    this.#beating = this.#look().finally(() => {
      this.#beating = undefined;
      if (this.#closed) return;
      this.#sides().gate.changed();
      this.#beatAgain();
    });
  }

  async #look(): Promise<void> {
    const { gate } = this.#sides();
    const { inFlight, waiting } = gate.count();
    const asked = thisMoment(gate.time);
    if (inFlight + waiting > 0) this.#wantedAt = asked.steady;
    const uses = this.#concurrency === undefined ? 0 : Math.max(inFlight, this.share);
    try {
      const answer = await this.#source.beat(uses, asked.steady < this.#wantedAt + WANTED_MS);
      // The next one may come through; meanwhile nothing is sent beyond what was given.
      if (answer === undefined) return;
      this.#hear(answer);
      this.#spacing = answer.spacing;
      this.#share = answer.share;
      this.#heardAt = asked;
    } catch (error) {
      gate.stopped(error);
    }
  }

  #beatAgain(): void {
    const { gate } = this.#sides();
    const { inFlight, waiting } = gate.count();
    const isIdle = inFlight + waiting === 0 && this.#now() > this.#touchedAt + IDLE_MS;
    this.#resting = undefined;
    // Who asks no more is told nothing either, so it has nothing left.
    if (isIdle && this.#share === 0) {
      this.#heardAt = undefined;
      return;
    }
    const resting = new AbortController();
    this.#resting = resting;
    gate.time.sleep(BEAT_MS, resting.signal).then(
      () => this.#beat(),
      () => {},
    );
  }
}

/** So long after its moment, ms, a slot may still be used: what is later counts in the next one's second. */
export const LATE_MS = 20;
/** What requests may be late by, in the program and on their way, without too many in a second, ms. */
const SPREAD_MS = 60;
/** More than the rate in any second: so much of it may be. */
const OVER = 1.05;

/**
 * Milliseconds between two slots of a rate: so many that no second sees over 5 % more, also where each comes
 * up to 60 ms late.
 */
export function spacingOf(rate: number): number {
  const most = Math.max(1, Math.ceil(rate), Math.floor(OVER * rate + 1e-9));
  return Math.max(1000 / rate, (1000 + SPREAD_MS) / most);
}

/** Slots are reserved so far ahead, ms. */
const AHEAD_MS = 150;

/**
 * How far the shared clock's moments are from the local ones. Of each answer only the latest moment is known
 * at which it can have been made: the least of the last minute is taken, so that a slow answer delays nothing
 * and no slot comes too early.
 */
export function openShift(time: Pick<Time, 'steady'>, keep = 30_000) {
  let current = Number.POSITIVE_INFINITY;
  let before = Number.POSITIVE_INFINITY;
  let since = time.steady();
  return {
    /** An answer came that was made at `shared`. */
    heard(shared: number): void {
      const now = time.steady();
      if (now - since > keep) [before, current, since] = [current, Number.POSITIVE_INFINITY, now];
      current = Math.min(current, now - shared);
    },
    forget(): void {
      current = Number.POSITIVE_INFINITY;
      before = Number.POSITIVE_INFINITY;
    },
    local: (shared: number): number => shared + Math.min(current, before),
  };
}

/** How many slots to reserve: for what waits and as much as was used lately, not far ahead of its time. */
function slotsToReserve(held: number, waiting: number, usedLately: number, spacing: number): number {
  const most = Math.max(1, Math.ceil(AHEAD_MS / spacing));
  const target = Math.min(most, waiting + usedLately);
  const missing = target - held;
  // Few at a time would ask often.
  return missing > 0 && missing >= target / 2 ? missing : 0;
}

/** The slots that a program reserved and did not use yet, in their order. */
export function openSlots(time: Pick<Time, 'steady'>) {
  const shift = openShift(time);
  let held: number[] = [];
  let used: number[] = [];
  return {
    shift,
    /** Adds what was reserved, as moments of the shared clock. */
    add(first: number, count: number, spacing: number): void {
      for (let at = 0; at < count; at++) held.push(first + at * spacing);
    },
    /** The next one that can be used, by the local clock; those that were missed are dropped. */
    next(): number | undefined {
      const now = time.steady();
      while (held.length > 0 && shift.local(held[0] as number) + LATE_MS < now) held.shift();
      const [first] = held;
      return first === undefined ? undefined : shift.local(first);
    },
    /** Uses that one. */
    take(): void {
      held.shift();
      used.push(time.steady());
    },
    /** How many more are to be reserved for what waits. */
    missing(waiting: number, spacing: number): number {
      const now = time.steady();
      used = used.filter((moment) => moment > now - AHEAD_MS);
      return slotsToReserve(held.length, waiting, used.length, spacing);
    },
    /** What was known of moments is not known any more. */
    forget(): void {
      held = [];
      shift.forget();
    },
  };
}
