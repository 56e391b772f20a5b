import { copyFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { toRequest } from '../../api/import-workbook.ts';
import { readSheetsIn } from '../../api/read-sheets.ts';
import { isUnsent } from '../../api/runs.ts';
import { undoIn } from '../../api/undo-run.ts';
import { EXIT, StopError } from '../../core/errors.ts';
import { t } from '../../core/language.ts';
import { withEnding } from '../../files/file-name.ts';
import { planFile } from '../../import/import.ts';
import { type Corrected, keepCorrected } from '../../import/plan/saved-plan.ts';
import type { Job, Run, Sheets } from '../contract/answers.ts';
import type { ChosenReading } from '../contract/asked.ts';
import { type Answering, NotNow, refuseBusy } from './answering.ts';
import { receiveFile } from './brought-files.ts';
import type { Desk } from './desk.ts';
import { readingOptions } from './row-checks.ts';
import { changing, correctedIn, lookAt, newestOf, ownRun, refuseElsewhere, runView } from './run-view.ts';

type FileRoutes = 'addFile' | 'sheets' | 'chooseReading' | 'makePlan' | 'planRest' | 'takeBack';

/** Files that are brought: how they are read, and their plans. */
export function fileRoutes(desk: Desk): Answering<FileRoutes> {
  const { files } = desk;
  return {
    addFile: async ({ name }, context) => {
      const source = await files.add(name, (path) => receiveFile(context.req.raw.body, path));
      try {
        // What can't be read, or holds nothing, is of no use here: nobody is asked to go on with it.
        const { sheets, exact } = await sheetsOf(desk, source);
        if (sheets.every(({ top }) => top.length === 0))
          throw new StopError(
            EXIT.file,
            t('Nothing stands in this file.', 'Er staat niets in dit bestand.'),
            {
              next: t('Choose the workbook or CSV itself.', 'Kies de werkmap of CSV zelf.'),
            },
          );
        return { source, exact };
      } catch (error) {
        files.drop(source);
        throw error;
      }
    },
    sheets: async ({ file }) => await sheetsOf(desk, file),
    chooseReading: async ({ file, reading }) => {
      refuseBusy(desk.jobs.underWay({ source: file }));
      // What can't be read so is refused before it is kept.
      const sheets = await sheetsOf(desk, file, reading);
      files.keepReading(file, reading);
      desk.checks.drop(file);
      // What was planned was read otherwise: it is planned anew before anything of it is sent.
      const of = await newestOf(desk, file);
      if (of === undefined || !isUnsent(of)) return sheets;
      await changing(desk, of.run, async (draft) => keepCorrected(await desk.ledger(), of.run, draft));
      return { ...sheets, planned: false };
    },
    makePlan: async ({ file, createUnnamed }) => {
      if (createUnnamed !== undefined) files.keepReading(file, { ...files.readingOf(file), createUnnamed });
      const of = await newestOf(desk, file);
      if (of === undefined || !isUnsent(of)) return { job: makePlan(desk, file) };
      // What takes a run back means nothing to another service.
      const undoes = (await desk.planOf(of.run))?.lineage?.undoes;
      if (undoes != null) refuseElsewhere(await runView(desk, undoes));
      return { job: await changing(desk, of.run, (draft) => makePlan(desk, file, draft)) };
    },
    planRest: async ({ run }) => ({ job: await planRest(desk, run) }),
    takeBack: async ({ run }) => ({ job: await takeBack(desk, run) }),
  };
}

/** What a file's sheets are taken for, as the user chose so far. */
async function sheetsOf(desk: Desk, source: string, reading?: ChosenReading): Promise<Sheets> {
  const path = desk.files.pathOf(source);
  const chosen = reading ?? desk.files.readingOf(source);
  const sheets = await desk.inSession(undefined, (session) =>
    readSheetsIn(session, path, readingOptions(chosen)),
  );
  // A sheet for another command is to be seen: nothing of it is sent from here.
  const exact = sheets.exact && sheets.sheets.every(({ serves }) => serves === null);
  const planned = ((await newestOf(desk, source))?.state ?? 'planning') !== 'planning';
  return { ...sheets, file: basename(path), exact, planned, chosen };
}

/** Plans the file of a run as one of its own, for what is left. Throws NotNow where it was taken back. */
async function planRest(desk: Desk, run: string): Promise<Job> {
  const of = await ownRun(desk, run);
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
function makePlan(
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
    // Its table is made by the time that somebody filters it; whatever fails is told who asks for it.
    void desk.users.during(async () => (await lookAt(desk, run)).all.entries()).catch(() => {});
  });
}

/** Begins to make the workbook that takes a run back, as a file that is then planned. */
async function takeBack(desk: Desk, run: string): Promise<Job> {
  const { file } = await ownRun(desk, run);
  return desk.jobs.start('take-back', { title: file, run, inTurn: true }, async (job) => {
    const name = `${t('undo', 'terugdraaien')[desk.language]}-${withEnding(file, '.xlsx')}`;
    const source = await desk.files.add(name, (out) =>
      desk.inSession('try', (session) => undoIn(session, run, { out }), job),
    );
    // Before this one is about it too: nothing else works on it.
    makePlan(desk, source);
    job.tell({ source });
  });
}
