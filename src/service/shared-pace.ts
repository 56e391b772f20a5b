import type { Time } from '../core/time.ts';
import { openSlots, spacingOf } from './slots.ts';

/** A service that turned a request away; moments by the clock that all programs share. */
export interface PushBack {
  /** When the request that was turned away was sent. */
  readonly startedAt: number;
  /** The end of the pause that the service asked for; null when it named no time. */
  readonly pausedUntil: number | null;
  /** Too many requests; else one broken worker of several may have answered. */
  readonly limited: boolean;
}

/** What a program hears each time that it asks; `now` is the shared clock meanwhile, ms. */
export interface Heard {
  readonly now: number;
  /** Counts the events; another number than last time is a new one. */
  readonly event: number;
  /** The last push-back that another program met; null for one of this program. */
  readonly pushBack: PushBack | null;
}

/** What a program may do from now on. */
interface Given {
  /** Most requests in flight; 0 where they are not shared. */
  readonly share: number;
  /** The lowest rate that any of the programs keeps to; null where none has any. */
  readonly rate: number | null;
  /** Whether all of them knew of it before this program came. */
  readonly isFollowed: boolean;
}

/** Where programs keep the pace that they share: it knows one clock for all of them. */
export interface PaceSource {
  /**
   * Reserves `count` moments, `spacing` ms apart, that no other program gets; answers the first. Rejects with
   * StopError when it could not be reached for long.
   */
  reserve(count: number, spacing: number): Promise<Heard & { readonly first: number }>;
  /**
   * Tells that this program lives, how many requests it may have in flight, and how many it would have; and
   * hears what it may do from now on.
   */
  beat(uses: number, wants: number): Promise<Heard & Given>;
  /** Tells the other programs of a push-back, by how long ago and how far ahead it is, ms. */
  turnedAway(ago: number, pause: number | null, limited: boolean): Promise<void>;
}

interface SharedPaceOptions {
  /** Most requests a second, over all programs. */
  readonly rate?: number | undefined;
  /** Most requests in flight over all programs; absent where each has its own. */
  readonly concurrency?: number | undefined;
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
/** What is not heard of for so long, ms, uses no share any more. */
const UNHEARD_MS = 5000;
/** So long it is waited for those who keep the pace, ms. */
const PATIENCE_MS = 60_000;
/** Without a request for so long, ms, a program asks no more. */
const IDLE_MS = 5000;
/** What a program wanted in the last time, ms, it may want again. */
const WANTED_MS = 1000;
/** How far the clock that stands still in a suspended machine may come from the one that does not, ms. */
const JUMP_MS = 15;

/** One program among those that share a pace, as its gate asks for it; by the gate's clock. */
export class SharedPace {
  readonly #source: PaceSource;
  readonly #own: number | null;
  readonly #concurrency: number | undefined;
  #side: { readonly gate: GateSide; readonly slots: ReturnType<typeof openSlots> } | undefined;
  #rate: number | null;
  #share = 0;
  /** When the last beat was asked that was answered. */
  #heardAt = Number.NEGATIVE_INFINITY;
  /** Until then nothing is sent: others may still have slots of a higher rate. */
  #quietUntil = Number.NEGATIVE_INFINITY;
  #touchedAt = Number.NEGATIVE_INFINITY;
  #event: number | undefined;
  #wanted: { readonly at: number; readonly count: number }[] = [];
  #reserving = false;
  #beating = false;
  #work: Promise<void> = Promise.resolve();
  /** Ends the wait for the next beat; undefined while none is waited for. */
  #resting: AbortController | undefined;
  #closed = false;
  #apart: number | undefined;
  #failingSince: number | undefined;

  constructor(source: PaceSource, { rate, concurrency }: SharedPaceOptions) {
    this.#source = source;
    this.#own = rate ?? null;
    this.#rate = this.#own;
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
    if (this.#concurrency === undefined) return Number.POSITIVE_INFINITY;
    this.#checkClocks();
    return this.#now() < this.#heardAt + UNHEARD_MS ? this.#share : 0;
  }

  /** Most requests a second over all programs; null where none of them has a limit. */
  get rate(): number | null {
    return this.#rate;
  }

  /**
   * The moment of the next slot, -Infinity where none is needed; undefined while there is none. `waiting`
   * requests may use some.
   */
  next(waiting: number): number | undefined {
    const now = this.#now();
    if (this.#heardAt === Number.NEGATIVE_INFINITY || now < this.#quietUntil) return undefined;
    if (this.#rate === null) return Number.NEGATIVE_INFINITY;
    this.#checkClocks();
    const { slots } = this.#sides();
    const next = slots.next();
    const spacing = spacingOf(this.#rate);
    const count = slots.missing(waiting, spacing);
    if (count > 0 && !this.#reserving && !this.#closed) void this.#reserve(count, spacing);
    return next;
  }

  /** Uses that slot. */
  take(): void {
    if (this.#rate !== null) this.#sides().slots.take();
  }

  /** A request of this program was turned away: the others are told. */
  tell({ startedAt, pausedUntil, limited }: PushBack): void {
    const now = this.#now();
    const pause = pausedUntil === null ? null : Math.max(0, pausedUntil - now);
    // What can't be told in a minute the others find out by themselves.
    this.#source.turnedAway(now - startedAt, pause, limited).catch(() => {});
  }

  /** Asks no more; what is asked ends first, so that nothing is told after it. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#resting?.abort();
    await this.#work;
  }

  #sides() {
    if (this.#side === undefined) throw new TypeError('no gate uses this pace');
    return this.#side;
  }

  #now(): number {
    return this.#sides().gate.time.steady();
  }

  /** After a machine was suspended, or its clock set, what was known of moments is not known any more. */
  #checkClocks(): void {
    const { time } = this.#sides().gate;
    const apart = time.now() - time.steady();
    const before = this.#apart ?? apart;
    this.#apart = apart;
    if (Math.abs(apart - before) > JUMP_MS) {
      this.#sides().slots.forget();
      this.#heardAt = Number.NEGATIVE_INFINITY;
      this.#beat();
    }
  }

  #hear({ now, event, pushBack }: Heard): void {
    const { gate, slots } = this.#sides();
    this.#checkClocks();
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

  async #reserve(count: number, spacing: number): Promise<void> {
    const { gate, slots } = this.#sides();
    this.#reserving = true;
    try {
      const answer = await this.#source.reserve(count, spacing);
      this.#hear(answer);
      slots.add(answer.first, count, spacing);
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
    if (this.#beating || this.#closed) return;
    this.#beating = true;
    this.#work = this.#look();
  }

  async #look(): Promise<void> {
    try {
      this.#checkClocks();
      const asked = this.#now();
      const answer = await this.#source.beat(this.#uses(), this.#wants());
      this.#hear(answer);
      this.#setRate(answer.rate, answer.isFollowed);
      this.#share = answer.share;
      this.#heardAt = asked;
      this.#failingSince = undefined;
    } catch (error) {
      // The next one may come through; meanwhile nothing is sent beyond what was given.
      this.#failingSince ??= this.#now();
      if (this.#now() > this.#failingSince + PATIENCE_MS) this.#sides().gate.stopped(error);
    } finally {
      this.#beating = false;
    }
    this.#resting = undefined;
    if (this.#closed) return;
    this.#sides().gate.changed();
    this.#beatAgain();
  }

  /** The lowest rate of all programs holds; where others may not know of it yet, it is waited for them. */
  #setRate(lowest: number | null, isFollowed: boolean): void {
    const isFirst = this.#heardAt === Number.NEGATIVE_INFINITY;
    if (isFirst && !isFollowed) this.#quietUntil = this.#now() + 2 * BEAT_MS;
    this.#rate = lowest === null || this.#own === null ? (lowest ?? this.#own) : Math.min(lowest, this.#own);
  }

  /** How many requests this program may have in flight at this moment. */
  #uses(): number {
    const { inFlight } = this.#sides().gate.count();
    return this.#concurrency === undefined ? 0 : Math.max(inFlight, this.share);
  }

  /** How many it would have, or would have had a moment ago. */
  #wants(): number {
    const { inFlight, waiting } = this.#sides().gate.count();
    const at = this.#now();
    this.#wanted = this.#wanted.filter((one) => one.at > at - WANTED_MS);
    this.#wanted.push({ at, count: inFlight + waiting });
    const most = Math.max(...this.#wanted.map(({ count }) => count));
    return Math.min(most, this.#concurrency ?? most);
  }

  #beatAgain(): void {
    const { inFlight, waiting } = this.#sides().gate.count();
    const isIdle = inFlight + waiting === 0 && this.#now() > this.#touchedAt + IDLE_MS;
    // Who asks no more is told nothing either, so it has nothing left.
    if (isIdle && this.#share === 0) {
      this.#heardAt = Number.NEGATIVE_INFINITY;
      return;
    }
    const resting = new AbortController();
    this.#resting = resting;
    this.#sides()
      .gate.time.sleep(BEAT_MS, resting.signal)
      .then(
        () => this.#beat(),
        () => {},
      );
  }
}
