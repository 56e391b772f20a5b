import { t } from '../../core/language.ts';
import { type Answering, NotFound, NotNow } from './answering.ts';
import { correct, recordHistory, rowDetail } from './corrections.ts';
import type { Desk } from './desk.ts';
import {
  changing,
  deletesLeft,
  draftOf,
  lookAt,
  newestOf,
  ownRun,
  planView,
  refuseDeletes,
  refuseElsewhere,
  runView,
  SENT,
  sentRuns,
} from './run-view.ts';
import { fileResponse, madeResult, sendRun } from './send-run.ts';

type RunRoutes =
  | ('listRuns' | 'run' | 'rows' | 'row' | 'history' | 'next')
  | ('correct' | 'suggest' | 'dropRun')
  | ('send' | 'settle' | 'result' | 'report');

/** Plans and runs, also of the command line: looked at, corrected, sent, settled and taken back. */
export function runRoutes(desk: Desk): Answering<RunRoutes> {
  return {
    listRuns: async ({ limit }) => ({
      runs: await sentRuns(desk, limit),
      total: await (await desk.ledger()).countRuns(SENT),
    }),
    run: async (asked) => {
      const name = 'run' in asked ? asked.run : (await newestOf(desk, asked.file))?.run;
      if (name === undefined) throw new NotFound(t('plan', 'plan'));
      const run = await runView(desk, name);
      const undo = run.takenBack === undefined ? null : await runView(desk, run.takenBack);
      return { run, undo, plan: await planView(desk, run), deletes: await deletesLeft(desk, run) };
    },
    rows: async ({ run, offset, limit, ...wish }) => {
      const { of, all } = await lookAt(desk, run);
      const counts = of.stale || of.counts === null ? await all.counts() : of.counts;
      return { ...(await all.page(wish, { offset, limit }, counts.read)), counts };
    },
    row: async (asked) => await rowDetail(desk, asked),
    history: async (asked) => await recordHistory(desk, asked),
    next: async ({ run, from, back, ...wish }) => ({
      at: await (await lookAt(desk, run)).all.next(wish, { from, back }),
    }),
    correct: async (asked) =>
      await changing(desk, asked.run, async (draft, of) => {
        // Its rows are checked with the service that it was planned for.
        refuseElsewhere(of);
        const answer = await correct(desk, draft, asked);
        desk.news.changed();
        return answer;
      }),
    suggest: async ({ run, sheet, column }) => {
      const draft = await draftOf(desk, await runView(desk, run));
      if (draft === undefined) throw new NotFound(t('plan', 'plan'));
      const checks = await desk.checks.open(draft);
      return { entries: await checks.choices(sheet, column, desk.language) };
    },
    dropRun: async (asked) => {
      await changing(desk, asked.run, async ({ run, source }) => {
        await (await desk.ledger()).removeRuns([run]);
        desk.checks.drop(source);
        desk.files.drop(source);
      });
      desk.news.changed();
      return { ok: true };
    },
    send: async ({ run, deletes }) =>
      await desk.inTurn(run, async () => {
        const of = await ownRun(desk, run);
        if (of.stale)
          throw new NotNow(
            t('The plan was changed since it was shown.', 'Het plan is gewijzigd sinds het getoond werd.'),
            t('Look at it once more before you send it.', 'Bekijk het nog eens voordat je het verstuurt.'),
          );
        if (!of.open && (of.source === null || of.state !== 'planned'))
          throw new NotNow(
            t('There is nothing left to send of this run.', 'Van deze run is er niets meer te versturen.'),
            t('Look at its rows for what became of them.', 'Kijk bij de rijen wat ervan geworden is.'),
          );
        refuseDeletes(await deletesLeft(desk, of), deletes);
        return { job: sendRun(desk, of) };
      }),
    settle: async ({ run, rows, as }) => {
      const named = rows.map(({ sheet, row }) => `${sheet}!${row}`);
      return { job: sendRun(desk, await ownRun(desk, run), { [as]: named }) };
    },
    result: async ({ run, problems }) =>
      await fileResponse(...(await madeResult(desk, run, problems ? 'problems' : 'result'))),
    report: async ({ run }) => await fileResponse(...(await madeResult(desk, run, 'report'))),
  };
}
