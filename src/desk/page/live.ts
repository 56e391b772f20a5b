import { batch, signal } from '@preact/signals';
import type { EventOf, JobDocument, StopDocument } from '../contract/documents.ts';
import { addressOf } from '../contract/paths.ts';
import { CallError, call } from './call.ts';
import { onOtherSession } from './session.ts';
import { ticketed } from './tickets.ts';

/** How the page stands with its server; `unknown`: this browser has no session there. */
export const connection = signal<'starting' | 'open' | 'lost' | 'unknown'>('starting');

/** Goes up with every new connection: what was missed meanwhile is loaded anew. */
export const epoch = signal(0);

/** All jobs that are known here, by id. */
export const jobs = signal<ReadonlyMap<string, JobDocument>>(new Map());

/** Whether a job still does something. */
export const isActive = ({ state }: Pick<JobDocument, 'state'>): boolean =>
  state === 'waiting' || state === 'running' || state === 'stopping';

type Change = EventOf<'changed'>;
const listeners = new Set<(change: Change) => void>();

/** Calls back when what the page shows may be old; returns what ends it. */
export function onChanged(listener: (change: Change) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Keeps a job, unless it is known here as it was later; answers it as it is now. */
export function keepJob(job: JobDocument): JobDocument {
  const now = laterOf(job);
  jobs.value = new Map(jobs.peek()).set(job.id, now);
  return now;
}

/** Answers and events come by connections of their own: what was told first may come last. */
function laterOf(job: JobDocument): JobDocument {
  const known = jobs.peek().get(job.id);
  return known !== undefined && known.changes > job.changes ? known : job;
}

/** Keeps the jobs of the server. Of those `before` it was asked, what it does not name is forgotten. */
function keepJobs(all: readonly JobDocument[], before: ReadonlyMap<string, JobDocument>): void {
  const begunSince = [...jobs.peek()].filter(([id]) => !before.has(id));
  jobs.value = new Map([...begunSince, ...all.map((job) => [job.id, laterOf(job)] as const)]);
}

/** What stopped a job, or undefined. */
export class JobStopped extends Error {
  readonly stop: StopDocument;

  constructor(stop: StopDocument) {
    super(stop.message);
    this.stop = stop;
  }
}

/** Waits until a job has ended; rejects with JobStopped where it failed. */
export function whenEnded(job: JobDocument): Promise<JobDocument> {
  keepJob(job);
  return new Promise((resolve, reject) => {
    const end = jobs.subscribe((all) => {
      const now = all.get(job.id);
      if (now === undefined || isActive(now)) return;
      queueMicrotask(() => end());
      if (now.state === 'failed' && now.stop !== null) reject(new JobStopped(now.stop));
      else resolve(now);
    });
  });
}

/** How long after a lost connection it is tried again, and at least between two tries, ms. */
const AGAIN_MS = 1500;

/** How long a stream or a small answer of the own machine is waited for; then it is asked for anew, ms. */
const PATIENCE_MS = 5000;

/** Ends a small call that gets no answer: nothing on the page waits for ever. */
export const soon = (): AbortSignal => AbortSignal.timeout(PATIENCE_MS);

let source: EventSource | null = null;
let later: ReturnType<typeof setTimeout> | undefined;
let triedAt = Number.NEGATIVE_INFINITY;
let tries = 0;

function connectIn(ms: number): void {
  clearTimeout(later);
  later = setTimeout(connect, ms);
}

/** So often in a row a page without a session asks for one, each time after twice as long. */
const MOST_REFUSALS = 8;
let refused = 0;

function connectAgain(): void {
  if (connection.peek() !== 'unknown') {
    refused = 0;
    connectIn(AGAIN_MS);
  } else if (refused < MOST_REFUSALS) connectIn(AGAIN_MS * 2 ** refused++);
}

onOtherSession(() => {
  refused = 0;
  if (connection.peek() === 'unknown') connect();
});

/** Hears what the server tells from now on, and connects again by itself. */
export function connect(): void {
  source?.close();
  clearTimeout(later);
  source = null;
  triedAt = performance.now();
  void listen(++tries);
}

/** A stream takes no header: it is opened by a ticket. */
async function listen(turn: number): Promise<void> {
  const [, plain] = addressOf('events');
  const address = await ticketed(plain, soon()).catch((error: unknown) =>
    error instanceof CallError ? error.status : 0,
  );
  if (turn !== tries) return;
  clearTimeout(later);
  if (typeof address === 'number') {
    connection.value = address === 401 ? 'unknown' : 'lost';
    connectAgain();
    return;
  }
  const heard = new EventSource(address);
  source = heard;
  const lose = (): void => {
    heard.close();
    void findOut(heard);
  };
  later = setTimeout(lose, PATIENCE_MS);
  heard.addEventListener('open', () => void findOut(heard));
  heard.addEventListener('error', lose);
  heard.addEventListener('job', ({ data }) => keepJob(JSON.parse(data) as JobDocument));
  heard.addEventListener('changed', ({ data }) => {
    const change = JSON.parse(data) as Change;
    for (const listener of [...listeners]) listener(change);
  });
}

/** Finds out how it stands with the server, now that its events are heard or are heard no more. */
async function findOut(heard: EventSource): Promise<void> {
  if (source !== heard) return;
  clearTimeout(later);
  const before = jobs.peek();
  let isOpen = false;
  try {
    const known = await call('listJobs', { signal: soon() }).catch((error: unknown) =>
      error instanceof CallError ? error.status : 0,
    );
    if (source !== heard) return;
    if (typeof known === 'number') connection.value = known === 401 ? 'unknown' : 'lost';
    else if (heard.readyState === EventSource.OPEN)
      batch(() => {
        keepJobs(known.jobs, before);
        if (tries > 1 || connection.value !== 'starting') epoch.value += 1;
        connection.value = 'open';
        refused = 0;
        isOpen = true;
      });
  } finally {
    // Where a new address was opened in another window of this browser, this one goes on by itself.
    if (source === heard && !isOpen) {
      heard.close();
      connectAgain();
    }
  }
}

/**
 * What a call without a good answer says of the server. While events are heard that may be old, or wrong:
 * then it is found out anew.
 */
export function doubt(state: 'lost' | 'unknown'): void {
  const isHeard = connection.peek() === 'open';
  // A screen with what was typed in it does not go for that alone.
  if (state === 'lost' || !isHeard) connection.value = state;
  if (isHeard) connectIn(Math.max(0, triedAt + AGAIN_MS - performance.now()));
}
