import { Worker } from 'node:worker_threads';
import { asStop } from './core/as-stop.ts';
import { EXIT, StopError } from './core/errors.ts';
import { t } from './core/language.ts';
import type { RunningSandbox, SandboxSettings } from './sandbox/requests/options.ts';
import type { ThreadMessages } from './sandbox-worker.ts';

/** So long the thread waits for a next sandbox after its last one, ms: its start is most of a sandbox's. */
const IDLE = 2000;

/** Node 20 runs no TypeScript in a worker: the sources use the worker that the build made. */
function workerFile(): URL {
  const built = import.meta.url.endsWith('.ts') ? '../dist/sandbox-worker.js' : './sandbox-worker.js';
  return new URL(built, import.meta.url);
}

type Answered = ThreadMessages['answered'];

/** What waits for an answer of the thread; null when the thread has ended. */
type Waiting = (message: Answered | null) => void;

/** The thread in which all sandboxes of this process run. */
class SandboxThread {
  private readonly worker = new Worker(workerFile());
  private readonly waiting = new Map<number, Waiting>();
  private readonly open = new Set<number>();
  private last = 0;
  private idle: NodeJS.Timeout | undefined;
  private cause: unknown;
  hasEnded = false;

  constructor() {
    this.worker.on('message', (message: Answered) => this.waiting.get(message.id)?.(message));
    this.worker.once('error', (cause) => {
      // Whoever waits is told; a sandbox that ends while nobody does is a fault that must be seen.
      if (this.waiting.size === 0) throw cause;
      this.cause = cause;
    });
    this.worker.once('exit', () => {
      this.hasEnded = true;
      for (const told of [...this.waiting.values()]) told(null);
    });
  }

  async start(settings: SandboxSettings): Promise<RunningSandbox> {
    const id = ++this.last;
    this.hold(id);
    const message = await this.ask({ id, settings });
    if (message !== null && 'url' in message)
      return { url: message.url, token: message.token, close: async () => await this.close(id) };
    this.release(id);
    if (message !== null && 'stop' in message) {
      const { exit, texts } = message.stop;
      throw new StopError(exit, texts.message, { next: texts.next });
    }
    if (this.cause !== undefined) throw asStop(this.cause);
    throw new StopError(
      EXIT.fault,
      t(
        'The embedded service ended before it was up.',
        'De ingebouwde proefomgeving stopte voordat ze draaide.',
      ),
    );
  }

  private async close(id: number): Promise<void> {
    if (!this.open.has(id)) return;
    await this.ask({ id });
    this.release(id);
  }

  private async ask(message: ThreadMessages['asked']): Promise<Answered | null> {
    if (this.hasEnded) return null;
    const answer = await new Promise<Answered | null>((resolve) => {
      this.waiting.set(message.id, resolve);
      this.worker.postMessage(message);
    });
    this.waiting.delete(message.id);
    return answer;
  }

  /** A process lives as long as a sandbox that it started. */
  private hold(id: number): void {
    clearTimeout(this.idle);
    this.open.add(id);
    this.worker.ref();
  }

  private release(id: number): void {
    this.open.delete(id);
    if (this.open.size > 0) return;
    this.worker.unref();
    this.idle = setTimeout(() => void this.end(), IDLE).unref();
  }

  private async end(): Promise<void> {
    this.hasEnded = true;
    await this.worker.terminate();
  }
}

let thread: SandboxThread | undefined;

/**
 * Starts the sandbox in a thread beside the caller's, so that it doesn't compete with it for the event loop.
 * Several in one process share that thread.
 * @throws StopError (usage) when the port is taken or the data file can't be used.
 */
export async function startSandbox(settings: SandboxSettings = {}): Promise<RunningSandbox> {
  if (thread === undefined || thread.hasEnded) thread = new SandboxThread();
  return await thread.start(settings);
}
