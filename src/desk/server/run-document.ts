import { basename } from 'node:path';
import type { ShownRun } from '../../api/runs.ts';
import type { DeskRun } from '../contract/documents.ts';
import type { Desk } from './desk.ts';
import { isHere } from './service-document.ts';

/** The newest runs as the page knows them. */
export async function runDocuments(desk: Desk): Promise<DeskRun[]> {
  return (await desk.runs.list()).map((run) => toDocument(desk, run));
}

/** A run as the page knows it. Throws StopError for an unknown one. */
export async function runDocument(desk: Desk, run: string): Promise<DeskRun> {
  return toDocument(desk, await desk.runs.state(run));
}

function toDocument(desk: Desk, shown: ShownRun): DeskRun {
  const { run, file, service, startedAt, state, busy, counts } = shown;
  const here = isHere(desk, service);
  const draft = desk.drafts.ofRun(run);
  const toSend = counts !== null && counts.created + counts.updated + counts.deleted > 0;
  return {
    ...{ run, service, startedAt, state, busy, counts, here, shown: shown.shown },
    file: draft?.name ?? basename(file),
    takenBack: shown.takenBack ?? null,
    finishedBy: shown.finishedBy ?? null,
    draft: draft?.id ?? null,
    open: here && !busy && (state === 'interrupted' || (state === 'planned' && toSend)),
    result: here && state === 'done',
    job: desk.jobs.underWay({ run }) ?? null,
  };
}
