import { copyFile } from 'node:fs/promises';
import { planIn } from '../../api/import-workbook.ts';
import { t } from '../../core/language.ts';
import { CREATE_UNNAMED } from '../../import/map/sheet-mapping.ts';
import type { Draft, Job } from '../contract/answers.ts';
import type { Desk } from './desk.ts';
import { readingOptions } from './draft-checks.ts';
import { runOf, type StoredDraft } from './drafts.ts';
import { NotNow, refuseBusy } from './refusal.ts';
import { checksOf, ownCorrections } from './rows.ts';

/** How far a file is: by its run, which a terminal or workers may have sent. */
async function stageOf(desk: Desk, { id, run }: StoredDraft): Promise<Draft['stage']> {
  if (run === null) return 'read';
  if (desk.jobs.underWay({ draft: id, run })?.kind === 'send') return 'sent';
  // In another ledger, or one that is away, nothing is known of it.
  const state = await (async () => await desk.runs.stateOf(run))().catch(() => undefined);
  return state === undefined || state === 'planned' || state === 'planning' ? 'planned' : 'sent';
}

/** A draft as the page knows it. */
export async function draftView(desk: Desk, draft: StoredDraft): Promise<Draft> {
  const { id, name, addedAt, origin, of, run, decisions, reading } = draft;
  return {
    ...{ id, file: name, addedAt, origin, of, run, stage: await stageOf(desk, draft) },
    planning: desk.jobs.list().find((job) => job.draft === id && job.kind === 'plan') ?? null,
    createUnnamed: reading.set[CREATE_UNNAMED.field] === CREATE_UNNAMED.text,
    corrections: ownCorrections(draft).length + decisions.length,
  };
}

/** Changes a draft that is neither worked on nor sent. Throws StopError. */
export async function changing<T>(
  desk: Desk,
  id: string,
  work: (draft: StoredDraft) => T | Promise<T>,
): Promise<T> {
  return await desk.drafts.inTurn(id, async (draft) => {
    refuseBusy(desk.jobs.underWay({ draft: id }));
    if ((await stageOf(desk, draft)) === 'sent')
      throw new NotNow(
        t('This file was sent already.', 'Dit bestand is al verstuurd.'),
        t('Correct what is left of it as a file of its own.', 'Verbeter wat er over is als eigen bestand.'),
      );
    return await work(draft);
  });
}

/** How a file is read, with what becomes of rows that name no record: they are created, or they are not. */
export function withUnnamed(reading: StoredDraft['reading'], create: boolean): StoredDraft['reading'] {
  const { [CREATE_UNNAMED.field]: _, ...others } = reading.set;
  return { ...reading, set: create ? { ...others, [CREATE_UNNAMED.field]: CREATE_UNNAMED.text } : others };
}

/** Begins to plan a draft anew; its plan from before stays in the ledger as a run that was not sent. */
export function makePlan(desk: Desk, draft: StoredDraft): Job {
  const { id, corrections, decisions } = draft;
  return desk.jobs.start('plan', { title: draft.name, draft: id, inTurn: true }, async (job) => {
    const { run } = await desk.users.during(async () => {
      const memory = desk.checks.memoryFor(id);
      const options = { ...readingOptions(draft), allowDelete: true, corrections, decisions, memory };
      return await desk.inSession(
        'try',
        (session) => planIn(session, desk.drafts.fileOf(draft), options),
        job,
      );
    });
    desk.drafts.change(id, { run, stale: false });
    job.tell({ run });
    desk.news.changed();
    // Whatever fails is told who asks for it.
    void desk.users.during(() => makeReady(desk, id)).catch(() => {});
  });
}

/** Makes the table of a plan, and the checks of its rows where there is something to correct. */
async function makeReady(desk: Desk, id: string): Promise<void> {
  const draft = desk.drafts.get(id);
  const table = await desk.table(runOf(draft));
  const [first] = await table.withStatus('invalid');
  if (first === undefined) return;
  // Lists that its cells are chosen from are read, and its connection is open.
  await (await checksOf(desk, draft)).check(draft.corrections, draft.decisions, [first]);
}

/** The same file once more, with the same choices and corrections: what is done comes out unchanged. */
export async function againOf(desk: Desk, draft: StoredDraft): Promise<StoredDraft> {
  const { reading, corrections, decisions, name, run: of } = draft;
  const about = { origin: 'again', of, reading, corrections, decisions } as const;
  return await desk.drafts.add(name, about, (path) => copyFile(desk.drafts.fileOf(draft), path));
}
