import { copyFile } from 'node:fs/promises';
import { planIn } from '../../api/import-workbook.ts';
import type { TableQuery } from '../../api/table-query.ts';
import { t } from '../../core/language.ts';
import { rememberReplaced } from '../../import/reopen-plan.ts';
import type { JobDocument } from '../contract/documents.ts';
import type { Desk } from './desk.ts';
import { besideOptions, copyBeside } from './draft-documents.ts';
import { planOptions } from './draft-options.ts';
import type { StoredDraft } from './drafts.ts';
import { NotNow } from './refusal.ts';

/** Begins to plan a draft anew; its plan from before stays in the ledger as a run that was not sent. */
export function makePlan(desk: Desk, draft: StoredDraft): JobDocument {
  const about = { title: draft.name, draft: draft.id, inTurn: true };
  return desk.jobs.start('plan', about, async (job) => {
    const { run } = await desk.users.during(async () => {
      const own = { ...planOptions(draft), ...besideOptions(desk, draft) };
      const options = { ...own, memory: desk.checks.memoryFor(draft.id) };
      const file = desk.drafts.fileOf(draft);
      return await desk.inSession(
        'try',
        async (session) => {
          const planned = await planIn(session, file, options);
          if (draft.run !== null) await rememberReplaced(session.context.ledger, draft.run, planned.run);
          return planned;
        },
        job,
      );
    });
    desk.drafts.change(draft.id, { run, stage: 'planned', stale: false });
    job.tell({ run });
    // The page asks for its first rows, and these come before; whatever fails is told who asks for more.
    desk.later(AFTER_FIRST_ROWS, () => makeReady(desk, draft.id));
    desk.events.tell('changed', { what: 'drafts', id: draft.id });
  });
}

/** How long the page has to ask for its first rows before all of them are looked at, ms. */
const AFTER_FIRST_ROWS = 400;

/** Makes the table of a plan, and the checks of its rows where there is something to correct. */
async function makeReady(desk: Desk, id: string): Promise<void> {
  const draft = desk.drafts.get(id);
  const table = await desk.table(runOf(draft), true);
  await table.prepare();
  const { rows } = await table.page(FIRST_TO_CORRECT, 0);
  if (rows.length === 0) return;
  const checks = await desk.checksOf(draft);
  // Lists that its cells are chosen from are read, and its connection is open.
  await checks.check(draft.corrections, draft.decisions, rows);
}

const FIRST_TO_CORRECT: TableQuery = {
  ...{ status: [], work: true, warned: false, replaced: false, sheet: null, search: '', issue: null },
  ...{ sort: 'row', descending: false, offset: 0, limit: 1 },
};

/** The same file once more, with the same choices and corrections: what is done comes out unchanged. */
export async function againOf(desk: Desk, draft: StoredDraft): Promise<StoredDraft> {
  const { reading, corrections, decisions, name, run } = draft;
  const about = { origin: 'again', of: run, reading, corrections, decisions } as const;
  const made = await desk.drafts.add(name, about, (path) => copyFile(desk.drafts.fileOf(draft), path));
  await copyBeside(desk, draft, made);
  desk.events.tell('changed', { what: 'drafts', id: made.id });
  return made;
}

/** The run of a draft's plan. Throws NotNow where there is none yet. */
export function runOf({ run }: StoredDraft): string {
  if (run !== null) return run;
  throw new NotNow(
    t('This file has no plan yet.', 'Voor dit bestand is er nog geen plan.'),
    t('Have it planned first.', 'Laat eerst een plan maken.'),
  );
}

/** Throws NotNow while a draft is worked on. */
export function refuseBusy(desk: Desk, { id }: StoredDraft): void {
  if (desk.jobs.underWay({ draft: id }) === undefined) return;
  throw new NotNow(
    t('This file is being worked on.', 'Aan dit bestand wordt gewerkt.'),
    t('Wait until that is done, or stop it.', 'Wacht tot dat klaar is, of stop het.'),
  );
}

/** Throws NotNow for a draft that was sent. */
export function refuseSent({ stage }: StoredDraft): void {
  if (stage !== 'sent') return;
  throw new NotNow(
    t('This file was sent already.', 'Dit bestand is al verstuurd.'),
    t('Correct what is left of it as a file of its own.', 'Verbeter wat er over is als eigen bestand.'),
  );
}
