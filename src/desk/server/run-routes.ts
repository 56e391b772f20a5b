import { undoIn } from '../../api/undo-run.ts';
import { composed, t } from '../../core/language.ts';
import { withEnding } from '../../files/file-name.ts';
import type { AnswerOf, Job, Run } from '../contract/answers.ts';
import type { ReadBodyOf } from '../contract/asked.ts';
import type { Answering } from './answering.ts';
import { rowDetail } from './corrections.ts';
import type { Desk } from './desk.ts';
import { makePlan } from './draft-view.ts';
import { fileResponse } from './file-response.ts';
import { refuseElsewhere } from './other-service.ts';
import { NotNow, refuseBusy } from './refusal.ts';
import { draftTable, toTableRow } from './rows.ts';
import {
  deletesLeft,
  isUnsent,
  planView,
  refuseDeletes,
  refuseTheirs,
  runView,
  SENT,
  sentRuns,
} from './run-view.ts';
import { madeResult, sendRun } from './send-run.ts';

type RunRoutes =
  | ('listRuns' | 'run' | 'rows' | 'row' | 'next')
  | ('goOn' | 'settle' | 'takeBack' | 'result' | 'report');

/** Runs of the page and of the command line: looked at, gone on with, settled and taken back. */
export function runRoutes(desk: Desk): Answering<RunRoutes> {
  /** A run of the service in use that nothing works on. */
  const free = async (run: string): Promise<Run> => {
    const of = await runView(desk, run);
    refuseElsewhere(of);
    refuseBusy(desk.jobs.underWay({ run }));
    refuseTheirs(of);
    return of;
  };
  return {
    listRuns: async ({ query }) => ({
      runs: await sentRuns(desk, query),
      total: await desk.runs.count(SENT),
    }),
    run: async ({ params }) => {
      const run = await runView(desk, params.run);
      return { run, plan: await planView(desk, params.run), deletes: await deletesLeft(desk, run) };
    },
    rows: async ({ params, body }) => await rowsOf(desk, params.run, body),
    row: async ({ params, query }) => await rowDetail(desk, params.run, query),
    next: async ({ params, body: { from, back, ...wish } }) => {
      const { table, draft } = await tableOf(desk, params.run);
      const decided = new Set(draft?.decisions.map(({ sheet, row }) => `${row}\0${sheet}`));
      return { at: await table.next(wish, { from, back, decided }) };
    },
    goOn: async ({ params, body }) => {
      const of = await free(params.run);
      if (!of.open) throw NOTHING_LEFT();
      refuseDeletes(await deletesLeft(desk, of), body.deletes);
      return { job: sendRun(desk, of) };
    },
    settle: async ({ params, body }) => {
      const rows = body.rows.map(({ sheet, row }) => `${sheet}!${row}`);
      return { job: sendRun(desk, await free(params.run), { [body.as]: rows }) };
    },
    takeBack: async ({ params }) => ({ job: takeBack(desk, await free(params.run)) }),
    result: async ({ params, query }) =>
      await fileResponse(...(await madeResult(desk, params.run, query.problems ? 'problems' : 'result'))),
    report: async ({ params }) => await fileResponse(...(await madeResult(desk, params.run, 'report')), true),
  };
}

/** The rows of a run: of a file on its way corrected ones as they would be. */
async function tableOf(desk: Desk, run: string) {
  const of = await runView(desk, run);
  const draft = isUnsent(of) ? desk.drafts.ofRun(run) : undefined;
  return { of, draft, table: draft === undefined ? await desk.table(run) : await draftTable(desk, draft) };
}

/** A part of a run's rows, with the counts of all. */
async function rowsOf(desk: Desk, run: string, query: ReadBodyOf<'rows'>): Promise<AnswerOf<'rows'>> {
  const { of, draft, table } = await tableOf(desk, run);
  const counts = table.isReplaced || of.counts === null ? (await table.summary()).counts : of.counts;
  const { total, rows } = await table.page(query, counts.read);
  return { total, rows: rows.map(toTableRow(draft)), counts };
}

/** Begins to make the workbook that takes a run back, as a draft that is then planned. */
function takeBack(desk: Desk, { run, file }: Run): Job {
  return desk.jobs.start('take-back', { title: file, run, inTurn: true }, async (job) => {
    const name = `${t('undo', 'terugdraaien')[desk.language]}-${withEnding(file, '.xlsx')}`;
    const draft = await desk.drafts.add(name, { origin: 'undo', of: run }, async (path) => {
      const { cannot } = await desk.inSession('try', (session) => undoIn(session, run, { out: path }), job);
      for (const { sheet, row, why } of cannot)
        job.onWait(composed([why], ({ en, nl }) => t(`${sheet} ${row}: ${en}`, `${sheet} ${row}: ${nl}`)));
    });
    job.tell({ draft: draft.id });
    makePlan(desk, draft);
  });
}

const NOTHING_LEFT = (): NotNow =>
  new NotNow(
    t('There is nothing left to send of this run.', 'Van deze run is er niets meer te versturen.'),
    t('Look at its rows for what became of them.', 'Kijk bij de rijen wat ervan geworden is.'),
  );
