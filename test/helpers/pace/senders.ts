import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A request as the service saw it; moments in ms. */
export interface Seen {
  readonly from: string;
  /** When it was sent. */
  readonly at: number;
  readonly end: number | null;
  readonly refused: boolean;
}

/** A program that sends; the built one. */
export interface SenderOptions {
  readonly ledger: string;
  readonly baseUrl: string;
  readonly name: string;
  readonly rate?: number;
  /** Most in flight over all. */
  readonly concurrency?: number;
  /** Most in flight of this one. */
  readonly local?: number;
}

const fileOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Starts a program and waits for its first line, which it answers. */
async function begin(script: string, args: readonly string[]) {
  const child: ChildProcess = spawn(process.execPath, [fileOf(script), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const last = (): void => void child.kill('SIGKILL');
  process.once('exit', last);
  const ended = once(child, 'exit').then(() => void process.removeListener('exit', last));
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const line = new Promise<string>((resolve, reject) => {
    child.stdout?.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
    void ended.then(() => reject(new Error(`it ended at once: ${errors.slice(0, 500)}`)));
  });
  return { first: await line, child, ended, errors: () => errors };
}

/** Starts a program that sends as much as it may, until it is ended. */
export async function startSender(options: SenderOptions) {
  const { child, ended, errors } = await begin('sender.mjs', [JSON.stringify(options)]);
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await ended;
  };
  return {
    errors,
    kill: () => end('SIGKILL'),
    leave: () => end('SIGTERM'),
    signal: (name: NodeJS.Signals) => child.kill(name),
  };
}

/** Starts a service in a process of its own, which notes when requests were sent and takes `latency` ms for each. */
export async function startCounting(latency = 5) {
  const { first: port, child, ended } = await begin('counting-server.mjs', [String(latency)]);
  const baseUrl = `http://127.0.0.1:${port}/`;
  const ask = async (path: string): Promise<Seen[]> =>
    (await (await fetch(`${baseUrl}control/${path}`)).json()) as Seen[];
  return {
    baseUrl,
    seen: () => ask('seen'),
    /** Turns all requests away for so long. */
    refuse: (ms: number) => ask(`refuse?ms=${ms}`),
    /** Answers take so long from now on. */
    delay: (ms: number) => ask(`delay?ms=${ms}`),
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** The most requests that were sent in any `ms`. */
export function mostWithin(ms: number, seen: readonly Pick<Seen, 'at'>[]): number {
  const times = seen.map(({ at }) => at).sort((one, other) => one - other);
  let most = 0;
  let from = 0;
  for (const [index, time] of times.entries()) {
    while (time - (times[from] as number) >= ms) from += 1;
    most = Math.max(most, index - from + 1);
  }
  return most;
}

/** The most requests that were in the service at once. */
export function mostAtOnce(seen: readonly Seen[]): number {
  const changes = seen.flatMap(({ at, end }) => [
    { at, by: 1 },
    { at: end ?? Number.POSITIVE_INFINITY, by: -1 },
  ]);
  changes.sort((one, other) => one.at - other.at || one.by - other.by);
  let now = 0;
  let most = 0;
  for (const { by } of changes) {
    now += by;
    most = Math.max(most, now);
  }
  return most;
}
