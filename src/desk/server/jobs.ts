import { randomBytes } from 'node:crypto';
import { EXIT, type ExitCode, StopError } from '../../core/errors.ts';
import { type Bilingual, type Language, listedOnPage, same, t } from '../../core/language.ts';
import type {
  JobDocument,
  JobKind,
  ProblemDocument,
  ProgressDocument,
  ServiceDocument,
} from '../contract/documents.ts';
import type { EventHub } from './event-hub.ts';
import { NotFound, stopDocument } from './refusal.ts';

/** How far some work is, as the functions below tell it. */
interface Told {
  readonly stage: ProgressDocument['stage'];
  readonly of?: Bilingual;
  readonly done: number;
  readonly total: number | null;
  readonly doubt?: { readonly rows: number; readonly until: Date };
}

/** What the work of a job works with. */
export interface JobWork {
  readonly id: string;
  /** Aborted when the user stops it, with a StopError as its reason. */
  readonly signal: AbortSignal;
  /** For the options of a session. */
  readonly onProgress: (told: Told) => void;
  readonly onWait: (words: Bilingual) => void;
  /** Rows that were sent, by what they came to, with the problems among them. */
  readonly onOutcomes: (
    counts: Readonly<Record<string, number>>,
    problems: readonly ProblemDocument[],
  ) => void;
  /** Changes what is told of the job. */
  readonly tell: (changes: Partial<Pick<JobDocument, 'draft' | 'run' | 'answer' | 'workers'>>) => void;
  /** The file that the job made. */
  readonly made: (file: { readonly name: string; readonly path: string; readonly bytes: number }) => void;
}

/** What a job is about. */
export interface JobAbout {
  readonly title: string;
  readonly draft?: string | null;
  readonly run?: string | null;
  /** It waits for the jobs before it that wait too: only one at a time works with the ledger. */
  readonly inTurn?: boolean;
  /** Workers do it; this takes it back from them, when the user stops it. Else it is only followed. */
  readonly withdraw?: ((job: JobWork) => Promise<void>) | undefined;
}

interface Job {
  document: JobDocument;
  readonly stopping: AbortController;
  readonly withdraw: JobAbout['withdraw'];
  file: string | undefined;
  done: Promise<void>;
  /** The stage that its rate is counted from. */
  speed: {
    readonly stage: string;
    readonly since: number;
    readonly from: number;
    readonly done: number;
  } | null;
}

/** Jobs that are remembered after they ended. */
const MOST_ENDED = 100;
/** Problems that a job names. */
const MOST_PROBLEMS = 50;
/** Notes that a job keeps. */
const MOST_NOTES = 50;
/** A rate over less time tells nothing, ms. */
const UNSTEADY = 1000;

/** Work that takes a while: begun by a request, told of by events, and stopped in good order. */
export class Jobs {
  private readonly jobs = new Map<string, Job>();
  private readonly events: EventHub;
  private readonly language: () => Language;
  private readonly service: () => ServiceDocument;
  private turn: Promise<void> = Promise.resolve();
  private isClosed = false;

  /** `service`: the one in use. */
  constructor(
    events: EventHub,
    { language, service }: { readonly language: () => Language; readonly service: () => ServiceDocument },
  ) {
    this.events = events;
    this.language = language;
    this.service = service;
  }

  /** Every job that is known, the newest first. */
  list(): JobDocument[] {
    return [...this.jobs.values()].map(({ document }) => document).reverse();
  }

  /** Throws NotFound. */
  get(id: string): JobDocument {
    return this.find(id).document;
  }

  /** The job of a kind that is not ended yet, by what it is about. */
  underWay(about: { readonly draft?: string; readonly run?: string }): JobDocument | undefined {
    return this.list().find(
      ({ endedAt, draft, run }) =>
        endedAt === null &&
        (about.draft === undefined || about.draft === draft) &&
        (about.run === undefined || about.run === run),
    );
  }

  /** The path of the file that a job made. Throws NotFound. */
  fileOf(id: string): { readonly name: string; readonly path: string } {
    const { document, file } = this.find(id);
    if (file === undefined || document.file === null) throw new NotFound(t('file', 'bestand'));
    return { name: document.file.name, path: file };
  }

  /** Begins some work, and answers what is to be told of it. */
  start(kind: JobKind, about: JobAbout, work: (job: JobWork) => Promise<void>): JobDocument {
    if (this.isClosed) throw CLOSED();
    const id = randomBytes(9).toString('base64url');
    const { title, draft = null, run = null, inTurn = false, withdraw } = about;
    const job: Job = {
      document: {
        ...{ id, kind, title, draft, run, state: inTurn ? 'waiting' : 'running', changes: 0 },
        ...{ startedAt: new Date().toISOString(), endedAt: null, progress: null, notes: [], outcomes: {} },
        ...{ problems: { count: 0, newest: [] }, stop: null, file: null, answer: null },
        service: this.service(),
        workers: withdraw === undefined ? null : 'waiting',
      },
      withdraw,
      stopping: new AbortController(),
      file: undefined,
      done: Promise.resolve(),
      speed: null,
    };
    this.jobs.set(id, job);
    const before = this.turn;
    job.done = this.run(job, inTurn ? before : Promise.resolve(), work);
    if (inTurn) this.turn = job.done;
    this.events.tellJob(job.document);
    this.forget();
    return job.document;
  }

  /** Asks a job to stop: what is out is awaited. What workers do is taken back from them. Throws NotFound. */
  stop(id: string): JobDocument {
    const job = this.find(id);
    const { endedAt, state } = job.document;
    if (endedAt !== null || state === 'stopping' || job.stopping.signal.aborted) return job.document;
    this.change(job, { state: 'stopping' });
    if (job.withdraw === undefined) job.stopping.abort(STOPPED());
    else void this.takeBack(job, job.withdraw);
    return job.document;
  }

  private async takeBack(job: Job, withdraw: NonNullable<JobAbout['withdraw']>): Promise<void> {
    const work = this.workOf(job);
    try {
      await withdraw(work);
    } catch (error) {
      if (job.document.endedAt !== null || job.stopping.signal.aborted) return;
      work.onWait(same(stopDocument(error, this.language()).message));
      this.change(job, { state: 'running' });
    }
  }

  /** Takes back what jobs of a kind found: it holds no longer. */
  outdate(kind: JobKind): void {
    for (const job of this.jobs.values())
      if (job.document.kind === kind && job.document.answer !== null) this.change(job, { answer: null });
  }

  /** Stops all jobs and waits until they have. */
  async close(): Promise<void> {
    this.isClosed = true;
    // Workers go on with what they have.
    for (const job of this.jobs.values()) if (job.document.endedAt === null) job.stopping.abort(STOPPED());
    await Promise.all([...this.jobs.values()].map(({ done }) => done));
  }

  private async run(job: Job, turn: Promise<void>, work: (job: JobWork) => Promise<void>): Promise<void> {
    try {
      await turn;
      job.stopping.signal.throwIfAborted();
      this.change(job, { state: 'running' });
      await work(this.workOf(job));
      this.change(job, { state: 'done', endedAt: new Date().toISOString(), progress: null });
    } catch (error) {
      const stop = stopDocument(error, this.language());
      const state = stop.exit === EXIT.interrupted ? 'stopped' : 'failed';
      this.change(job, { state, endedAt: new Date().toISOString(), progress: null, stop });
    }
  }

  private workOf(job: Job): JobWork {
    const language = this.language();
    return {
      id: job.document.id,
      signal: job.stopping.signal,
      onProgress: (told) => this.change(job, { progress: progressOf(job, told, language) }),
      onWait: (words) =>
        this.change(job, {
          notes: [...job.document.notes, ...listedOnPage([words], language)].slice(-MOST_NOTES),
        }),
      onOutcomes: (counts, problems) => {
        const outcomes = { ...job.document.outcomes };
        for (const [status, rows] of Object.entries(counts))
          outcomes[status] = (outcomes[status] ?? 0) + rows;
        const { count, newest } = job.document.problems;
        const all = [...problems.toReversed(), ...newest].slice(0, MOST_PROBLEMS);
        this.change(job, { outcomes, problems: { count: count + problems.length, newest: all } });
      },
      tell: (changes) => this.change(job, changes),
      made: ({ name, path, bytes }) => {
        job.file = path;
        this.change(job, { file: { name, bytes } });
      },
    };
  }

  private change(job: Job, changes: Partial<JobDocument>): void {
    job.document = { ...job.document, ...changes, changes: job.document.changes + 1 };
    this.events.tellJob(job.document);
  }

  private find(id: string): Job {
    const job = this.jobs.get(id);
    if (job === undefined) throw new NotFound(t('job', 'taak'));
    return job;
  }

  private forget(): void {
    const ended = [...this.jobs.values()].filter(({ document }) => document.endedAt !== null);
    for (const { document } of ended.slice(0, Math.max(0, ended.length - MOST_ENDED)))
      this.jobs.delete(document.id);
  }
}

function progressOf(job: Job, told: Told, language: Language): ProgressDocument {
  const { stage, of, done, total, doubt } = told;
  const now = performance.now();
  const name = `${stage} ${of?.en ?? ''}`;
  const { speed } = job;
  const begun = speed === null || speed.stage !== name || done < speed.done;
  job.speed = begun ? { stage: name, since: now, from: done, done } : { ...speed, done };
  const { since, from } = job.speed;
  const passed = now - since;
  const rate = passed < UNSTEADY || done === from ? null : (1000 * (done - from)) / passed;
  const leftMs = rate === null || total === null ? null : Math.round((1000 * (total - done)) / rate);
  return {
    ...{ stage, done, total, rate, leftMs },
    of: of?.[language] ?? null,
    doubt: doubt === undefined ? null : { rows: doubt.rows, until: doubt.until.toISOString() },
  };
}

const INTERRUPTED: ExitCode = EXIT.interrupted;

const STOPPED = (): StopError =>
  new StopError(
    INTERRUPTED,
    t('Stopped: nothing new is sent.', 'Gestopt: er wordt niets nieuws meer verstuurd.'),
    {
      next: t(
        'Go on when you want: nothing is sent twice.',
        'Ga verder wanneer je wilt: niets wordt dubbel verstuurd.',
      ),
    },
  );

const CLOSED = (): StopError =>
  new StopError(INTERRUPTED, t('catersheet is being stopped.', 'catersheet wordt gestopt.'), {
    next: t('Start it again.', 'Start het opnieuw.'),
  });
