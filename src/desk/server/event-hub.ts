import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { EVENTS, EventOf, JobDocument } from '../contract/documents.ts';

/** Something that is told to every open page. */
type Told = { readonly [E in keyof typeof EVENTS]: readonly [E, EventOf<E>] }[keyof typeof EVENTS];

/** How often a job is told of, ms: a bar needs no more. */
const EVERY = 120;
/** How often an idle stream says that it is there, ms. */
const ALIVE = 15_000;
/** After this a page tries again to reach a desk that is gone, ms. */
const RETRY = 1000;
/** Events that wait for a page that takes none; then it is let go, and comes back for the whole. */
const MOST_WAITING = 2000;

/** Tells open pages what happens (Server-Sent Events). */
export class EventHub {
  private readonly listeners = new Set<(told: Told) => void>();
  private readonly late = new Map<string, NodeJS.Timeout>();
  private readonly latest = new Map<string, JobDocument>();

  /** Tells at once. */
  tell(...told: Told): void {
    for (const listen of this.listeners) listen(told);
  }

  /** Whether any page listens. */
  get isHeard(): boolean {
    return this.listeners.size > 0;
  }

  /** Tells of a job as it is then: at once where it has ended, else now and then. */
  tellJob(job: JobDocument): void {
    this.latest.set(job.id, job);
    if (job.endedAt !== null) {
      this.tellLatest(job.id);
      return;
    }
    if (this.late.has(job.id)) return;
    this.late.set(
      job.id,
      setTimeout(() => this.tellLatest(job.id), EVERY),
    );
  }

  /** The stream of a page; `first` is told it before anything else. */
  stream(context: Context, first: () => readonly JobDocument[]): Response {
    return streamSSE(context, async (stream) => {
      const waiting: Told[] = first().map((job) => ['job', job]);
      let wake = (): void => {};
      const listen = (told: Told): void => {
        waiting.push(told);
        wake();
      };
      this.listeners.add(listen);
      stream.onAbort(() => wake());
      try {
        await stream.write(`retry: ${RETRY}\n\n`);
        while (!stream.aborted && !stream.closed && waiting.length < MOST_WAITING) {
          const told = waiting.shift();
          if (told !== undefined) {
            await stream.writeSSE({ event: told[0], data: JSON.stringify(told[1]) });
            continue;
          }
          const alive = await new Promise<boolean>((resolve) => {
            const timer = setTimeout(() => resolve(true), ALIVE);
            wake = () => {
              clearTimeout(timer);
              resolve(false);
            };
          });
          if (alive) await stream.write(': here\n\n');
        }
      } finally {
        this.listeners.delete(listen);
      }
    });
  }

  private tellLatest(id: string): void {
    clearTimeout(this.late.get(id));
    this.late.delete(id);
    const job = this.latest.get(id);
    this.latest.delete(id);
    if (job !== undefined) this.tell('job', job);
  }
}
