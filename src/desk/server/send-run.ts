import { open, rm, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { Readable } from 'node:stream';
import { applyIn } from '../../api/import-workbook.ts';
import { onPage, t } from '../../core/language.ts';
import { resultPath, withEnding } from '../../files/file-name.ts';
import { isDatabase } from '../../ledger/database-address.ts';
import type { Job, Run } from '../contract/answers.ts';
import { NotFound, NotNow } from './answering.ts';
import type { Desk } from './desk.ts';
import { refuseElsewhere, runView } from './run-view.ts';

/**
 * Begins to send a run, or goes on with it: as `catersheet apply` does. `settling`: rows in doubt that are sent again,
 * or that the user found on the service: `Sheet!12`.
 */
export function sendRun(
  desk: Desk,
  of: Run,
  settling?: Readonly<Partial<Record<'resend' | 'done', readonly string[]>>>,
): Job {
  const { run, source, file: title } = of;
  const about = { title, source, run, inTurn: true };
  return desk.jobs.start(settling === undefined ? 'send' : 'settle', about, async (job) => {
    const out = pathOf(desk, of);
    let isBegun = false;
    const onProgress: typeof job.onProgress = (told) => {
      job.onProgress(told);
      // Until something is sent the ledger has the run as planned.
      if (told.stage === 'sending' && !isBegun) desk.news.changed();
      isBegun ||= told.stage === 'sending';
    };
    try {
      const end = await desk.inSession(
        'wait',
        (session) => applyIn(session, run, { out, ...settling }, { tell: job.onWait, form: onPage }),
        { ...job, onProgress },
      );
      const { notes = [], stopped, resultError } = end?.result ?? {};
      for (const note of notes) job.onWait(note);
      // Whoever ends the run, its result is made then.
      if (stopped != null) await rm(out, { force: true });
      const problem = stopped ?? resultError;
      if (problem != null) throw problem;
    } finally {
      desk.news.changed();
    }
  });
}

/** What stands before the ending of a result that shows the rows with problems alone: it is a workbook. */
const PROBLEMS = '.problems';

/** Where a run's result goes: with the run in front, so that none is taken for another. */
function pathOf(desk: Desk, { run, file }: Run, ending = '.result'): string {
  const usual = resultPath(file, ending === PROBLEMS);
  const name = withEnding(basename(file), `${ending}${extname(usual)}`);
  return join(desk.madeFolder, `${run}-${name}`);
}

/** What of a run is asked for: its result, that with its problems alone, or its report. */
type Asked = 'result' | 'problems' | 'report';

/**
 * The result of a finished run or of a plan, or its report: the one that is there, else it is written now.
 * Answers its path and name. Throws NotNow for a run that is not finished.
 */
export async function madeResult(
  desk: Desk,
  run: string,
  asked: Asked,
): Promise<[path: string, name: string]> {
  // One after the other: while one is made, its run looks unfinished.
  const path = await desk.inTurn(`result of ${run}`, () => makeResult(desk, run, asked));
  return [path, basename(path).replace(`${run}-`, '')];
}

async function makeResult(desk: Desk, run: string, asked: Asked): Promise<string> {
  const of = await runView(desk, run);
  // Of a plan what would become of its rows, under names of its own: the result comes once it is sent.
  const dryRun = of.state === 'planned';
  const wanted = pathOf(desk, of, asked === 'problems' ? PROBLEMS : dryRun ? '.plan' : '.result');
  if (asked === 'result' && !dryRun && (await stat(wanted).catch(() => null)) !== null) return wanted;
  refuseElsewhere(of);
  if (!of.result)
    throw new NotNow(
      t('This run has no result yet.', 'Deze run heeft nog geen resultaat.'),
      t('Go on with it first.', 'Ga er eerst mee verder.'),
    );
  const report = withEnding(wanted, '.html');
  // Where workers send, a result needs no turn: it may be theirs for long.
  const queue = !dryRun && isDatabase(desk.settings().ledger);
  const end = await desk.inSession(dryRun ? 'try' : queue ? undefined : 'wait', async (session) => {
    // A report comes with a workbook that is another one than the result.
    const out = asked === 'report' ? withEnding(wanted, `.report${extname(wanted)}`) : wanted;
    const wishes = { out, onlyProblems: asked === 'problems', dryRun, queue };
    const options = { ...wishes, ...(asked === 'report' && { report }) };
    return await applyIn(session, run, options, { tell: () => {}, form: onPage, joins: true });
  });
  if (asked === 'report') return report;
  if (end?.result.result == null) throw end?.result.resultError ?? new NotNow(NO_FILE, SEE_ROWS);
  return wanted;
}

const NO_FILE = t(
  'The file of this run is gone or was changed, so there is no result of it.',
  'Het bestand van deze run is weg of gewijzigd, dus er is geen resultaat van.',
);
const SEE_ROWS = t(
  'The list of its rows and the report tell what became of each.',
  'In de lijst van rijen en in het verslag staat wat er van elke rij geworden is.',
);

/** A file to be saved under a name. Throws NotFound. */
export async function fileResponse(path: string, name: string): Promise<Response> {
  // One that takes its place meanwhile has another size.
  const file = await open(path).catch(() => null);
  const found = await file?.stat();
  if (file === null || found?.isFile() !== true) {
    await file?.close();
    throw new NotFound(t('file', 'bestand'));
  }
  return new Response(Readable.toWeb(file.createReadStream()) as ReadableStream, {
    headers: {
      'content-type': 'application/octet-stream',
      'content-length': String(found.size),
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
    },
  });
}
