import { batch, signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import type { AnswerOf, Home, Job, JobAnswers } from '../contract/answers.ts';
import type { AskedOf, RouteName } from '../contract/asked.ts';
import { CallError, call, keepSession, onOtherSession } from './call.ts';
import { browserLanguage, language, showLanguage } from './language.ts';
import { goTo, keyInAddress, route } from './router.ts';

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
const soon = (): AbortSignal => AbortSignal.timeout(SOON_MS);

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
function doubt(status: number): void {
  if (connection.peek() !== 'open') connection.value = status === 401 ? 'unknown' : 'lost';
  connect();
}

/** What was asked of the server, as it is now. */
interface Loaded<T> {
  /** Null until it is there; the last answer while it is asked for again. */
  readonly data: T | null;
  readonly error: CallError | null;
  reload(): void;
}

/** Asks the server, and again when something changed there, and in another language. */
export function useLoaded<R extends RouteName>(route: R, asked: AskedOf<R>): Loaded<AnswerOf<R>> {
  const key = JSON.stringify([route, asked]);
  const [state, setState] = useState<{ key: string } & Omit<Loaded<AnswerOf<R>>, 'reload'>>();
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const ended = new AbortController();
    call(route, asked, ended.signal).then(
      (data) => !ended.signal.aborted && setState({ key, data, error: null }),
      (error: unknown) => {
        if (ended.signal.aborted) return;
        const known = asCallError(error);
        setState((before) => ({ key, data: before?.key === key ? before.data : null, error: known }));
      },
    );
    return () => ended.abort();
  }, [key, turn, epoch.value, language.value]);
  // What was there of another one goes.
  const { data = null, error = null } = state?.key === key ? state : {};
  return { data, error, reload: () => setTurn((before) => before + 1) };
}

/** Something that the user begins: whether it is under way, and what went wrong with it. */
export function useAttempt() {
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<CallError | null>(null);
  const attempt = async (work: () => unknown): Promise<void> => {
    const doing = work();
    if (!(doing instanceof Promise)) return;
    setBusy(true);
    setWrong(null);
    await doing.catch((error: unknown) => setWrong(asCallError(error)));
    setBusy(false);
  };
  return { busy, wrong, attempt };
}

/** The latest job of a kind, also one from before the page was opened, and what it made. */
export function latestOf<K extends keyof JobAnswers>(kind: K) {
  const job = latestJob((one) => one.kind === kind);
  return { job, busy: isActive(job), answer: (job?.answer ?? null) as JobAnswers[K] | null };
}

/** What went wrong with a call; tells the rest of the page where there is no session. */
export function asCallError(error: unknown): CallError {
  const known = error instanceof CallError ? error : new CallError(500, String(error), null);
  if (known.status === 401) doubt(401);
  return known;
}

/** What the first page shows; null until it is there. Every screen takes the service from it. */
export const home = signal<Home | null>(null);

let asked = 0;

/** Asks for it again. Of answers that overtake each other, the last that was asked for stays. */
async function loadHome(): Promise<void> {
  const isFirst = home.peek() === null;
  const turn = ++asked;
  const answer = await call('home', {}, soon()).catch((error: unknown) => {
    const { status } = asCallError(error);
    if (status !== 401) doubt(status);
    return null;
  });
  if (answer === null || turn !== asked) return;
  home.value = answer;
  if (isFirst) showLanguage(answer.language);
}

/** Opens a session with the key in the address, which nobody is to see there. */
async function useKey(key: string): Promise<void> {
  const { path, query } = route.peek();
  goTo(path, query, true);
  // A key that was used is of no matter where this browser has a session already.
  const opened = await call('exchangeKey', { key, language: browserLanguage }, soon()).catch(() => null);
  if (opened !== null) keepSession(opened.session);
}

/** Takes the key from the address where there is one, and shows what its session leads to. */
export async function startDesk(): Promise<void> {
  const key = keyInAddress();
  if (key !== undefined) await useKey(key);
  await loadHome();
  epoch.subscribe((count) => {
    if (count > 1) void loadHome();
  });
  // Some of what it says is in the server's words.
  language.subscribe((now) => {
    if (home.peek()?.language !== now) void loadHome();
  });
  // The address of a program that was started anew, opened where the page of the one before still stands.
  addEventListener('hashchange', () => {
    const next = keyInAddress();
    if (next !== undefined) void useKey(next).then(connect);
  });
  connect();
}
