import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { applyIn } from '../../api/import-workbook.ts';
import { undoIn } from '../../api/undo-run.ts';
import { composed, onPage, t } from '../../core/language.ts';
import { withEnding } from '../../files/file-name.ts';
import type { JobDocument } from '../contract/documents.ts';
import type { AnswerOf, ReadBodyOf, ReadQueryOf } from '../contract/routes.ts';
import type { AnsweringOf } from './answering.ts';
import type { Desk } from './desk.ts';
import { fileResponse } from './file-response.ts';
import { planDocument } from './plan-document.ts';
import { makePlan } from './plan-draft.ts';
import { NotFound, NotNow } from './refusal.ts';
import { rowDetail } from './row-detail.ts';
import { countRuns, runDocument, runDocuments } from './run-document.ts';
import { deletesLeft, refuseDeletes, refuseNoWorkers, refuseOld, refuseTheirs } from './run-left.ts';
import { resultPath, sendByWorkers, sendRun } from './send-run.ts';
import { refuseElsewhere } from './service-document.ts';
import { followRun } from './workers.ts';

type RunRoutes =
  | 'listRuns'
  | 'run'
  | 'runRows'
  | 'runRow'
  | 'goOn'
  | 'settle'
  | 'takeBack'
  | 'result'
  | 'report';

/** Runs of the page and of the command line: looked at, gone on with, settled and taken back. */
export function runRoutes(desk: Desk): AnsweringOf<RunRoutes> {
  return {
    listRuns: async ({ query }) => await listOf(desk, query),
    run: async ({ params }) => {
      const known = await runDocument(desk, params.run);
      const run = { ...known, job: followRun(desk, known) };
      const kept = await desk.runs.plan(params.run);
      const plan = kept === undefined ? null : await planDocument(desk, params.run);
      return { run, plan, deletes: await deletesLeft(desk, params.run) };
    },
    runRows: async ({ params, body }) => {
      const { corrected: replaced, ...query } = body;
      const table = await desk.table(params.run);
      const counts = (await runDocument(desk, params.run)).counts ?? (await table.counts());
      const { total, rows } = await table.page({ ...query, replaced }, counts.read);
      const shown = rows.map((row) => ({ ...row, corrected: false, decided: null }));
      return { total, offset: query.offset, rows: shown, counts };
    },
    runRow: async ({ params, query }) => {
      const table = await desk.table(params.run);
      const found = await table.find(query.sheet, query.row);
      if (found === undefined) throw new NotFound(t('row', 'rij'));
      return rowDetail(desk, found, (await runDocument(desk, params.run)).state);
    },
    goOn: async ({ params, body }) => ({ job: await goOn(desk, params.run, body) }),
    settle: async ({ params, body }) => {
      const of = await runDocument(desk, params.run);
      const { file, draft } = of;
      refuseElsewhere(desk, of);
      refuseBusy(desk, params.run);
      refuseTheirs(of);
      const rows = body.rows.map(({ sheet, row }) => `${sheet}!${row}`);
      const said = body.as === 'done' ? { done: rows } : { resend: rows };
      return { job: sendRun(desk, params.run, { draft, title: file, ...said }, 'settle') };
    },
    takeBack: async ({ params }) => {
      const run = await runDocument(desk, params.run);
      refuseElsewhere(desk, run);
      refuseBusy(desk, params.run);
      return { job: takeBack(desk, params.run, run) };
    },
    result: async ({ params, query }) => {
      const onlyProblems = query.problems === '1';
      const path = await madeResult(desk, params.run, { onlyProblems });
      return await fileResponse(path, nameOf(path, params.run));
    },
    report: async ({ params }) => {
      const path = await madeResult(desk, params.run, { report: true });
      return await fileResponse(path, nameOf(path, params.run), true);
    },
  };
}

/** Begins to send what was not sent of a run, here or by workers. */
async function goOn(desk: Desk, run: string, body: ReadBodyOf<'goOn'>): Promise<JobDocument> {
  const of = await runDocument(desk, run);
  const about = { draft: of.draft, title: of.file };
  refuseElsewhere(desk, of);
  refuseOld(of);
  refuseBusy(desk, run);
  refuseTheirs(of);
  if (!of.open) throw NOTHING_LEFT();
  refuseDeletes(await deletesLeft(desk, run), body.deletes);
  if (!body.workers) return sendRun(desk, run, about);
  refuseNoWorkers(await planDocument(desk, run));
  return sendByWorkers(desk, run, about, 'hands over');
}

async function listOf(desk: Desk, query: ReadQueryOf<'listRuns'>): Promise<AnswerOf<'listRuns'>> {
  const [sent, plans] = await Promise.all([countRuns(desk, 'sent'), countRuns(desk, 'plans')]);
  return { runs: await runDocuments(desk, query), total: { sent, plans } };
}

/** Throws NotNow while a run is worked on: a second click begins nothing. */
function refuseBusy(desk: Desk, run: string): void {
  if (desk.jobs.underWay({ run }) === undefined) return;
  throw new NotNow(
    t('This run is being worked on.', 'Aan deze run wordt gewerkt.'),
    t('Wait until that is done, or stop it.', 'Wacht tot dat klaar is, of stop het.'),
  );
}

/** Results of runs of the command line have the run in front, so that none is taken for another. */
const nameOf = (path: string, run: string): string => basename(path).replace(`${run}-`, '');

const undoName = ({ language }: Desk, file: string): string =>
  `${language === 'nl' ? 'terugdraaien' : 'undo'}-${withEnding(file, '.xlsx')}`;

/** Begins to make the workbook that takes a run back, as a draft that is then planned. */
function takeBack(desk: Desk, run: string, { file }: { readonly file: string }) {
  return desk.jobs.start('take-back', { title: file, run, inTurn: true }, async (job) => {
    const about = { origin: 'undo', of: run } as const;
    const draft = await desk.drafts.add(undoName(desk, file), about, async (path) => {
      const written = await desk.inSession('try', (session) => undoIn(session, run, { out: path }), job);
      for (const { sheet, row, why } of written.cannot)
        job.onWait(composed([why], ({ en, nl }) => t(`${sheet} ${row}: ${en}`, `${sheet} ${row}: ${nl}`)));
    });
    desk.events.tell('changed', { what: 'drafts', id: draft.id });
    job.tell({ draft: draft.id });
    makePlan(desk, draft);
  });
}

/**
 * The result of a finished run, or its report: the one that is there, else it is written now. Throws NotNow
 * for a run that is not finished.
 */
async function madeResult(desk: Desk, run: string, wishes: ResultWishes): Promise<string> {
  const before = making.get(run);
  const own = (async () => {
    // While one is made, its run looks as if it were not finished.
    await before?.catch(() => {});
    return await makeResult(desk, run, wishes);
  })();
  making.set(run, own);
  try {
    return await own;
  } finally {
    if (making.get(run) === own) making.delete(run);
  }
}

/** The results that are being made, the last one of each run. */
const making = new Map<string, Promise<string>>();

interface ResultWishes {
  readonly onlyProblems?: boolean;
  readonly report?: boolean;
}

async function makeResult(
  desk: Desk,
  run: string,
  { onlyProblems = false, report = false }: ResultWishes,
): Promise<string> {
  const of = await runDocument(desk, run);
  const { file, draft, result } = of;
  const about = { run, draft, title: file };
  // Of a plan what would become of its rows, under names of its own: the result comes once it is sent.
  const dryRun = of.state === 'planned';
  const usual = resultPath(desk, about, dryRun ? '.plan' : undefined);
  const page = withEnding(resultPath(desk, about, dryRun ? '.plan' : ''), '.html');
  const wanted = report ? page : onlyProblems ? resultPath(desk, about, '.problems') : usual;
  const isThere = !dryRun && !report && !onlyProblems && (await stat(usual).catch(() => null)) !== null;
  if (isThere) return usual;
  refuseElsewhere(desk, of);
  if (!result) throw UNFINISHED();
  // Where workers send, a result needs no turn: it may be theirs for long.
  const queue = !dryRun && desk.workers !== null;
  await desk.inSession(dryRun ? 'try' : queue ? undefined : 'wait', async (session) => {
    const out = report ? join(desk.madeFolder, `${run}-${basename(usual)}`) : wanted;
    const options = { out, onlyProblems, dryRun, queue, ...(report ? { report: page } : {}) };
    return await applyIn(session, run, options, { tell: () => {}, form: onPage, joins: true });
  });
  return wanted;
}

const UNFINISHED = (): NotNow =>
  new NotNow(
    t('This run has no result yet.', 'Deze run heeft nog geen resultaat.'),
    t('Go on with it first.', 'Ga er eerst mee verder.'),
  );

const NOTHING_LEFT = (): NotNow =>
  new NotNow(
    t('There is nothing left to send of this run.', 'Van deze run is er niets meer te versturen.'),
    t('Look at its rows for what became of them.', 'Kijk bij de rijen wat ervan geworden is.'),
  );
