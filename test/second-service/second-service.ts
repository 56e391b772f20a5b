import { addLookups, addRecords } from './company.ts';
import type { HookOptions } from './hooks.ts';
import type { Journal } from './journal.ts';
import { type Failure, type KnobChanges, type Knobs, turn } from './knobs.ts';
import { type Connected, Listener } from './listener.ts';
import { Other } from './other.ts';
import { Pipeline } from './pipeline.ts';
import { number } from './route.ts';
import { Seeds } from './seeds.ts';
import type { Store } from './store.ts';
import { realTime, type Time } from './time.ts';
import type { Received } from './types.ts';
import { World } from './world.ts';

/** What a service is run in. */
export interface Surroundings {
  /** That of this machine by default. */
  readonly time?: Time;
}

/** A running service with its records, its journal and its knobs in reach of a test. */
export class SecondService {
  readonly add: Seeds;
  readonly other: Other;
  readonly #world: World;
  readonly #pipeline: Pipeline;
  readonly #listener: Listener;

  constructor(changes: KnobChanges, time: Time, inMemory: boolean) {
    const world = new World(changes, time);
    this.#world = world;
    this.#pipeline = new Pipeline(world);
    this.#listener = new Listener(this.#pipeline, { inMemory, moved: () => time.stir?.() });
    this.add = new Seeds(world);
    this.other = new Other(world);
    const { company } = world.knobs;
    if (company !== 'none') addLookups(world, this.add);
    if (company === 'whole') addRecords(world, this.add);
  }

  /** Listens on a free port. */
  listen(): Promise<void> {
    return this.#listener.listen();
  }

  /** Makes a connection without a socket, as the option `connect` of an undici Pool does. */
  readonly connect = (_: unknown, connected: Connected): void => this.#listener.connect(connected);

  /** The base URL, without a slash at its end. */
  get url(): string {
    return `http://127.0.0.1:${this.#listener.port}`;
  }

  /** It has no port: `connect` is the only way to it. */
  get isInMemory(): boolean {
    return this.#listener.isInMemory;
  }

  get token(): string {
    return this.knobs.token;
  }

  get knobs(): Readonly<Knobs> {
    return this.#world.knobs;
  }

  get journal(): Journal {
    return this.#world.journal;
  }

  get packages(): Store {
    return this.#world.stores.package;
  }

  get recipes(): Store {
    return this.#world.stores.recipe;
  }

  get events(): Store {
    return this.#world.stores.event;
  }

  get links(): Store {
    return this.#world.stores.link;
  }

  get trips(): Store {
    return this.#world.stores.trip;
  }

  get mutations(): Store {
    return this.#world.stores.mutation;
  }

  /** Uploaded documents. */
  get documents(): Store {
    return this.#world.stores.document;
  }

  /** Purchase orders that were sent out. */
  get orders(): Store {
    return this.#world.stores.order;
  }

  /** Faults of this service itself; a test should find none. */
  get faults(): readonly unknown[] {
    return this.#pipeline.faults;
  }

  /** A product's stock in its calculation unit. */
  stockTotal(productId: number): number {
    return number(this.#world.stores.stock.get(productId) ?? {}, 'Aantal') || 0;
  }

  /** Turns knobs while the service runs. */
  set(changes: KnobChanges): void {
    turn(this.#world.knobs, changes);
  }

  /** Moves the service's clock at once, forth or back. */
  jump(ms: number): void {
    this.#world.clock.jump(ms);
  }

  /** Lets the next request that fits (default: the next write) fail in this way. */
  failNext(failure: Failure, match: (request: Received) => boolean = (request) => request.write): void {
    this.#pipeline.failNext(failure, match);
  }

  /**
   * Runs an action beside a request: the n-th write committed from now on, or one that the predicate takes;
   * right before it is worked on, or after that and before its answer. Returns how to take it away.
   */
  at(
    when: number | ((request: Received) => boolean),
    action: (request: Received) => unknown,
    options: HookOptions = {},
  ): () => void {
    return this.#pipeline.hooks.add(when, action, options);
  }

  /** Waits until no request is under way and every late write is done. */
  settled(): Promise<void> {
    return this.#pipeline.settled();
  }

  /** Stops the service; late writes that are left are never done. */
  async close(): Promise<void> {
    this.#pipeline.stop();
    await this.#listener.stop();
  }
}

/** Starts a service, on a free port of this machine, that was written from the interface document alone. */
export async function startSecondService(
  changes: KnobChanges = {},
  { time = realTime }: Surroundings = {},
): Promise<SecondService> {
  const service = new SecondService(changes, time, false);
  await service.listen();
  return service;
}

/** The same without a port: its `connect` is the only way to it. */
export function openSecondServiceInMemory(
  changes: KnobChanges = {},
  { time = realTime }: Surroundings = {},
): SecondService {
  return new SecondService(changes, time, true);
}
