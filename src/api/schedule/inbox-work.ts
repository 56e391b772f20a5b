import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { asStop } from '../../core/as-stop.ts';
import { countsText, shownTotal } from '../../core/counts.ts';
import { EXIT, type ExitCode, StopError } from '../../core/errors.ts';
import { type Bilingual, t } from '../../core/language.ts';
import { movedPlan } from '../../import/plan/saved-plan.ts';
import {
  type ClaimedFile,
  claimFile,
  leftClaims,
  placeClaim,
  updateClaim,
} from '../../queue/schedule/claimed-file.ts';
import { type End, type InboxPlace, inboxPlaces, wholeFiles } from '../../queue/schedule/inbox.ts';
import { resources } from '../../resources/registry.ts';
import { type Session, withSession } from '../../session/open-session.ts';
import type { InboxEntry } from '../../session/schedule.ts';
import type { Settings } from '../../session/settings.ts';
import { applyIn, type ImportEnd, importIn } from '../import-workbook.ts';
import { type EntryEnd, type EntryJob, joinedTexts } from './entry-job.ts';
import { inTemporary, sendReport } from './send-report.ts';

type InboxJob = EntryJob<InboxEntry>;

/** How long a file must stay as it is, where nothing else is said, s. */
const SETTLE = 5;
/** A file that so many programs died of is no more tried. */
const MOST_DEATHS = 5;

/** A file that waited so often no longer holds the others up: it may be its own fault. */
const PATIENCE = 10;

/** What came of one file; `left`: it is gone on with when the inbox is looked into again. */
interface FileEnd {
  readonly exit: ExitCode;
  readonly text: Bilingual;
  readonly left: boolean;
  /** What comes after it waits too: it may build on it. */
  readonly holdsUp?: boolean;
}

/** Who may go on with files of an inbox: another ledger does not know what was sent. */
const ownerOf = ({ ledger, baseUrl, sandboxData }: Settings): string =>
  createHash('sha256')
    .update(JSON.stringify([ledger, baseUrl ?? sandboxData]))
    .digest('hex')
    .slice(0, 32);

/** The kinds by what a folder may be called: `packages`, or `pakketten` as its sheet. */
const KINDS: ReadonlyMap<string, string> = new Map(
  resources.flatMap(({ name, sheet }) => [[name, name] as const, [sheet.toLowerCase(), name] as const]),
);

/**
 * Looks into an inbox that is due: goes on with what was left there, then takes each file that is whole.
 * Throws StopError for a folder or settings that can't be used; a file that can't is among the problems.
 */
export async function doInbox(job: InboxJob): Promise<EntryEnd> {
  const { entry, options, settings } = job;
  const places = await inboxPlaces(entry.inbox, { as: entry.as, kinds: entry.byKind ? KINDS : new Map() });
  const ends: FileEnd[] = [];
  const goesOn = (): boolean => !options.signal.aborted && ends.at(-1)?.holdsUp !== true;
  const owner = ownerOf(settings);
  let others = 0;
  for (const place of places) {
    const left = await leftClaims(place.folder, owner);
    others += left.others;
    for (const claim of left.ours) if (goesOn()) ends.push(await handle(job, place, claim));
    if (!goesOn()) break;
    for (const name of await wholeFiles(place, entry.settle ?? SETTLE, options.signal)) {
      if (!goesOn()) break;
      const claim = await claimFile(place.folder, name, owner);
      if (claim !== undefined) ends.push(await handle(job, place, claim));
    }
  }
  const exit = ends.map((end) => end.exit).find((code) => code !== EXIT.ok) ?? EXIT.ok;
  const texts = ends.map(({ text }) => text);
  const notes = others === 0 ? [] : [othersText(others)];
  return { exit, text: joinedTexts([...texts, ...notes]), did: ends.length > 0 };
}

const othersText = (count: number): Bilingual =>
  t(
    `${count} files are with a scheduler of another service or ledger.`,
    `${count} bestanden zijn bij een planner van een ander systeem of register.`,
  );

/** Does one file: plans it, sends it where the entry says so, and puts it where it belongs. */
async function handle(job: InboxJob, place: InboxPlace, found: ClaimedFile): Promise<FileEnd> {
  job.tell(t(`${found.name}: taken from ${place.folder}.`, `${found.name}: uit ${place.folder} gehaald.`));
  // It was on its way to its place.
  if (found.ending !== null) {
    const { end, exit } = found.ending;
    return await ended(job, found, { end, exit: exit as ExitCode, text: WAS_DONE });
  }
  const at: Held = { claim: await updateClaim(found, { tries: found.tries + 1 }) };
  if (at.claim.tries > MOST_DEATHS) return await problem(job, at.claim, DIED);
  const leave = async (stop: StopError): Promise<FileEnd> => {
    const isCut = stop.exit === EXIT.interrupted;
    const waits = found.waits + (isCut ? 0 : 1);
    at.claim = await updateClaim(at.claim, { tries: found.tries, waits });
    const text = leftText(found.name, stop);
    // Each minute anew it would be no news.
    if (waits === 1 && !isCut) await sendReport(job, { exit: stop.exit, state: text, lines: nextOf(stop) });
    return { exit: stop.exit, text, left: true, holdsUp: isCut || waits <= PATIENCE };
  };
  try {
    return await inTemporary(async (folder) => {
      const page = join(folder, 'report.html');
      const wanted = job.entry.send === true ? 'wait' : 'try';
      return await withSession(job.options, wanted, async (session) => {
        const end = await orStop(() => importClaim(session, job, { at, place, page }));
        // Whatever it came to here: the file is another program's, that is at it now.
        if (!(await job.isOurs())) return lostEnd();
        const stop = end instanceof StopError ? end : end.result.stopped;
        if (stop !== null && isForLater(job, stop)) return await leave(stop);
        if (end instanceof StopError) return await problem(job, at.claim, end);
        return await finished(session, job, at.claim, { end, page });
      });
    });
  } catch (error) {
    if (!(await job.isOurs())) return lostEnd();
    const stop = asStop(error);
    if (isForLater(job, stop)) return await leave(stop);
    // Of this machine or its settings, not of the file: it must not be blamed.
    await updateClaim(at.claim, { tries: found.tries });
    throw stop;
  }
}

const nextOf = ({ texts: { next } }: StopError): readonly Bilingual[] => (next === undefined ? [] : [next]);

/** A claim with what is known of it by now. */
interface Held {
  claim: ClaimedFile;
}

async function orStop<T>(work: () => Promise<T>): Promise<T | StopError> {
  try {
    return await work();
  } catch (error) {
    return asStop(error);
  }
}

/** Whether a stop says nothing of the file: the service or the database is away, or the program ends. */
const isForLater = ({ isPassing }: InboxJob, { exit, cause }: StopError): boolean =>
  exit === EXIT.interrupted || exit === EXIT.service || isPassing(cause);

async function importClaim(
  session: Session,
  { entry, tell }: InboxJob,
  { at, place, page }: { readonly at: Held; readonly place: InboxPlace; readonly page: string },
): Promise<ImportEnd> {
  const { run, file } = at.claim;
  const report = entry.report === undefined ? undefined : page;
  const dryRun = entry.send !== true;
  if (run !== null) {
    const again = await orStop(() => applyIn(session, run, { report, dryRun }, { tell }));
    if (again !== null && !(again instanceof StopError)) return again;
    // A plan of another version of the program is made anew: what was sent is known.
    if (again !== null && again.exit !== EXIT.usage) throw again;
  }
  const { allowDelete, strict, onConflict, locale } = entry;
  const options = { as: place.as, dryRun, report, allowDelete, strict, onConflict, locale };
  return await importIn(session, file, options, async (plan) => {
    // Before the first row is sent: who goes on after a kill goes on with this run.
    at.claim = await updateClaim(at.claim, { run: plan.run });
    return true;
  });
}

/** Puts a file that was read where it belongs, with its result, and tells of it. */
async function finished(
  session: Session,
  job: InboxJob,
  claim: ClaimedFile,
  { end: { result, exit }, page }: { readonly end: ImportEnd; readonly page: string },
): Promise<FileEnd> {
  const { plan, dryRun, counts, report, resultError } = result;
  const well: End = dryRun ? 'planned' : 'done';
  const shown = shownTotal([{ counts, made: undefined }]);
  const [en, nl] = [countsText(shown, dryRun, 'en'), countsText(shown, dryRun, 'nl')];
  const apply = dryRun && plan.requests > 0 ? plannedText(plan.run) : t('', '');
  const lost = resultError === null ? t('', '') : resultError.texts.message;
  const text = joinedTexts([t(`${en}.`, `${nl}.`), apply, lost].filter((one) => one.en !== ''));
  return await ended(job, claim, {
    ...{ end: exit === EXIT.ok ? well : 'problems', exit, text },
    ...{ run: plan.run, page: report === null ? undefined : page },
    onPlaced: (file) => movedPlan(session.context.ledger, plan.run, file),
  });
}

const plannedText = (run: string): Bilingual =>
  t(
    `Nothing was sent: catersheet apply ${run} does.`,
    `Er is niets verstuurd: catersheet apply ${run} doet dat.`,
    t(`Nothing was sent; run ${run} is planned.`, `Er is niets verstuurd; run ${run} is gepland.`),
  );

const LONG_NAME = 60;

/** Puts a file that could not be read or sent with the problems, and beside it why. */
async function problem(job: InboxJob, claim: ClaimedFile, stop: StopError): Promise<FileEnd> {
  const { lang } = job.settings;
  const { message, next } = stop.texts;
  const said = [message[lang], ...(next === undefined ? [] : [next[lang]])];
  const ending = { en: 'why.txt', nl: 'waarom.txt' }[lang];
  const whole = basename(claim.name, extname(claim.name));
  // A long name has no room for more.
  const why = join(claim.folder, whole.length > LONG_NAME ? ending : `${whole}.${ending}`);
  await writeFile(why, `${said.join('\n')}\n`);
  return await ended(job, claim, {
    end: 'problems',
    exit: stop.exit,
    text: message,
    lines: [next ?? message],
  });
}

interface Ended {
  readonly end: End;
  readonly exit: ExitCode;
  readonly text: Bilingual;
  readonly lines?: readonly Bilingual[];
  readonly run?: string;
  /** The page of its run. */
  readonly page?: string | undefined;
  onPlaced?(file: string): Promise<void>;
}

async function ended(job: InboxJob, claim: ClaimedFile, what: Ended): Promise<FileEnd> {
  const { end, exit, text, run, page, lines = [], onPlaced } = what;
  const { file, beside } = await placeClaim(claim, end, exit);
  await onPlaced?.(file);
  const state = t(`${claim.name}: ${text.en}`, `${claim.name}: ${text.nl}`);
  const places = [t(`It is ${file} now.`, `Het is nu ${file}.`), ...beside.map((one) => t(one, one))];
  const failed = await sendReport(job, {
    ...{ exit, state, page, lines: [...lines, ...places] },
    about: basename(claim.name, extname(claim.name)),
    told: { CATERSHEET_FILE: file, CATERSHEET_RUN: run ?? '', CATERSHEET_RESULT: beside[0] ?? '' },
  });
  const said = [state, t(`(${file})`, `(${file})`), ...(failed === null ? [] : [failed.texts.message])];
  return { exit, text: joinedTexts(said), left: false };
}

const lostEnd = (): FileEnd => ({
  ...{ exit: EXIT.interrupted, left: true, holdsUp: true },
  text: t('Another program goes on with it.', 'Een ander programma gaat ermee verder.'),
});

const WAS_DONE = t('done before, and moved now.', 'eerder gedaan, en nu verplaatst.');

const DIED = new StopError(
  EXIT.fault,
  t(
    `${MOST_DEATHS} programs ended unexpectedly while they were at it; it is not tried again.`,
    `${MOST_DEATHS} programma’s stopten onverwacht terwijl ze eraan bezig waren; het wordt niet nog eens geprobeerd.`,
  ),
  {
    next: t(
      'Import the file by hand to see why: what was sent is not sent again.',
      'Importeer het bestand met de hand om te zien waarom: wat verstuurd is, gaat niet nog eens.',
    ),
  },
);

const leftText = (name: string, { texts: { message } }: StopError): Bilingual =>
  t(`${name} waits for the next time: ${message.en}`, `${name} wacht op de volgende keer: ${message.nl}`);
