import { batch, signal } from '@preact/signals';
import type { Job } from '../contract/answers.ts';
import { CallError, call, onOtherSession } from './call.ts';

/** How the page stands with its server; `unknown`: this browser has no session there. */
export const connection = signal<'starting' | 'open' | 'lost' | 'unknown'>('starting');

/** Goes up when what the page shows may be old, and with every new connection: it is loaded anew. */
export const epoch = signal(0);

/** All jobs that the server tells of, the newest first. */
const jobs = signal<readonly Job[]>([]);

/** Whether a job still does something. */
export const isActive = (job: Job | undefined): job is Job & { endedAt: null } => job?.endedAt === null;

/** The last job that is so. */
export const latestJob = (isSo: (job: Job) => boolean): Job | undefined => jobs.value.find(isSo);

/** Begins a job, and knows of it at once; rejects with CallError. */
export async function begin(ask: Promise<{ job: Job }>): Promise<Job> {
  const { job } = await ask;
  // What was told of it meanwhile is later.
  if (!jobs.peek().some(({ id }) => id === job.id)) jobs.value = [job, ...jobs.peek()];
  return job;
}

/** Begins a job; resolves with it when it has ended, rejects with CallError where that failed. */
export async function doJob(ask: Promise<{ job: Job }>): Promise<Job> {
  const { id } = await begin(ask);
  return await new Promise((resolve, reject) => {
    const end = jobs.subscribe((all) => {
      const now = all.find((one) => one.id === id);
      if (now === undefined || isActive(now)) return;
      queueMicrotask(() => end());
      if (now.state === 'failed' && now.stop !== null)
        reject(new CallError(500, now.stop.message, now.stop.next));
      else resolve(now);
    });
  });
}

/** After a lost connection it is tried again after so long; without a session so often, each time after twice as long. */
const [AGAIN_MS, MOST_REFUSALS] = [1500, 8];
/** How long news and small answers of the own machine are waited for, ms. */
const [NEWS_MS, SOON_MS] = [25_000, 5000];

/** Ends a small call that gets no answer: nothing on the page waits for ever. */
export const soon = (): AbortSignal => AbortSignal.timeout(SOON_MS);

let turn = 0;

onOtherSession(() => {
  if (connection.peek() === 'unknown') connect();
});

/** Hears what the server tells from now on, and connects again by itself. */
export function connect(): void {
  void listen(++turn);
}

async function listen(own: number): Promise<void> {
  let [since, refused] = [0, 0];
  while (own === turn) {
    const signal = since === 0 ? soon() : AbortSignal.timeout(NEWS_MS);
    const news = await call('news', { since }, signal).catch((error: CallError) => error);
    if (own !== turn) return;
    if (news instanceof CallError) {
      const isRefused = news.status === 401;
      connection.value = isRefused ? 'unknown' : 'lost';
      since = 0;
      // Until a new address is opened in another window of this browser.
      if (isRefused && refused >= MOST_REFUSALS) return;
      const pause = isRefused ? AGAIN_MS * 2 ** refused++ : AGAIN_MS;
      await new Promise((resolve) => setTimeout(resolve, pause));
      continue;
    }
    batch(() => {
      jobs.value = news.jobs;
      if (news.changed || since === 0) epoch.value++;
      connection.value = 'open';
    });
    [since, refused] = [news.at, 0];
  }
}

/** What a call without a good answer says of the server: it is found out anew. */
export function doubt(status: number): void {
  if (connection.peek() !== 'open') connection.value = status === 401 ? 'unknown' : 'lost';
  connect();
}
