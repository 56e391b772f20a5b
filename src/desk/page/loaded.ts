import { useEffect, useState } from 'preact/hooks';
import type { AnswerOf, Job, JobAnswers } from '../contract/answers.ts';
import type { AskedOf, RouteName } from '../contract/asked.ts';
import { CallError, call } from './call.ts';
import { language } from './language.ts';
import { doJob, doubt, epoch, isActive, latestJob } from './live.ts';

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

/** The latest job of a kind, also one from before the page was opened, and what begins another. */
export function useLatestJob<K extends keyof JobAnswers>(kind: K) {
  const { busy, wrong, attempt } = useAttempt();
  const job = latestJob((one) => one.kind === kind);
  return {
    ...{ job, wrong, busy: busy || isActive(job) },
    answer: (job?.answer ?? null) as JobAnswers[K] | null,
    begin: (ask: Promise<{ job: Job }>) => attempt(() => doJob(ask)),
  };
}

/** What went wrong with a call; tells the rest of the page where there is no session. */
export function asCallError(error: unknown): CallError {
  const known = error instanceof CallError ? error : new CallError(500, String(error), null);
  if (known.status === 401) doubt(401);
  return known;
}
