import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { asStop } from '../../core/as-stop.ts';
import { EXIT, type ExitCode, StopError } from '../../core/errors.ts';
import { type Bilingual, type Language, t } from '../../core/language.ts';
import { isFolder } from '../../files/folders.ts';
import { copyInto } from '../../queue/schedule/claimed-file.ts';
import { noticePage } from '../../queue/schedule/notice-page.ts';
import { runReportCommand } from '../../queue/schedule/report-command.ts';
import type { ReportWish } from '../../session/schedule.ts';
import { type EntryJob, zoneOf } from './entry-job.ts';

/** What a report is about. */
export interface Reported {
  readonly exit: ExitCode;
  /** In one line what came of it. */
  readonly state: Bilingual;
  readonly lines: readonly Bilingual[];
  /** The page of a run, where one was written; else one is made of the lines. */
  readonly page?: string | undefined;
  /** What it is about, for the page's name: the file without its ending. */
  readonly about?: string | undefined;
  /** What the program of the user's finds in its environment, by its name. */
  readonly told?: Readonly<Record<string, string>>;
}

/** How long a program of the user's may take, where nothing else is said, s. */
const TIMEOUT = 60;
const LONGEST_NAME = 80;

/**
 * Hands the report of an entry over, as the entry wishes: into a folder, and to a program. Answers what stood
 * in the way, which stops nothing: the work itself is done.
 */
export async function sendReport(job: EntryJob, reported: Reported): Promise<StopError | null> {
  const { report: wish } = job.entry;
  if (wish === undefined) return null;
  const usual = 'inbox' in job.entry ? 'always' : 'trouble';
  if ((wish.when ?? usual) === 'trouble' && reported.exit === EXIT.ok) return null;
  try {
    await inTemporary((folder) => handOver(job, wish, reported, folder));
    return null;
  } catch (error) {
    return reportStop(error, wish);
  }
}

/** Does work with a folder of its own, gone afterwards. */
export async function inTemporary<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'catersheet-night-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}

async function handOver(job: EntryJob, wish: ReportWish, reported: Reported, folder: string): Promise<void> {
  const { entry, settings, options } = job;
  const name = reportName(job, reported.about);
  const page = reported.page ?? join(folder, name);
  if (reported.page === undefined) await writeFile(page, pageOf(entry.name, reported, settings.lang));
  if (wish.to !== undefined && !isFolder(wish.to)) throw noFolder(wish.to);
  const place = wish.to === undefined ? page : await copyInto(page, wish.to, name);
  if (wish.command === undefined) return;
  const told = { CATERSHEET_REPORT: place, CATERSHEET_EXIT: String(reported.exit), ...reported.told };
  await runReportCommand(
    {
      command: wish.command,
      folder: dirname(place),
      words: [place, String(reported.exit)],
      told: { ...told, CATERSHEET_ENTRY: entry.name, CATERSHEET_STATE: reported.state[settings.lang] },
      timeout: wish.timeout ?? TIMEOUT,
    },
    options.signal,
  );
}

function pageOf(name: string, { exit, state, lines }: Reported, language: Language): string {
  const said = lines.map((line) => line[language]);
  return noticePage({
    ...{ language, title: `catersheet: ${name}`, ok: exit === EXIT.ok },
    ...{ state: state[language], lines: said },
  });
}

/** `prijzen-week12-20261126-0300.html`. */
function reportName(job: EntryJob, about: string | undefined): string {
  const parts = {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  } as const;
  const text = new Intl.DateTimeFormat('sv-SE', { timeZone: zoneOf(job.entry), ...parts }).format(job.now);
  const moment = text.replace(/[-:]/g, '').replace(' ', '-');
  const of = about === undefined ? '' : `-${[...about].slice(0, LONGEST_NAME).join('')}`;
  return `${job.entry.name}${of}-${moment}.html`;
}

function noFolder(folder: string): StopError {
  return new StopError(
    EXIT.usage,
    t(`There is no folder ${folder} for reports.`, `Er is geen map ${folder} voor verslagen.`),
    { next: t('Make it, or connect its disk.', 'Maak haar, of verbind de schijf.') },
  );
}

function reportStop(error: unknown, { to }: ReportWish): StopError {
  const code = (error as NodeJS.ErrnoException).code;
  if (error instanceof StopError || code === undefined) return asStop(error);
  return new StopError(
    EXIT.usage,
    t(
      `The report can’t be written${to === undefined ? '' : ` into ${to}`} (${code}).`,
      `Het verslag is niet te schrijven${to === undefined ? '' : ` in ${to}`} (${code}).`,
    ),
    { cause: error },
  );
}
