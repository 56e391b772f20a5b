import { rename, rm, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { applyIn } from '../../api/import-workbook.ts';
import { watchOutcomes, watchWorkers } from '../../api/watch-outcomes.ts';
import { withdrawIn } from '../../api/withdraw-run.ts';
import { onPage } from '../../core/language.ts';
import { withEnding } from '../../files/file-name.ts';
import type { Session } from '../../session/open-session.ts';
import type { JobDocument, JobKind } from '../contract/documents.ts';
import type { Desk } from './desk.ts';
import type { JobWork } from './jobs.ts';

/** What a run is sent with. */
interface Sending {
  readonly draft: string | null;
  /** The name of its file. */
  readonly title: string;
  /** Rows in doubt that are sent again, or that the user found on the service: `Sheet!12`. */
  readonly resend?: readonly string[];
  readonly done?: readonly string[];
}

/** How a run is with workers: handed over to them now, or followed as it was. */
type Handing = 'hands over' | 'follows';

/** Begins to send a run, or goes on with it: as `catersheet apply` does. */
export function sendRun(desk: Desk, run: string, sending: Sending, kind: JobKind = 'send'): JobDocument {
  const { draft, title, resend = [], done = [] } = sending;
  if (draft !== null) desk.drafts.change(draft, { stage: 'sent' });
  const started = desk.jobs.start(kind, { title, draft, run, inTurn: true }, async (job) => {
    const end = await desk
      .inSession(
        'wait',
        async (session) => {
          const watched = watchOutcomes(session, run, job.onOutcomes);
          const out = resultPath(desk, { run, draft, title });
          return await applyIn(watched, run, { out, resend, done }, { tell: job.onWait, form: onPage });
        },
        { ...job, onProgress: tellingBegin(job, () => tellChanged(desk, run)) },
      )
      .finally(() => tellChanged(desk, run));
    if (end === null) return;
    const { result } = end;
    for (const note of result.notes) job.onWait(note);
    if (result.result !== null) {
      const about = { run, draft, title };
      // Under a name of its own: whoever ends the run, its result is made then.
      const made = result.stopped === null ? result.result : resultPath(desk, about, '.unfinished');
      if (made !== result.result) await rename(result.result, made);
      await tellFile(job, made);
    }
    const problem = result.stopped ?? result.resultError;
    if (problem !== null) throw problem;
  });
  tellChanged(desk, run);
  return started;
}

/** Tells once that something is sent: until then the ledger has the run as planned. */
function tellingBegin({ onProgress }: JobWork, begun: () => void): JobWork['onProgress'] {
  let isBegun = false;
  return (told) => {
    onProgress(told);
    if (told.stage === 'sending' && !isBegun) begun();
    isBegun ||= told.stage === 'sending';
  };
}

/** Where a run's result goes: with its draft, or for a run of the command line with what the desk makes. */
export function resultPath(
  desk: Desk,
  { run, draft, title }: { readonly run: string; readonly draft: string | null; readonly title: string },
  ending = '.result',
): string {
  const folder = draft === null ? desk.madeFolder : desk.drafts.resultsOf(draft);
  const name = withEnding(basename(title), `${ending}${resultEnding(title)}`);
  return join(folder, draft === null ? `${run}-${name}` : name);
}

const CSV: ReadonlySet<string> = new Set(['.csv', '.txt', '.tsv']);

function resultEnding(file: string): string {
  const own = extname(file).toLowerCase();
  if (CSV.has(own)) return '.csv';
  return own === '.xlsm' || own === '.xltm' ? '.xlsm' : '.xlsx';
}

async function tellFile(job: JobWork, path: string): Promise<void> {
  const { size } = await stat(path);
  job.made({ name: basename(path), path, bytes: size });
}

/** Hands a run over to workers, or follows one that they have: as `catersheet apply --queue` does. */
export function sendByWorkers(
  desk: Desk,
  run: string,
  { draft, title }: Pick<Sending, 'draft' | 'title'>,
  how: Handing,
): JobDocument {
  if (draft !== null) desk.drafts.change(draft, { stage: 'sent' });
  const out = resultPath(desk, { run, draft, title });
  const withdraw = async ({ signal, onWait: tell }: JobWork): Promise<void> =>
    await desk.users.during(async () => {
      const queued = await desk.runs.queued();
      if (queued !== null) await withdrawIn(queued, run, { signal, tell });
    });
  const started = desk.jobs.start('send', { title, draft, run, withdraw }, async (job) => {
    // What an earlier stop left there is not what this comes to.
    await rm(out, { force: true });
    try {
      await desk.inSession(undefined, (session) => followed(desk, session, { run, out, how }, job), job);
    } finally {
      if (draft !== null) await unlessSent(desk, run, draft);
      tellChanged(desk, run);
    }
  });
  tellChanged(desk, run);
  return started;
}

async function followed(
  desk: Desk,
  session: Session,
  { run, out, how }: { readonly run: string; readonly out: string; readonly how: Handing },
  job: JobWork,
): Promise<void> {
  let before: JobDocument['workers'] = null;
  const where = (now: JobDocument['workers']): void => {
    if (now === before) return;
    before = now;
    job.tell({ workers: now });
    tellChanged(desk, run);
  };
  const looked = watchWorkers(session, run, { outcomes: job.onOutcomes, where });
  const wishes = { tell: job.onWait, form: onPage, looked, joins: how === 'follows' };
  const end = await applyIn(session, run, { out, queue: true }, wishes);
  if (end === null) return;
  const { notes, result, stopped, resultError } = end.result;
  for (const note of notes) job.onWait(note);
  // What is not at its end has no result yet.
  if (stopped !== null && result !== null) await rm(result, { force: true });
  if (stopped === null && result !== null) await tellFile(job, result);
  const problem = stopped ?? resultError;
  if (problem !== null) throw problem;
}

/** A draft of which workers sent nothing, and have nothing any more, can be corrected and sent as before. */
async function unlessSent(desk: Desk, run: string, draft: string): Promise<void> {
  await desk.users
    .during(async () => {
      const { state, workers } = await desk.runs.state(run);
      if (state === 'planned' && workers === undefined) desk.drafts.change(draft, { stage: 'planned' });
    })
    // A ledger that is away tells of it later.
    .catch(() => {});
}

function tellChanged(desk: Desk, run: string): void {
  desk.events.tell('changed', { what: 'runs', id: run });
  desk.events.tell('changed', { what: 'drafts', id: null });
}
