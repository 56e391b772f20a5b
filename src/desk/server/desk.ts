import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { RowChecks } from '../../api/check-rows.ts';
import { serviceOf } from '../../api/profiles.ts';
import type { RunTable } from '../../api/run-table.ts';
import { isBegun, type OpenRuns, openRuns } from '../../api/runs.ts';
import { refuseFile } from '../../api/withdraw-run.ts';
import { type StopError, usageStop } from '../../core/errors.ts';
import { type Language, t } from '../../core/language.ts';
import { makeFolder } from '../../files/folders.ts';
import { PRIVATE } from '../../files/write-aside.ts';
import { isDatabase } from '../../ledger/database-address.ts';
import type { ProgramOptions } from '../../options/options.ts';
import { type Exclusive, type Session, withSession } from '../../session/open-session.ts';
import { NO_PROFILE } from '../../session/profile.ts';
import { programPaths, resolveSettings, type Settings } from '../../session/settings.ts';
import { type HomeDocument, language, type ServiceDocument } from '../contract/documents.ts';
import { DraftChecks } from './draft-checks.ts';
import { besideOptions } from './draft-documents.ts';
import { Drafts, type StoredDraft } from './drafts.ts';
import { EventHub } from './event-hub.ts';
import { Jobs, type JobWork } from './jobs.ts';
import { Users } from './users.ts';

/** What the desk was started with: about the service and the program. */
export type DeskOptions = ProgramOptions;

const keptSettings = z.object({
  language: language.optional(),
  /** The profile that was chosen; null for the sandbox. */
  profile: z.string().nullable().optional(),
});
type KeptSettings = z.output<typeof keptSettings>;

/** Tables of runs that are kept: the one on the page, and a few that it goes back to. */
const MOST_TABLES = 4;

/** A run's table, with the state that it was made in. */
interface KeptTable {
  readonly key: string;
  readonly table: RunTable;
}

/** The ledger in use, with the tables that are read from it. */
interface OpenedLedger {
  readonly file: string;
  readonly runs: OpenRuns;
  readonly tables: Map<string, KeptTable>;
}

/** Everything that the routes of the desk work with. */
export class Desk {
  readonly events = new EventHub();
  readonly jobs: Jobs;
  readonly drafts: Drafts;
  /** Whoever works with the ledger, a table or checks does so within `users.during`. */
  readonly users = new Users();
  readonly checks = new DraftChecks(this.users);
  private readonly given: DeskOptions;
  private readonly folder: string;
  private chosenProfile: string | undefined;
  private chosenLanguage: Language | undefined;
  /** The browser's: it counts in place of the machine's. */
  private heardLanguage: Language | undefined;
  private settingsLanguage: Language = 'en';
  private serviceBefore: ServiceDocument;
  private opened: OpenedLedger | undefined;
  private readonly usual: boolean;
  private readonly waiting = new Set<NodeJS.Timeout>();

  /**
   * `folder`: where it keeps its files; `workers`: they do it unless the user chooses otherwise. Throws
   * StopError for options or a folder that can't be used.
   */
  constructor(
    given: DeskOptions,
    folder = join(dirname(programPaths(process.env).ledger), 'desk'),
    workers = false,
  ) {
    this.given = given;
    this.usual = workers;
    this.folder = folder;
    makeFolder(this.folder);
    this.chosenProfile = given.profile ?? this.keptProfile();
    this.chosenLanguage = given.lang ?? this.kept().language;
    const about = { language: () => this.language, service: () => this.serviceNow() };
    this.jobs = new Jobs(this.events, about);
    this.drafts = new Drafts(join(this.folder, 'files'));
    removeOld(this.madeFolder);
    // Wrong settings are told before anybody opens the page.
    this.serviceBefore = this.service;
    if (workers) refuseFile(this.settings().ledger);
  }

  /** The language of the page. */
  get language(): Language {
    // Settings that were broken meanwhile are told of in the language from before.
    try {
      this.settingsLanguage = this.settings().lang;
    } catch {}
    return this.chosenLanguage ?? this.settingsLanguage;
  }

  /** The profile in use. */
  get profile(): string | undefined {
    return this.settings().profile;
  }

  /** The service in use, without anything secret. */
  get service(): ServiceDocument {
    const { name, address, kind } = serviceOf(this.settings());
    return { profile: name, address, kind };
  }

  /** Whether workers can do something: the ledger is in a database, and the service has an address. */
  get workers(): HomeDocument['workers'] {
    const { ledger, baseUrl } = this.settings();
    return isDatabase(ledger) && baseUrl !== null ? { usual: this.usual } : null;
  }

  /** The service; where settings were broken meanwhile, the one from before: what needs it fails itself. */
  private serviceNow(): ServiceDocument {
    try {
      this.serviceBefore = this.service;
    } catch {}
    return this.serviceBefore;
  }

  /** The folder of what an export or a template makes, until it is downloaded. */
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
    const spoken = heard === undefined ? {} : { LC_ALL: heard };
    return resolveSettings(this.plainOptions(), { ...process.env, ...spoken });
  }

  private plainOptions(): ProgramOptions {
    const { given, chosenProfile: profile, chosenLanguage: lang } = this;
    return {
      ...given,
      ...(profile === undefined ? {} : { profile }),
      ...(lang === undefined ? {} : { lang }),
    };
  }

  /** Hears which language a browser asks for: the first one's counts where nobody named or chose one. */
  hear(asked: Language | undefined): void {
    this.heardLanguage ??= asked;
  }

  /** Remembers the language for the next time too. */
  speak(chosen: Language): void {
    this.chosenLanguage = chosen;
    this.keep({ language: chosen });
  }

  /** Works with another profile from here on, and the next time; null is the sandbox. */
  useProfile(name: string | null): void {
    if (isFixed(this.given)) throw FIXED();
    const before = this.chosenProfile;
    this.chosenProfile = name ?? NO_PROFILE;
    try {
      this.settings();
    } catch (error) {
      this.chosenProfile = before;
      throw error;
    }
    this.keep({ profile: name });
  }

  /** Works no more with a profile that is to be removed: any service but the sandbox is the user's choice. */
  leaveProfile(name: string): void {
    if (!isFixed(this.given) && this.settings().profile === name) this.useProfile(null);
  }

  /** What was opened for the settings from before is let go of, and pages are told. */
  settingsChanged(): void {
    this.checks.dropAll();
    this.opened?.tables.clear();
    for (const what of ['service', 'runs', 'drafts'] as const)
      this.events.tell('changed', { what, id: null });
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
    return this.ledger().runs;
  }

  /**
   * A run's rows, as they are now. Corrections of its file are put into a table of their own (`corrected`):
   * the run's page shows what would be sent.
   */
  async table(run: string, corrected = false): Promise<RunTable> {
    const { runs, tables } = this.ledger();
    const now = await runs.state(run);
    // What changes of it is read by who keeps it.
    if (isBegun(now)) return await runs.table(run, this.language);
    const key = JSON.stringify([this.language, now.state, now.counts]);
    const name = corrected ? `${run} corrected` : run;
    const kept = tables.get(name);
    if (kept?.key === key) return kept.table;
    const table = await runs.table(run, this.language);
    tables.delete(name);
    tables.set(name, { key, table });
    if (tables.size > MOST_TABLES) tables.delete(tables.keys().next().value as string);
    return table;
  }

  /** The checks of single rows of a draft. Throws StopError. */
  async checksOf(draft: StoredDraft): Promise<RowChecks> {
    const beside = besideOptions(this, draft);
    return await this.checks.open(draft, {
      ...{ file: this.drafts.fileOf(draft), options: this.options(), beside },
    });
  }

  /** Does work in a while that nobody waits for; what was not begun when the desk closes is left. */
  later(ms: number, work: () => Promise<unknown>): void {
    const timer = setTimeout(() => {
      this.waiting.delete(timer);
      this.users.during(work).catch(() => {});
    }, ms);
    this.waiting.add(timer);
  }

  /** Stops what is under way in good order, and closes. */
  async close(): Promise<void> {
    await this.jobs.close();
    for (const timer of this.waiting) clearTimeout(timer);
    this.checks.dropAll();
    this.letGoOfLedger();
    await this.users.end();
  }

  /** Opened at once: of two who ask in one turn, both get the same. */
  private ledger(): OpenedLedger {
    const { ledger: file } = this.settings();
    const isReplaced = this.opened?.runs.isReplaced() === true;
    if (this.opened?.file === file && !isReplaced) return this.opened;
    // What is kept open for corrections reads the one that is gone.
    if (isReplaced) this.checks.dropAll();
    const opened = { file, runs: openRuns(this.options(), true), tables: new Map<string, KeptTable>() };
    this.letGoOfLedger();
    this.opened = opened;
    return opened;
  }

  private letGoOfLedger(): void {
    const before = this.opened;
    this.opened = undefined;
    if (before !== undefined) this.users.letGo(() => before.runs.close());
  }

  private get settingsFile(): string {
    return join(this.folder, 'settings.json');
  }

  private kept(): KeptSettings {
    try {
      return keptSettings.parse(JSON.parse(readFileSync(this.settingsFile, 'utf8')));
    } catch {
      return {};
    }
  }

  private keep(chosen: KeptSettings): void {
    const all = JSON.stringify({ ...this.kept(), ...chosen });
    writeFileSync(this.settingsFile, all, { mode: PRIVATE });
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

/** Whether the start of the program says which service it is, whatever profile is chosen. */
const isFixed = ({ baseUrl }: DeskOptions): boolean =>
  baseUrl !== undefined || Boolean(process.env.CATERSHEET_BASE_URL);

const FIXED = (): StopError =>
  usageStop(
    t(
      'The address of the service was given when the program was started.',
      'Het adres van het systeem is opgegeven toen het programma gestart werd.',
    ),
    t(
      'Start it without an address, and without CATERSHEET_BASE_URL, to choose a profile here.',
      'Start het zonder adres, en zonder CATERSHEET_BASE_URL, om hier een profiel te kiezen.',
    ),
  );

/** What was made and not downloaded for so long goes, ms: it can be made anew. */
const OLD = 7 * 24 * 3600 * 1000;

function removeOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    const found = statSync(file, { throwIfNoEntry: false });
    if (found !== undefined && Date.now() - found.mtimeMs > OLD)
      rmSync(file, { force: true, recursive: true });
  }
}
