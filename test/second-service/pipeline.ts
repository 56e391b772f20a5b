import { setMaxListeners } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { cutOff, deliver, hungUp, inPlace } from './deliver.ts';
import { Hooks } from './hooks.ts';
import type { Entry } from './journal.ts';
import type { Duration, Failure } from './knobs.ts';
import { hasPath, routeOf } from './routes.ts';
import type { Answer, Received, Source } from './types.ts';
import type { World } from './world.ts';

type Late = Extract<Failure, { kind: 'late' }>;

/** The way of each request: received, delayed, failed or done, answered, and all of it put down. */
export class Pipeline {
  readonly hooks = new Hooks();
  /** What went wrong in the service itself; a test that finds something here has found a fault of ours. */
  readonly faults: unknown[] = [];
  readonly #world: World;
  readonly #once: { failure: Failure; match: (request: Received) => boolean }[] = [];
  readonly #pending = new Set<Promise<void>>();
  readonly #stopped = new AbortController();

  constructor(world: World) {
    this.#world = world;
    // Every request that waits listens for the end: there is no leak to warn of.
    setMaxListeners(0, this.#stopped.signal);
  }

  /** Lets the next request that fits fail, and no other. */
  failNext(failure: Failure, match: (request: Received) => boolean): void {
    this.#once.push({ failure, match });
  }

  /** Takes one request from the server. */
  take(message: IncomingMessage, response: ServerResponse): void {
    const work = this.#handle(message, response).catch((fault: unknown) => {
      if (this.#stopped.signal.aborted) return;
      this.faults.push(fault);
      response.destroy();
    });
    this.#pending.add(work);
    void work.finally(() => this.#pending.delete(work));
  }

  /** Waits until no request is under way and no late write is left. */
  async settled(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }

  /** Gives up whatever is still waiting; late writes that are left are never done. */
  stop(): void {
    this.#stopped.abort();
    for (const entry of this.#world.journal.requests) {
      if (entry.done === 'waiting') entry.done = 'not done';
      if (entry.answered === 'open') entry.answered = 'lost';
    }
  }

  async #handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const { journal, knobs } = this.#world;
    const head = headOf(message, this.#world.time.now());
    const entry = journal.receive(head);
    const bytes = await read(message);
    if (!bytes) {
      this.#answered(entry, 'lost');
      return;
    }
    const request: Received = { ...head, n: entry.n, bytes, body: parsed(bytes) };
    entry.body = request.body;
    const failure = this.#chosen(request);
    entry.failure = failure?.kind;
    await this.#wait(knobs.speed.beforeMs);
    if (failure?.kind === 'late') await this.#late(request, entry, response, failure);
    else {
      const isBefore = failure !== undefined && 'when' in failure && failure.when === 'before';
      const isGone = response.destroyed && knobs.speed.clientGone === 'not done';
      const answer = isBefore || isGone ? undefined : await this.#perform(request, entry, false);
      await this.#wait(knobs.speed.afterMs);
      this.#answered(entry, await this.#answer(request, response, answer, failure));
    }
  }

  async #answer(
    request: Received,
    response: ServerResponse,
    answer: Answer | undefined,
    failure: Failure | undefined,
  ): Promise<Entry['answered']> {
    if (failure?.kind === 'hang') await hungUp(response);
    else if (failure?.kind === 'reset' && failure.when !== 'half') cutOff(response, failure.how ?? 'RST');
    else {
      const given = (failure && inPlace(failure)) ?? answer;
      if (given && (await deliver(response, request, given, this.#world, failure))) return given.status;
    }
    return 'lost';
  }

  /** Gives the answer up first and does the work some time later, as a slow database behind a proxy does. */
  async #late(request: Received, entry: Entry, response: ServerResponse, failure: Late): Promise<void> {
    if (request.write) entry.done = 'waiting';
    this.#answered(entry, await this.#answer(request, response, undefined, givenUp(failure.giveUp)));
    if (!request.write) return;
    await this.#wait(failure.commitAfterMs);
    await this.#perform(request, entry, true);
  }

  async #perform(request: Received, entry: Entry, late: boolean): Promise<Answer> {
    const { commits } = this.#world.journal;
    await this.hooks.before(request);
    if (this.#stopped.signal.aborted) throw new Error('The service was closed.');
    const before = commits.length;
    const answer = this.#done(request, { request: request.n, late });
    const hasCommitted = commits.length > before;
    const isDone = !entry.write || (answer.status < 400 && !answer.refused);
    entry.done = isDone ? (late ? 'done late' : 'done') : 'not done';
    if (isDone) entry.doneAt = this.#world.time.now();
    await this.hooks.after(request, hasCommitted);
    return answer;
  }

  #done(request: Received, source: Source): Answer {
    if (request.headers.authorization !== `Bearer ${this.#world.knobs.token}`) {
      return { status: 401, body: { errors: 'Unauthorized', message: 'Unauthenticated.' } };
    }
    const found = routeOf(request.method, request.path);
    if (!found) return noRoute(request.path);
    try {
      return found.route.handle({ world: this.#world, request, source });
    } catch (fault) {
      this.faults.push(fault);
      return { status: 500, body: { message: String(fault) } };
    }
  }

  #chosen(request: Received): Failure | undefined {
    const { choose, mix } = this.#world.knobs.failures;
    const position = this.#once.findIndex((held) => held.match(request));
    if (position >= 0) return this.#once.splice(position, 1)[0]?.failure;
    const chosen = choose?.(request);
    if (chosen) return chosen;
    return mix.find(
      ({ match, probability }) => (match?.(request) ?? true) && this.#world.random.chance(probability),
    )?.failure;
  }

  #answered(entry: Entry, status: Entry['answered']): void {
    entry.answered = status;
    entry.answeredAt = this.#world.time.now();
  }

  async #wait(duration: Duration): Promise<void> {
    const ms = typeof duration === 'number' ? duration : this.#world.random.between(...duration);
    if (ms > 0) await this.#world.time.sleep(ms, this.#stopped.signal);
  }
}

function givenUp(how: Late['giveUp']): Failure {
  const when = 'before';
  if (typeof how === 'number') return { kind: 'status', status: how, when };
  return how === 'hang' ? { kind: 'hang', when } : { kind: 'reset', when, how };
}

function noRoute(path: string): Answer {
  if (hasPath(path)) return { status: 405, body: { message: 'The method is not supported for this route.' } };
  return { status: 404, body: { message: 'The route could not be found.' } };
}

function headOf(message: IncomingMessage, at: number): Omit<Received, 'n' | 'body' | 'bytes'> {
  const url = new URL(message.url ?? '/', 'http://localhost');
  const path = url.pathname.replace(/^\/+/, '');
  const method = message.method ?? 'GET';
  const found = routeOf(method, path);
  return {
    at,
    method,
    path,
    query: url.searchParams,
    headers: message.headers,
    endpoint: found?.route.name ?? '',
    write: found?.route.write ?? false,
    params: found?.params ?? [],
  };
}

async function read(message: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of message) chunks.push(chunk as Buffer);
  } catch {
    // The sender hung up amidst its request, so that nothing can be done with it.
    return undefined;
  }
  return Buffer.concat(chunks);
}

function parsed(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  const text = bytes.toString('utf8');
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
