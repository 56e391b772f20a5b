import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { exclusiveFor, type ImportEnd, importIn, SET_NEXT, toRequest } from '../../api/import-workbook.ts';
import { asStop, EXIT, type ExitCode, StopError, usageStop } from '../../core/errors.ts';
import { type Bilingual, t } from '../../core/language.ts';
import { folderStop, makeFolder } from '../../files/folders.ts';
import { moveTogether, wholeFiles } from '../../files/incoming-files.ts';
import { checkWritable, isSameFile } from '../../files/write-aside.ts';
import { movedPlan } from '../../import/earlier-runs.ts';
import { kebab } from '../../options/option.ts';
import type { Given } from '../../options/options.ts';
import type { Session } from '../../session/open-session.ts';
import { asking, inSession, readQuestions, showImport } from '../show.ts';
import type { View } from '../view/lines.ts';

/** `import FILE…`: read, map, plan, show, ask, apply, write the result; of several files one after the other. */
export async function importCommand(flags: Given<'import'>): Promise<ExitCode> {
  const { file: files, sheet, only, set, columns, doneTo, dryRun } = flags;
  const one = (['out', 'report'] as const).find((flag) => flags[flag] !== undefined);
  if (one !== undefined && (files.length > 1 || doneTo !== undefined)) throw forOneFile(one);
  if (doneTo !== undefined && dryRun)
    throw usageStop(
      t(
        '--done-to is for what is sent, and --dry-run sends nothing.',
        '--done-to is voor wat verstuurd wordt, en --dry-run verstuurt niets.',
      ),
      t('Leave one of them out.', 'Laat er een weg.'),
    );
  // Each file that has something to send would go to the failed ones for it.
  if (doneTo !== undefined && !flags.yes && (process.stdin.isTTY !== true || flags.json !== undefined))
    throw usageStop(
      t(
        '--done-to moves what is sent, and there is no terminal to ask on before.',
        '--done-to verplaatst wat verstuurd is, en er is geen terminal om dat vooraf te vragen.',
      ),
      t('Add --yes to send without a question.', 'Voeg --yes toe om zonder vraag te versturen.'),
    );
  return await inSession(flags, exclusiveFor(flags), async (session, view) => {
    const options = {
      ...flags,
      sheets: sheet,
      set: set.map(parseSet),
      columns: columns?.split(/[,;]/),
      onlyProblems: only === 'problems',
      rules: undefined,
      rulesFile: flags.rules,
      questions: readQuestions(flags, view, session),
    };
    const importOne = (file: string) => importIn(session, file, options, asking(flags, view, session));
    const [first] = files;
    if (first !== undefined && files.length === 1 && doneTo === undefined)
      return await showImport(view, await importOne(first), flags);
    // What is wrong with the flags is no fault of a file.
    toRequest(first ?? '', options, session);
    return await view.showSeveral(() => importFiles(session, files, view, { flags, doneTo, importOne }));
  });
}

const forOneFile = (flag: 'out' | 'report'): StopError =>
  usageStop(
    t(`--${kebab(flag)} names one file.`, `--${kebab(flag)} noemt één bestand.`),
    t(
      'Leave it out: each result goes beside its file, or along with --done-to.',
      'Laat het weg: elk resultaat komt naast zijn bestand, of gaat mee met --done-to.',
    ),
  );

/** A value of `--set` for all rows. Throws StopError for one without a field. */
function parseSet(text: string): { readonly field: string; readonly text: string } {
  const [, field, value = ''] = /^\s*([^=]+?)\s*=(.*)$/s.exec(text) ?? [];
  if (field !== undefined) return { field, text: value };
  throw usageStop(
    t(`--set ${text} is not of the form Field=value.`, `--set ${text} heeft niet de vorm Veld=waarde.`),
    SET_NEXT,
  );
}

/** The folder for files that are not done, in that for those that are. */
const FAILED = 'failed';

/** How each of several files is imported. */
interface Importing {
  readonly flags: Parameters<typeof showImport>[2];
  /** Where each file goes with its result; they stay where they are when absent. */
  readonly doneTo: string | undefined;
  /** Imports one file. */
  importOne(file: string): Promise<ImportEnd>;
}

/**
 * Imports files one after the other, and shows each. One that can't be read does not keep the next from its turn; a
 * service that is away, an interruption and a fault do, and the rest stays where it is for the next time. Resolves
 * to the highest exit code of all.
 */
async function importFiles(
  { context }: Session,
  files: readonly string[],
  view: View,
  { flags, doneTo, importOne }: Importing,
): Promise<ExitCode> {
  const { whole, unfinished } =
    doneTo === undefined ? { whole: files, unfinished: [] } : await toBeDone(context, files, doneTo);
  for (const file of unfinished) view.note(unfinishedText(file));
  if (whole.length === 0) view.note(NOTHING_THERE);
  let highest: ExitCode = EXIT.ok;
  for (const [at, file] of whole.entries()) {
    const [number, count] = [at + 1, whole.length];
    view.note(t(`${file} (${number} of ${count})`, `${file} (${number} van ${count})`));
    let place: string | undefined;
    try {
      const before = context.service.stats.requests;
      const end = await importOne(file);
      const { stopped, declined, plan, result, resultError } = end.result;
      // Without its result nobody would see there what became of it: the next time makes that.
      const isOver = stopped === null && !declined && resultError === null && doneTo !== undefined;
      const made = result === null ? [] : [result];
      const places = isOver ? await moved([file, ...made], end.exit, doneTo) : [file, ...made];
      if (isOver) place = places[0] ?? file;
      if (place !== undefined) await movedPlan(context.ledger, plan.run, place);
      const own = {
        requests: end.result.requests - before,
        ...(result !== null && { result: places[1] ?? result }),
      };
      const shown = { ...end, result: { ...end.result, ...own } as ImportEnd['result'] };
      const exit = await showImport(view, place === undefined ? shown : { ...shown, moved: place }, flags);
      if (stopped !== null) return exit;
      highest = exit > highest ? exit : highest;
    } catch (error) {
      const stop = asStop(error);
      // What is wrong with the service or this machine is no fault of the file.
      if (stop.exit !== EXIT.file && stop.exit !== EXIT.usage) throw stop;
      // Nor is what the command or its settings lack: then it stays, for the next time.
      const isAside = doneTo !== undefined && stop.exit === EXIT.file;
      // One that is gone, or stays, is told all the same.
      [place] = isAside ? await moved([file], stop.exit, doneTo).catch(() => []) : [];
      view.stop(stop, null, { file, moved: place });
      highest = stop.exit > highest ? stop.exit : highest;
    }
    if (place !== undefined) view.note(t(`It is ${place} now.`, `Het is nu ${place}.`));
  }
  return highest;
}

async function toBeDone({ time, signal }: Session['context'], files: readonly string[], doneTo: string) {
  try {
    makeFolder(join(doneTo, FAILED), [], 0o777);
  } catch (cause) {
    throw folderStop(doneTo, '--done-to', cause);
  }
  checkWritable(join(doneTo, FAILED, 'a.xlsx'));
  for (const file of files) {
    const isFolder = (await stat(file).catch(() => undefined))?.isDirectory() === true;
    if (isSameFile(isFolder ? file : dirname(file), doneTo)) throw fromThere(doneTo);
  }
  return await wholeFiles(files, time, signal);
}

/** Moves a file with what was made of it. Throws StopError where the folder can't take it. */
async function moved(files: readonly string[], exit: ExitCode, doneTo: string): Promise<readonly string[]> {
  const folder = exit === EXIT.ok ? doneTo : join(doneTo, FAILED);
  try {
    return await moveTogether(files, folder);
  } catch (cause) {
    throw notMoved(files[0] ?? '', folder, cause);
  }
}

const NOTHING_THERE = t('There is no file to import.', 'Er is geen bestand om te importeren.');

const unfinishedText = (file: string): Bilingual =>
  t(
    `${file} is still being written: it is left for the next time.`,
    `${file} wordt nog geschreven: het blijft liggen voor de volgende keer.`,
  );

const fromThere = (folder: string): StopError =>
  usageStop(
    t(
      `The files of ${folder} would be moved to ${folder}.`,
      `De bestanden van ${folder} zouden naar ${folder} gaan.`,
    ),
    t('Name another folder with --done-to.', 'Noem een andere map met --done-to.'),
  );

const codeOf = (cause: unknown): string => (cause as NodeJS.ErrnoException).code ?? 'EIO';

const notMoved = (file: string, folder: string, cause: unknown): StopError =>
  new StopError(
    EXIT.fault,
    t(
      `${file} was imported and can’t be moved to ${folder} (${codeOf(cause)}).`,
      `${file} is geïmporteerd en kan niet naar ${folder} (${codeOf(cause)}).`,
    ),
    {
      cause,
      next: t(
        'Move it yourself, or mend that and import it again: what was sent comes out unchanged.',
        'Verplaats het zelf, of verhelp dat en importeer het opnieuw: wat verstuurd is, blijkt dan ongewijzigd.',
      ),
    },
  );
