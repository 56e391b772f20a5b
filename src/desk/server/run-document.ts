import { basename } from 'node:path';
import type { ShownRun } from '../../api/runs.ts';
import type { DeskRun } from '../contract/documents.ts';
import type { Desk } from './desk.ts';
import { isHere } from './service-document.ts';

/** Plans are listed apart: each time that a file is checked again makes one. */
const STATES = {
  sent: ['applying', 'done', 'interrupted'],
  plans: ['planned', 'planning'],
} as const satisfies Readonly<Record<string, readonly DeskRun['state'][]>>;

/** Which runs are listed. */
interface Listed {
  readonly what: keyof typeof STATES;
  readonly offset: number;
  readonly limit: number;
}

/** Runs as the page knows them, the newest first. */
export async function runDocuments(desk: Desk, { what, ...part }: Listed): Promise<DeskRun[]> {
  const found = await desk.runs.list({ ...part, states: STATES[what] });
  return await Promise.all(found.map((run) => toDocument(desk, run)));
}

/** How many runs there are to list. */
export async function countRuns(desk: Desk, what: Listed['what']): Promise<number> {
  return await desk.runs.count(STATES[what]);
}

/** A run as the page knows it. Throws StopError for an unknown one. */
export async function runDocument(desk: Desk, run: string): Promise<DeskRun> {
  return await toDocument(desk, await desk.runs.state(run));
}

async function toDocument(desk: Desk, shown: ShownRun): Promise<DeskRun> {
  const { run, file, service, startedAt, state, busy, counts, prunedAt, workers = null } = shown;
  const here = isHere(desk, service);
  const draft = desk.drafts.ofRun(run);
  const isPlan = state === 'planned' || state === 'planning';
  const replacedBy = isPlan ? ((await desk.runs.replacedBy(run)) ?? null) : null;
  const stale = isPlan && (draft?.stale ?? false);
  const isOld = replacedBy !== null || stale;
  const toSend = counts !== null && counts.created + counts.updated + counts.deleted > 0;
  return {
    ...{ run, service, startedAt, state, busy, counts, here, shown: shown.shown, prunedAt },
    file: draft?.name ?? basename(file),
    takenBack: shown.takenBack ?? null,
    finishedBy: shown.finishedBy ?? null,
    draft: draft?.id ?? null,
    ...{ replacedBy, stale, workers },
    open:
      here &&
      !busy &&
      workers === null &&
      (state === 'interrupted' || (state === 'planned' && toSend && !isOld)),
    result:
      here && ((state === 'done' && prunedAt === null) || (state === 'planned' && !busy && workers === null)),
    job: desk.jobs.underWay({ run }) ?? null,
  };
}
