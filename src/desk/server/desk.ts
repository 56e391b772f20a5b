import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import type { RunDocument } from '../../api/documents.ts';
import { isUnsent, type OpenRuns, openRuns } from '../../api/runs.ts';
import { EXIT, StopError, usageStop } from '../../core/errors.ts';
import { type Language, t } from '../../core/language.ts';
import { makeFolder } from '../../files/folders.ts';
import { PRIVATE } from '../../files/write-aside.ts';
import { type PlanDetails, planDetails } from '../../import/plan/saved-plan.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { placeOf } from '../../ledger/mark.ts';
import type { ProgramOptions } from '../../options/options.ts';
import { type Exclusive, type Session, withSession } from '../../session/open-session.ts';
import { NO_PROFILE, type ServiceInUse, serviceInUse } from '../../session/profile.ts';
import { programPaths, resolveSettings, type Settings } from '../../session/settings.ts';
import { BroughtFiles, removeOld } from './brought-files.ts';
import { Jobs, type JobWork, News } from './jobs.ts';
import { KeptChecks } from './row-checks.ts';
import { LookedAt, type RunRows } from './run-rows.ts';

const keptSettings = z.object({
  language: z.enum(['en', 'nl']).optional(),
  /** The profile that was chosen; null for the sandbox. */
  profile: z.string().nullable().optional(),
});

/** The ledger in use, and what was read from it. */
interface OpenedLedger {
  readonly file: string;
  readonly runs: OpenRuns;
  readonly lookedAt: LookedAt;
  /** Another file stands in its place since, such as a copy that was put back. */
  readonly isReplaced: () => boolean;
}

/** Everything that the routes of the desk work with. */
export class Desk {
  readonly news = new News();
  readonly jobs = new Jobs(this.news, () => this.language);
  /** Whoever works with the ledger, a table or checks does so within `users.during`. */
  readonly users = new Users();
  readonly files: BroughtFiles;
  readonly checks: KeptChecks;
  /** The end of what was asked of a run last. */
  private readonly turns = new Map<string, Promise<unknown>>();
  private readonly given: ProgramOptions;
  private readonly folder: string;
  private profile: string | undefined;
  private chosenLanguage: Language | undefined;
  /** The browser's: it counts in place of the machine's. */
  private heardLanguage: Language | undefined;
  private settingsLanguage: Language = 'en';
  private opened: OpenedLedger | undefined;

  /** `folder`: where it keeps its files. Throws StopError for options or a folder that can't be used. */
  constructor(given: ProgramOptions, folder = join(dirname(programPaths(process.env).ledger), 'desk')) {
    this.given = given;
    this.folder = folder;
    makeFolder(folder);
    this.profile = given.profile ?? this.keptProfile();
    this.chosenLanguage = given.lang ?? this.kept().language;
    this.files = new BroughtFiles(join(folder, 'files'));
    this.checks = new KeptChecks(this.users.letGo, this.files, () => this.options());
    removeOld(this.madeFolder, OLD);
    // Wrong settings are told before anybody opens the page.
    this.settings();
  }

  /** The language of the page. */
  get language(): Language {
    // Settings that were broken meanwhile are told of in the language from before.
    try {
      this.settingsLanguage = this.settings().lang;
    } catch {}
    return this.chosenLanguage ?? this.settingsLanguage;
  }

  /** The service in use, without anything secret. */
  get service(): ServiceInUse {
    return serviceInUse(this.settings());
  }

  /** The folder of what is made, such as exports and results, until it is downloaded: all can be made anew. */
  get madeFolder(): string {
    const folder = join(this.folder, 'made');
    makeFolder(folder);
    return folder;
  }

  /** The options for a session or the ledger. */
  options(): ProgramOptions {
    return { ...this.plainOptions(), lang: this.language };
  }

  /** The settings in effect. Throws StopError. */
  settings(): Settings {
    const { heardLanguage: heard } = this;
    return resolveSettings(this.plainOptions(), { ...process.env, ...(heard && { LC_ALL: heard }) });
  }

  private plainOptions(): ProgramOptions {
    const { given, profile, chosenLanguage: lang } = this;
    return { ...given, ...(profile !== undefined && { profile }), ...(lang && { lang }) };
  }

  /** Hears which language a browser asks for: the first one's counts where nobody named or chose one. */
  hear(asked: Language | undefined): void {
    this.heardLanguage ??= asked;
  }

  /** Remembers the language for the next time too. */
  speak(language: Language): void {
    this.chosenLanguage = language;
    this.keep({ language });
  }

  /** Works with another profile from here on, and the next time; null is the sandbox. Throws StopError. */
  useProfile(name: string | null): void {
    if (isFixed(this.given))
      throw usageStop(
        t(
          'The address of the service was given when the program was started.',
          'Het adres van het systeem is opgegeven toen het programma gestart werd.',
        ),
        t(
          'Start it without an address, and without CATERSHEET_BASE_URL, to choose a service here.',
          'Start het zonder adres, en zonder CATERSHEET_BASE_URL, om hier een systeem te kiezen.',
        ),
      );
    const before = this.profile;
    this.profile = name ?? NO_PROFILE;
    try {
      this.settings();
    } catch (error) {
      this.profile = before;
      throw error;
    }
    this.keep({ profile: name });
    // What was opened for the settings from before is let go of, what was found by them is old.
    this.checks.drop();
    this.opened?.lookedAt.drop();
    this.jobs.outdate();
    this.news.changed();
  }

  /**
   * Does work on a run, or on something of it, when what was asked of that before is done, so that no change works
   * with what another one changes. Throws what `work` throws.
   */
  async inTurn<T>(of: string, work: () => Promise<T>): Promise<T> {
    const own = (this.turns.get(of) ?? Promise.resolve()).then(work);
    const end: Promise<unknown> = own
      .catch(() => {})
      .then(() => this.turns.get(of) === end && this.turns.delete(of));
    this.turns.set(of, end);
    return await own;
  }

  /** Does work within a session, for a job or by itself, and closes it however the work ends. */
  async inSession<T>(
    exclusive: Exclusive,
    work: (session: Session) => Promise<T>,
    job?: Pick<JobWork, 'signal' | 'onProgress' | 'onWait'>,
  ): Promise<T> {
    return await withSession({ ...this.options(), ...job }, exclusive, work);
  }

  /** The runs in the ledger of the settings in effect. Throws StopError. */
  get runs(): OpenRuns {
    return this.open().runs;
  }

  /** That ledger. Throws StopError. */
  async ledger(): Promise<Ledger> {
    return await this.runs.ledger();
  }

  /** What is kept of a run's plan beside its rows; undefined where that was not finished. */
  async planOf(run: string): Promise<PlanDetails | undefined> {
    return await planDetails(await this.ledger(), run);
  }

  /** A run's rows, as they are now. */
  async rowsOf({ run, state, counts, busy, prunedAt }: RunDocument): Promise<RunRows> {
    const { runs, lookedAt } = this.open();
    const isBegun = state === 'applying' || state === 'interrupted';
    return await lookedAt.rowsOf(
      {
        ...{ ledger: await runs.ledger(), run, language: this.language },
        ...{ dryRun: isUnsent({ state }), busy, pruned: prunedAt !== null },
      },
      // That of a plan hears itself of what is corrected in it.
      isBegun ? null : counts,
    );
  }

  /** Stops what is under way in good order, and closes. */
  async close(): Promise<void> {
    await this.jobs.close();
    this.checks.drop();
    this.letGoOfLedger();
    await this.users.end();
  }

  /** Opened at once: of two who ask in one turn, both get the same. */
  private open(): OpenedLedger {
    const { ledger: file } = this.settings();
    const isReplaced = this.opened?.isReplaced() === true;
    if (this.opened?.file === file && !isReplaced) return this.opened;
    // What is kept open for corrections reads the one that is gone.
    if (isReplaced) this.checks.drop();
    const lookedAt = new LookedAt();
    const runs = openRuns(this.options(), async (ledger, run, { sheet, busy = false } = {}) => {
      const shown = { ledger, run, language: this.language, dryRun: false, busy, pruned: false };
      return await (await lookedAt.rowsOf(shown, null)).counts(sheet);
    });
    this.letGoOfLedger();
    this.opened = { file, runs, lookedAt, isReplaced: watchPlace(file, runs.ledger()) };
    return this.opened;
  }

  private letGoOfLedger(): void {
    const before = this.opened;
    this.opened = undefined;
    if (before !== undefined) this.users.letGo(() => before.runs.close());
  }

  private get settingsFile(): string {
    return join(this.folder, 'settings.json');
  }

  private kept(): z.output<typeof keptSettings> {
    try {
      return keptSettings.parse(JSON.parse(readFileSync(this.settingsFile, 'utf8')));
    } catch {
      return {};
    }
  }

  private keep(chosen: z.output<typeof keptSettings>): void {
    writeFileSync(this.settingsFile, JSON.stringify({ ...this.kept(), ...chosen }), { mode: PRIVATE });
  }

  /** The profile of the last time; none where it can't be used any more: the page opens all the same. */
  private keptProfile(): string | undefined {
    const { profile } = this.kept();
    if (profile === undefined || isFixed(this.given)) return undefined;
    const name = profile ?? NO_PROFILE;
    try {
      resolveSettings({ ...this.given, profile: name });
      return name;
    } catch {
      return undefined;
    }
  }
}

/** Tells whether another file stands in a ledger's place since it was opened. */
function watchPlace(file: string, opening: Promise<unknown>): () => boolean {
  let place: bigint | undefined;
  opening.then(
    () => {
      place = placeOf(file);
    },
    () => {},
  );
  return () => place !== undefined && placeOf(file) !== place;
}

/** Whether the start of the program says which service it is, whatever profile is chosen. */
const isFixed = ({ baseUrl }: ProgramOptions): boolean =>
  baseUrl !== undefined || Boolean(process.env.CATERSHEET_BASE_URL);

/** What was made and not downloaded for so long goes, ms: it can be made anew. */
const OLD = 7 * 24 * 3600 * 1000;

/** How long those who are at work are waited for when the program is stopped, ms. */
const PATIENCE = 5000;

/**
 * Who works with what the desk keeps open: the ledger, checks of rows. What is replaced or let go is closed
 * once nobody can have it any more, so that no change of settings takes it from under a request.
 */
class Users {
  private readonly atWork = new Set<Promise<unknown>>();
  private closing: Promise<unknown> = Promise.resolve();
  private isEnded = false;

  /** Does work during which nothing is closed that it was given. Throws StopError after the end. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    if (this.isEnded)
      throw new StopError(EXIT.interrupted, t('catersheet is being stopped.', 'catersheet wordt gestopt.'), {
        next: t('Start it again.', 'Start het opnieuw.'),
      });
    const own = work();
    const end = own.catch(() => {});
    this.atWork.add(end);
    return await own.finally(() => this.atWork.delete(end));
  }

  /** Closes what nobody is given any more, as soon as all who are at work now are done. */
  readonly letGo = (close: () => Promise<unknown>): void => {
    // What can't be closed is of no use to anybody: nothing is left to tell.
    this.closing = Promise.allSettled([this.closing, Promise.all(this.atWork).then(close)]);
  };

  /** Lets nobody in from here on, and resolves when all that was let go is closed, or is waited for in vain. */
  async end(): Promise<void> {
    this.isEnded = true;
    await Promise.race([this.closing, setTimeout(PATIENCE, undefined, { ref: false })]);
  }
}
