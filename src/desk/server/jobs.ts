import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { EXIT, StopError } from '../../core/errors.ts';
import { type Bilingual, type Language, onPage, t } from '../../core/language.ts';
import type { Progress } from '../../run/progress.ts';
import type { Job } from '../contract/answers.ts';
import { NotFound, stopOf } from './answering.ts';

/** What the work of a job works with. */
export interface JobWork {
  readonly id: string;
  /** Aborted when the user stops it, with a StopError as its reason. */
  readonly signal: AbortSignal;
  /** For the options of a session. */
  readonly onProgress: (told: Progress) => void;
  readonly onWait: (words: Bilingual) => void;
  /** Changes what is told of the job. */
  readonly tell: (changes: Partial<Pick<Job, 'source' | 'run' | 'answer'>>) => void;
  /** The file that the job made, by its path and what it is to be called. */
  readonly made: (path: string, name: string) => void;
}

/** What a job is about. */
interface JobAbout extends Pick<Job, 'title'> {
  readonly source?: string | null;
  readonly run?: string | null;
  /** It waits for the jobs before it that wait too: only one at a time works with the ledger. */
  readonly inTurn?: boolean;
}

interface Known {
  job: Job;
  readonly stopping: AbortController;
  /** Of the file that it made. */
  path?: string;
  ended: Promise<void>;
  /** The stage that its rate is counted from. */
  speed: { readonly stage: string; readonly since: number; readonly from: number };
}

/** Jobs that are remembered after they ended; notes that a job keeps. */
const [MOST_ENDED, MOST_KEPT] = [30, 50];
/** A rate over less time tells nothing, ms. */
const UNSTEADY = 1000;

/** Work that takes a while: begun by a request, told of by news, and stopped in good order. */
export class Jobs {
  private readonly known = new Map<string, Known>();
  private readonly news: News;
  private readonly language: () => Language;
  private turn: Promise<void> = Promise.resolve();
  private isClosed = false;

  constructor(news: News, language: () => Language) {
    this.news = news;
    this.language = language;
  }

  /** Every job that is known, the newest first. */
  list(): Job[] {
    return [...this.known.values()].map(({ job }) => job).reverse();
  }

  /** A job, with the path of the file that it made. Throws NotFound. */
  find(id: string): Known {
    const known = this.known.get(id);
    if (known === undefined) throw new NotFound(t('job', 'taak'));
    return known;
  }

  /** A job that is not ended yet, by what it is about; any for nothing. */
  underWay(about: Partial<Pick<Job, 'source' | 'run'>> = {}): Job | undefined {
    return this.list().find(
      ({ endedAt, source, run }) =>
        endedAt === null && (about.source ?? source) === source && (about.run ?? run) === run,
    );
  }

  /** Begins some work, and answers what is to be told of it. */
  start(kind: Job['kind'], about: JobAbout, work: (job: JobWork) => Promise<void>): Job {
    if (this.isClosed) throw STOPPED();
    const { title, source = null, run = null, inTurn = false } = about;
    const known: Known = {
      job: {
        ...{ id: randomBytes(9).toString('base64url'), kind, title, source, run },
        ...{ state: inTurn ? 'waiting' : 'running', startedAt: new Date().toISOString(), endedAt: null },
        ...{ progress: null, notes: [], stop: null, file: null, answer: null },
      },
      stopping: new AbortController(),
      ended: Promise.resolve(),
      speed: { stage: '', since: 0, from: 0 },
    };
    this.known.set(known.job.id, known);
    known.ended = this.run(known, inTurn ? this.turn : Promise.resolve(), work);
    if (inTurn) this.turn = known.ended;
    this.change(known, {});
    const ended = this.list().filter(({ endedAt }) => endedAt !== null);
    for (const { id } of ended.slice(MOST_ENDED)) this.known.delete(id);
    return known.job;
  }

  /** Asks a job to stop: what is out is awaited. Throws NotFound. */
  stop(id: string): Job {
    const known = this.find(id);
    if (known.job.endedAt === null) {
      this.change(known, { state: 'stopping' });
      known.stopping.abort(STOPPED());
    }
    return known.job;
  }

  /** Forgets what was found and made of a service that is not in use any more. */
  outdate(): void {
    for (const { id, source, run } of this.list()) if (source === null && run === null) this.known.delete(id);
  }

  /** Stops all jobs and waits until they have. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const { id, endedAt } of this.list()) if (endedAt === null) this.stop(id);
    await Promise.all([...this.known.values()].map(({ ended }) => ended));
  }

  private async run(known: Known, turn: Promise<void>, work: (job: JobWork) => Promise<void>): Promise<void> {
    const end = (changes: Partial<Job>): void =>
      this.change(known, { ...changes, endedAt: new Date().toISOString(), progress: null });
    try {
      await turn;
      known.stopping.signal.throwIfAborted();
      this.change(known, { state: 'running' });
      await work(this.workOf(known));
      end({ state: 'done' });
    } catch (error) {
      const stop = stopOf(error, this.language());
      end({ state: stop.exit === EXIT.interrupted ? 'stopped' : 'failed', stop });
    }
  }

  private workOf(known: Known): JobWork {
    const language = this.language();
    return {
      id: known.job.id,
      signal: known.stopping.signal,
      onProgress: (told) => this.change(known, { progress: progressOf(known, told, language) }),
      onWait: (words) =>
        this.change(known, {
          notes: [...known.job.notes, onPage(words)[language]].slice(-MOST_KEPT),
        }),
      tell: (changes) => this.change(known, changes),
      made: (path, name) => {
        known.path = path;
        this.change(known, { file: name });
      },
    };
  }

  private change(known: Known, changes: Partial<Job>): void {
    known.job = { ...known.job, ...changes };
    this.news.tell();
  }
}

function progressOf(known: Known, told: Progress, language: Language): Job['progress'] {
  const { stage, of, done, total, doubt } = told;
  const now = performance.now();
  const name = `${stage} ${of?.en ?? ''}`;
  if (known.speed.stage !== name) known.speed = { stage: name, since: now, from: done };
  const { since, from } = known.speed;
  const rate = now - since < UNSTEADY || done <= from ? null : (1000 * (done - from)) / (now - since);
  return {
    ...{ stage, done, total, rate, of: of?.[language] ?? null },
    leftMs: rate === null || total === null ? null : Math.round((1000 * (total - done)) / rate),
    doubt: doubt === undefined ? null : { rows: doubt.rows, until: doubt.until.toISOString() },
  };
}

const STOPPED = (): StopError =>
  new StopError(
    EXIT.interrupted,
    t('Stopped: nothing new is sent.', 'Gestopt: er wordt niets nieuws meer verstuurd.'),
    {
      next: t(
        'Go on when you want: nothing is sent twice.',
        'Ga verder wanneer je wilt: niets wordt dubbel verstuurd.',
      ),
    },
  );

/** How long a page waits for news, and how long after the first of some these are told together, ms. */
const [PATIENCE, TOGETHER] = [15_000, 100];

/** What open pages hear of: a number that goes up with each change, and those who wait for the next. */
export class News {
  /** Never 0: that is a page that heard nothing yet, and is answered at once. */
  private count = 1;
  private readonly heard = new EventEmitter().setMaxListeners(0);
  /** When something else than a job changed last. */
  private changedAt = 0;

  get at(): number {
    return this.count;
  }

  /** Tells of a change. */
  tell(): void {
    this.count++;
    this.heard.emit('news');
  }

  /** Tells that what pages show of runs, files or the service may be old. */
  changed(): void {
    this.tell();
    this.changedAt = this.count;
  }

  /** Whether something else than a job changed after a number. */
  hasChanged(since: number): boolean {
    return this.changedAt > since;
  }

  /** Resolves soon after something changed, or after a while. */
  async after(since: number): Promise<void> {
    if (since < this.count) return;
    const signal = AbortSignal.timeout(PATIENCE);
    await once(this.heard, 'news', { signal }).then(
      () => setTimeout(TOGETHER),
      () => {},
    );
  }
}
