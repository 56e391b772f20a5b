import { batch, signal } from '@preact/signals';
import type { Job } from '../contract/answers.ts';
import { CallError, call } from './call.ts';
import { onOtherSession } from './session.ts';

/** How the page stands with its server; `unknown`: this browser has no session there. */
export const connection = signal<'starting' | 'open' | 'lost' | 'unknown'>('starting');

/** Goes up when what the page shows may be old, and with every new connection: it is loaded anew. */
export const epoch = signal(0);

/** All jobs that are known here, by id. */
export const jobs = signal<ReadonlyMap<string, Job>>(new Map());

/** Whether a job still does something. */
export const isActive = ({ endedAt }: Pick<Job, 'endedAt'>): boolean => endedAt === null;

/** A job as it is now, by one as it was; undefined for none. */
export const jobNow = (job: Job | null | undefined): Job | undefined =>
  job == null ? undefined : (jobs.value.get(job.id) ?? job);

/** The last job that is so. */
export const latestJob = (isSo: (job: Job) => boolean): Job | undefined =>
  [...jobs.value.values()].filter(isSo).sort((one, other) => other.startedAt.localeCompare(one.startedAt))[0];

/** The last job that planned a file, by its id. */
export const planningOf = (file: string | null): Job | undefined =>
  latestJob(({ kind, source }) => kind === 'plan' && source === file && file !== null);

/** The run of a plan as it is now, where its file was planned anew since. */
export function planNow(run: string): string {
  const made = [...jobs.value.values()].find((one) => one.of === run && one.run !== run)?.run;
  return made == null ? run : planNow(made);
}

/** Keeps jobs, unless they are known here as they were later. */
function keepJobs(all: readonly Job[]): void {
  const known = jobs.peek();
  const later = all.filter(({ id, at }) => at >= (known.get(id)?.at ?? 0));
  jobs.value = new Map([...known, ...later.map((job) => [job.id, job] as const)]);
}

/** Begins a job; resolves with it when it has ended, rejects with CallError where that failed. */
export async function doJob(ask: Promise<{ job: Job }>, onBegun?: (job: Job) => void): Promise<Job> {
  const { job } = await ask;
  keepJobs([job]);
  onBegun?.(job);
  return await new Promise((resolve, reject) => {
    const end = jobs.subscribe((all) => {
      const now = all.get(job.id);
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
let wake = (): void => {};

onOtherSession(() => {
  if (connection.peek() === 'unknown') connect();
});

/** Hears what the server tells from now on, and connects again by itself. */
export function connect(): void {
  wake();
  void listen(++turn);
}

async function listen(own: number): Promise<void> {
  let since = 0;
  let refused = 0;
  while (own === turn) {
    const signal = since === 0 ? soon() : AbortSignal.timeout(NEWS_MS);
    const news = await call('news', { since }, signal).catch((error: unknown) => error);
    if (own !== turn) return;
    if (typeof news === 'object' && news !== null && 'at' in news) {
      const { at, changed, jobs: told } = news as Awaited<ReturnType<typeof call<'news'>>>;
      batch(() => {
        if (since === 0) jobs.value = new Map();
        keepJobs(told);
        if (changed || since === 0) epoch.value++;
        connection.value = 'open';
      });
      since = at;
      refused = 0;
      continue;
    }
    const isRefused = news instanceof CallError && news.status === 401;
    connection.value = isRefused ? 'unknown' : 'lost';
    since = 0;
    // Until a new address is opened in another window of this browser.
    if (isRefused && refused >= MOST_REFUSALS) return;
    await new Promise<void>((resolve) => {
      wake = resolve;
      setTimeout(resolve, isRefused ? AGAIN_MS * 2 ** refused++ : AGAIN_MS);
    });
  }
}

/** What a call without a good answer says of the server: it is found out anew. */
export function doubt(status: number): void {
  if (connection.peek() !== 'open') connection.value = status === 401 ? 'unknown' : 'lost';
  connect();
}
