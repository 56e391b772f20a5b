import type { StopError } from '../../core/errors.ts';
import { t } from '../../core/language.ts';
import type { JobDocument, RowsDocument, SuggestDocument } from '../contract/documents.ts';
import type { ReadBodyOf, ReadQueryOf } from '../contract/routes.ts';
import type { AnsweringOf } from './answering.ts';
import { correct, draftRow } from './correcting.ts';
import type { Desk } from './desk.ts';
import { draftDocument } from './draft-document.ts';
import { withUnnamed } from './draft-options.ts';
import { draftTable, toTableRow } from './draft-table.ts';
import type { StoredDraft } from './drafts.ts';
import { correctSame, decideAll } from './mass-corrections.ts';
import { planDocument } from './plan-document.ts';
import { againOf, makePlan, refuseBusy, refuseSent, runOf } from './plan-draft.ts';
import { NotNow } from './refusal.ts';
import { runDocument } from './run-document.ts';
import { refuseDeletes, refuseNoWorkers, refuseTheirs, settleStages } from './run-left.ts';
import { sendByWorkers, sendRun } from './send-run.ts';
import { refuseElsewhere } from './service-document.ts';

type PlanRoutes =
  | 'makePlan'
  | 'plan'
  | 'planRows'
  | 'planRow'
  | 'correct'
  | 'correctSame'
  | 'decideAll'
  | 'suggest'
  | 'send'
  | 'again';

/** Suggestions that are shown at a time. */
const MOST_SUGGESTED = 50;

/** The plan of a file: made, looked at, corrected and sent. */
export function draftPlanRoutes(desk: Desk): AnsweringOf<PlanRoutes> {
  const { drafts } = desk;
  /** Changes a draft that is not worked on. */
  const changing = async <T>(id: string, work: (draft: StoredDraft) => T | Promise<T>): Promise<T> => {
    await settleStages(desk);
    return await drafts.inTurn(id, (draft) => {
      refuseBusy(desk, draft);
      refuseSent(draft);
      return work(draft);
    });
  };
  /** Corrects a draft whose rows are checked with the service that it was planned for. */
  const correcting = async <T>(id: string, work: (draft: StoredDraft) => Promise<T>): Promise<T> =>
    await changing(id, async (draft) => {
      refuseElsewhere(desk, await runDocument(desk, runOf(draft)), true);
      return await work(draft);
    });
  return {
    makePlan: async ({ params, body: { allowDelete, createUnnamed } }) =>
      await changing(params.draft, async (draft) => {
        // What takes a run back means nothing to another service.
        if (draft.origin === 'undo' && draft.of !== null)
          refuseElsewhere(desk, await runDocument(desk, draft.of));
        const changed = drafts.change(draft.id, {
          ...(allowDelete === undefined ? {} : { allowDelete }),
          ...(createUnnamed === undefined ? {} : { reading: withUnnamed(draft.reading, createUnnamed) }),
        });
        return { job: makePlan(desk, changed) };
      }),
    plan: async ({ params }) => {
      const draft = drafts.get(params.draft);
      return await planDocument(desk, runOf(draft), draft);
    },
    planRows: async ({ params, body }) => await draftRows(desk, drafts.get(params.draft), body),
    planRow: async ({ params, query }) =>
      await drafts.inTurn(params.draft, (draft) => draftRow(desk, draft, query)),
    correct: async ({ params, body }) =>
      await correcting(params.draft, (draft) => correct(desk, draft, body)),
    correctSame: async ({ params, body }) =>
      await correcting(params.draft, (draft) => correctSame(desk, draft, body)),
    decideAll: async ({ params, body }) =>
      await correcting(params.draft, (draft) => decideAll(desk, draft, body)),
    suggest: async ({ params, query }) => await suggest(desk, drafts.get(params.draft), query),
    send: async ({ params, body }) => ({
      job: await drafts.inTurn(params.draft, (draft) => sendDraft(desk, draft, body)),
    }),
    again: async ({ params }) => {
      const draft = drafts.get(params.draft);
      // Only there is known what is done of it.
      if (draft.run !== null) refuseElsewhere(desk, await runDocument(desk, draft.run));
      return { draft: draftDocument(desk, await againOf(desk, draft)) };
    },
  };
}

/** A part of a draft's rows, with the counts of all. */
async function draftRows(
  desk: Desk,
  draft: StoredDraft,
  { corrected: replaced, ...query }: ReadBodyOf<'planRows'>,
): Promise<RowsDocument> {
  const table = await draftTable(desk, draft);
  const { counts: planned } = await planDocument(desk, runOf(draft));
  const { total, rows } = await table.page({ ...query, replaced }, planned.read);
  const { state, counts: now } = await runDocument(desk, runOf(draft));
  const isSent = state !== 'planned' && state !== 'planning';
  const counts = isSent ? (now ?? planned) : draft.stale ? table.countsFrom(planned) : planned;
  return { total, offset: query.offset, rows: rows.map(toTableRow(draft)), counts };
}

/** What can be chosen for a cell. */
async function suggest(
  desk: Desk,
  draft: StoredDraft,
  { sheet, column, search }: ReadQueryOf<'suggest'>,
): Promise<SuggestDocument> {
  const checks = await desk.checksOf(draft);
  const wishes = { search, limit: MOST_SUGGESTED };
  const found = await checks.suggestions(sheet, column, wishes, draft.corrections);
  const entries = found.entries.map(({ text, id }) => ({ text, detail: id === null ? null : `${id}` }));
  return { ...found, entries };
}

/** Begins to send a draft's plan. Throws NotNow where it is not the one that was shown. */
async function sendDraft(desk: Desk, draft: StoredDraft, shown: ReadBodyOf<'send'>): Promise<JobDocument> {
  refuseBusy(desk, draft);
  const run = runOf(draft);
  if (draft.stale || run !== shown.run) throw CHANGED();
  const of = await runDocument(desk, run);
  refuseElsewhere(desk, of, true);
  refuseTheirs(of);
  const plan = await planDocument(desk, run, draft);
  refuseDeletes(plan.deletes, shown.deletes);
  if (shown.workers) {
    refuseNoWorkers(plan);
    return sendByWorkers(desk, run, { draft: draft.id, title: draft.name }, 'hands over');
  }
  return sendRun(desk, run, { draft: draft.id, title: draft.name });
}

const CHANGED = (): StopError =>
  new NotNow(
    t('The plan was changed since it was shown.', 'Het plan is gewijzigd sinds het getoond werd.'),
    t('Look at it once more before you send it.', 'Bekijk het nog eens voordat je het verstuurt.'),
  );
