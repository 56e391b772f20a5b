import { copyFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { toRequest } from '../../api/import-workbook.ts';
import { t } from '../../core/language.ts';
import { planFile } from '../../import/import.ts';
import type { Corrected } from '../../import/keep-corrected.ts';
import type { Job, Run } from '../contract/answers.ts';
import { NotNow, refuseBusy, SENT_ALREADY } from './answering.ts';
import type { Desk } from './desk.ts';
import { type Draft, readingOptions } from './row-checks.ts';
import { correctedIn, draftOf, lookAt, refuseElsewhere, refuseTheirs, runView } from './run-view.ts';

/** A run that nothing works on. Throws StopError. */
export async function freeRun(desk: Desk, run: string): Promise<Run> {
  const of = await runView(desk, run);
  refuseBusy(desk.jobs.underWay({ run }));
  refuseTheirs(of);
  return of;
}

/** Changes a file on its way that is not worked on. Throws StopError. */
export async function changing<T>(
  desk: Desk,
  run: string,
  work: (draft: Draft, of: Run) => T | Promise<T>,
): Promise<T> {
  return await desk.inTurn(run, async () => {
    const of = await freeRun(desk, run);
    const draft = await draftOf(desk, of);
    if (draft === undefined) throw SENT_ALREADY();
    return await work(draft, of);
  });
}

/** Plans the file of a run as one of its own, for what is left. Throws NotNow where it was taken back. */
export async function planRest(desk: Desk, run: string): Promise<Job> {
  const of = await freeRun(desk, run);
  refuseElsewhere(of);
  // What was taken back would be made once more with the rows that are left.
  if (of.takenBack !== undefined)
    throw new NotNow(
      t('This run was taken back.', 'Deze run is teruggedraaid.'),
      t(
        'To send the file once more, all rows that were taken back too, bring it anew on the first page.',
        'Om het bestand nog eens te versturen, ook alle teruggedraaide rijen, breng je het opnieuw op de eerste pagina.',
      ),
    );
  const source = of.source ?? '';
  const path = desk.files.pathOf(source);
  const copied = await desk.files.add(
    basename(path),
    (to) => copyFile(path, to),
    desk.files.readingOf(source),
  );
  return makePlan(desk, copied, await correctedIn(desk, of.run));
}

/** Begins to plan a file with what was corrected in it, in the place of the plan that has this, if any. */
export function makePlan(
  desk: Desk,
  source: string,
  { run: of, corrections, decisions }: Partial<Corrected & Pick<Run, 'run'>> = {},
): Job {
  const path = desk.files.pathOf(source);
  refuseBusy(desk.jobs.underWay({ source }));
  const about = { title: basename(path), source, run: of ?? null, inTurn: true };
  return desk.jobs.start('plan', about, async (job) => {
    const run = await desk.users.during(async () => {
      const reading = readingOptions(desk.files.readingOf(source));
      const options = { ...reading, corrections, decisions, memory: desk.checks.rowsFor(source) };
      const plan = await desk.inSession(
        'try',
        (session) => planFile(session.context, toRequest(path, options, session)),
        job,
      );
      if (of !== undefined) await (await desk.ledger()).removeRuns([of]);
      job.tell({ run: plan.run });
      return plan.run;
    });
    desk.news.changed();
    // Whatever fails is told who asks for it.
    void desk.users.during(() => makeReady(desk, run)).catch(() => {});
  });
}

/** Makes the table of a plan, and the checks of its rows where there is something to correct. */
async function makeReady(desk: Desk, run: string): Promise<void> {
  const { draft, all } = await lookAt(desk, run);
  const first = (await all.entries()).find(({ status }) => status === 'invalid');
  if (first === undefined || draft === undefined) return;
  // Lists that its cells are chosen from are read, and its connection is open.
  await (await desk.checks.open(draft)).check(draft, [first]);
}
