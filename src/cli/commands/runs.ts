import type { ChangeDocument, PruneDocument } from '../../api/documents.ts';
import { applyIn, exclusiveFor, isHandedOver } from '../../api/import-workbook.ts';
import { withOldRuns } from '../../api/prune-runs.ts';
import { readRecord } from '../../api/read-record.ts';
import { type OpenRuns, runDocument, withRuns } from '../../api/runs.ts';
import { undoIn } from '../../api/undo-run.ts';
import { withdrawRun } from '../../api/withdraw-run.ts';
import { COUNT_WORDS } from '../../core/counts.ts';
import { EXIT, type ExitCode, usageStop } from '../../core/errors.ts';
import { shorten } from '../../core/issue.ts';
import { type Bilingual, type Language, t } from '../../core/language.ts';
import { amountText } from '../../core/row-text.ts';
import { shownDay, shownMinute } from '../../core/shown-moment.ts';
import type { Line } from '../../core/standard-streams.ts';
import type { Value } from '../../core/value.ts';
import { undoDocument } from '../../export/undo-run.ts';
import { type Given, programOptions } from '../../options/options.ts';
import { agreed, asking, inSession, inView, showImport } from '../show.ts';
import { comesToLines, isMoney, rowText } from '../view/import-lines.ts';
import { showWithRows } from '../view/json.ts';
import { DECLINED, show, type View } from '../view/lines.ts';
import { listSteps, runSteps, stepLines } from '../view/next-steps.ts';
import { runText, undoText } from '../view/summaries.ts';

type RunsFlags = Given<'runs'>;

/** What stands in the place of a run's name to remove the rows of old ones. */
const PRUNE = 'prune';

/**
 * `runs`: what the ledger remembers of earlier runs; takes one back from workers, or removes the rows of old
 * ones. It needs no service.
 */
export async function runsCommand(flags: RunsFlags): Promise<ExitCode> {
  const { run, record, withdraw, yes, dryRun, olderThan } = flags;
  return await inView(flags, async (view) => {
    if (record !== undefined && run !== undefined) throw ONE_OF_TWO();
    if (record !== undefined) return await showRecord(record, view, flags);
    if (run === PRUNE && !withdraw) return await prune(flags, view);
    if (yes || dryRun || olderThan !== undefined)
      throw usageStop(
        t(
          '--older-than, --dry-run and --yes belong to catersheet runs prune.',
          '--older-than, --dry-run en --yes horen bij catersheet runs prune.',
        ),
        t('Leave them out to see runs.', 'Laat ze weg om runs te zien.'),
      );
    if (withdraw && run === undefined)
      throw usageStop(
        t('--withdraw takes back one run.', '--withdraw haalt één run terug.'),
        t('Name the run. catersheet runs lists them.', 'Noem de run. catersheet runs laat ze zien.'),
      );
    if (withdraw && run !== undefined) {
      await withdrawRun(run, { ...programOptions(flags), onWait: view.note });
      view.note(t('Workers send nothing more of this run.', 'Workers versturen niets meer van deze run.'));
    }
    await withRuns(programOptions(flags), (runs) =>
      run === undefined ? showList(runs, view, flags) : showRun(runs, run, view, flags),
    );
    return EXIT.ok;
  });
}

const ONE_OF_TWO = () =>
  usageStop(
    t('--record shows one record, not a run.', '--record toont één record, geen run.'),
    t('Leave one of the two out.', 'Laat een van de twee weg.'),
  );

async function showList({ list }: OpenRuns, view: View, flags: RunsFlags): Promise<void> {
  const { language } = view;
  const runs = await list();
  const lines = runs.flatMap((one) => runText(one, language));
  view.show({ runs: runs.map(runDocument) }, lines);
  // What a program reads from stdout stays the runs alone.
  if (flags.json === undefined)
    show(
      'stderr',
      runs.length === 0
        ? [t('There are no runs yet.', 'Er zijn nog geen runs.')[language]]
        : stepLines(listSteps(runs, flags), language),
    );
}

async function showRun({ open }: OpenRuns, run: string, { language }: View, flags: RunsFlags): Promise<void> {
  const { record, dryRun, rows, documents } = await open(run);
  if (flags.json !== undefined) return await showWithRows<'run'>(runDocument(record), documents);
  show('stdout', [...runText(record, language), ...comesToLines(record, language)]);
  for await (const row of rows) show('stdout', [rowText(row, dryRun, language)]);
  if (record.prunedAt !== null)
    show('stderr', [
      t(
        'Of its rows only those are kept that later imports ask for.',
        'Van de rijen zijn alleen die bewaard waar latere imports naar vragen.',
      )[language],
    ]);
  show('stderr', stepLines(runSteps(record, flags), language));
}

/** `runs --record`: who changed a record from here, when, and what others did between. */
async function showRecord(record: string, view: View, flags: RunsFlags): Promise<ExitCode> {
  const { language } = view;
  const found = await readRecord(record, programOptions(flags));
  const [kind = ''] = found.record.split(':');
  const said = (changes: readonly ChangeDocument[]): string =>
    changes
      .map(({ field, from, to, fromName, toName }) => {
        const shown = (value: Value, name?: string): string =>
          shorten(name ?? amountText(value, isMoney(kind, field), language));
        return `${field} ${shown(from, fromName)} → ${shown(to, toName)}`;
      })
      .join(', ');
  const lines = found.changes.flatMap(({ run, file, at, user, status, changes, elsewhere = [] }): Line[] => [
    '',
    [
      'bold',
      [shownMinute(at)[language], user, COUNT_WORDS[status].done[language]].filter(Boolean).join(' · '),
    ],
    ...(changes.length === 0 ? [] : [`  ${said(changes)}`]),
    ...(elsewhere.length === 0 ? [] : [`  ${BEFORE[language]}: ${said(elsewhere)}`]),
    `  ${run} · ${file}`,
  ]);
  view.show(found, [[found.record, found.label].filter(Boolean).join(' '), ...lines]);
  if (flags.json === undefined) show('stderr', ['', ONLY_HERE[language]]);
  return EXIT.ok;
}

const BEFORE = t('before that changed elsewhere', 'daarvoor elders gewijzigd');
const ONLY_HERE = t(
  'This is what was sent from here, by this ledger. What was changed in the service itself it knows only where a later plan read it.',
  'Dit is wat van hier verstuurd is, met dit register. Wat in het systeem zelf gewijzigd is, weet het alleen waar een later plan het las.',
);

/** `runs prune`: shows what is old, asks, and removes it. */
async function prune(flags: RunsFlags, view: View): Promise<ExitCode> {
  const { yes, dryRun, olderThan } = flags;
  const options = { ...programOptions(flags), olderThan, onWait: view.note };
  return await withOldRuns(options, async ({ document, prune: remove }) => {
    const isNothing = document.runs.length + document.plans.length === 0;
    const told = (of: PruneDocument): void =>
      view.show(of, isNothing ? [NOTHING[view.language]] : pruneLines(of, view.language));
    if (dryRun || (isNothing && !yes)) told(document);
    else {
      if (!yes) show('stderr', pruneLines(document, view.language));
      if (await agreed(flags, view, t('Remove them? [y/N] ', 'Opruimen? [j/N] ')))
        told(
          await remove((done, total) =>
            view.progress({ stage: 'reading', of: t('old runs', 'oude runs'), done, total }),
          ),
        );
      else view.note(t('Nothing was removed.', 'Er is niets opgeruimd.'));
    }
    return EXIT.ok;
  });
}

const NOTHING = t('There is nothing to remove.', 'Er is niets op te ruimen.');

/** What was removed of old runs, or would be. */
function pruneLines(document: PruneDocument, language: Language): string[] {
  const { before, runs, plans, open, dryRun } = document;
  const sum = (what: 'removed' | 'kept'): number => runs.reduce((all, one) => all + one[what], 0);
  const day = shownDay(before);
  const lines = [
    t(
      `${dryRun ? 'To remove' : 'Removed'}: rows: ${sum('removed')}, of runs from before ${day.en}: ${runs.length}; plans that were never sent: ${plans.length}. Rows that stay, as later imports ask for them: ${sum('kept')}.`,
      `${dryRun ? 'Op te ruimen' : 'Opgeruimd'}: rijen: ${sum('removed')}, van runs van vóór ${day.nl}: ${runs.length}; plannen die nooit verstuurd zijn: ${plans.length}. Rijen die blijven, omdat latere imports ernaar vragen: ${sum('kept')}.`,
    ),
    t(
      'The runs stay listed with their counts, and what they created and posted stays known: nothing goes twice. They can’t be taken back any more.',
      'De runs blijven in de lijst staan, met hun aantallen, en wat ze aanmaakten en boekten blijft bekend: er gaat niets twee keer. Ze zijn niet meer terug te draaien.',
    ),
  ];
  if (open.length > 0)
    lines.push(
      t(
        `These stay, as they can go on or have rows of which nobody knows what became: ${open.join(', ')}`,
        `Deze blijven, want ze kunnen verder of hebben rijen waarvan niemand weet wat ervan kwam: ${open.join(', ')}`,
      ),
    );
  return lines.map((line) => line[language]);
}

/** `apply RUN`: sends a planned run exactly as shown, or continues an interrupted one. */
export async function applyCommand(flags: Given<'apply'>): Promise<ExitCode> {
  return await inSession(flags, exclusiveFor({ queue: flags.queue }), async (session, view) => {
    const options = { ...flags, onlyProblems: flags.only === 'problems' };
    const confirm = asking(flags, view, session);
    const end = await applyIn(session, flags.run, options, { confirm, tell: view.note });
    if (end !== null) return await showImport(view, end, flags);
    view.note((await isHandedOver(session, flags)) ? stillTheirs(flags.run) : DECLINED);
    return EXIT.ok;
  });
}

/** A No to a run that was handed over before. */
const stillTheirs = (run: string): Bilingual =>
  t(
    `Run ${run} was handed over before, and stays with the workers, who send it.`,
    `Run ${run} is al eerder overgegeven, en blijft bij de workers, die hem versturen.`,
  );

/** `undo RUN`: a workbook that takes a run back, to be looked at and imported like any other. */
export async function undoCommand(flags: Given<'undo'>): Promise<ExitCode> {
  return await inSession(flags, 'try', async (session, view) => {
    const written = await undoIn(session, flags.run, flags);
    view.show(undoDocument(written, view.language), undoText(written, view.language, flags));
    return EXIT.ok;
  });
}
