import { existsSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { EXIT, StopError, usageStop } from '../../core/errors.ts';
import { onPage, t } from '../../core/language.ts';
import { exportTarget } from '../../export/export-target.ts';
import { kindsOf } from '../../export/selection-options.ts';
import { isFolder } from '../../files/folders.ts';
import { freeName } from '../../files/write-aside.ts';
import { financeRequest } from '../../finance/export-finance.ts';
import type { OptionsOf } from '../../options/options.ts';
import type { ExportedResource } from '../../records/listing.ts';
import { withSession } from '../../session/open-session.ts';
import { dayIn, todayIn } from '../../session/relative-day.ts';
import type { ExportEntry } from '../../session/schedule.ts';
import { exitCodeOfExport, exportedResources, exportIn, exportName, FINANCE, financeIn } from '../export.ts';
import { resourceNamed } from '../resource-named.ts';
import type { EntryEnd, EntryJob } from './entry-job.ts';
import { sendReport } from './send-report.ts';

type Wishes = OptionsOf<'exportRecords'> & { readonly all?: boolean | undefined };

const isFinance = ({ export: kinds }: ExportEntry): boolean => kinds.includes(FINANCE);

const namedIn = ({ export: kinds }: ExportEntry): readonly ExportedResource[] =>
  kinds.map((kind) => resourceNamed(kind, exportedResources, exportName));

/** The options that an entry stands for, its days counted from today. */
function wishesOf(entry: ExportEntry, today: string): Wishes {
  const { format, since, days, definitive, declaration, ids, raw, delimiter, all } = entry;
  const period = days && { from: dayIn(days.from, today), to: dayIn(days.to, today) };
  const given = { format, since, definitive, declaration, ids, raw, delimiter, all, ...period };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** The name of an entry's file, with the day: `pakketten-2026-11-26.xlsx`. */
function fileOf(
  entry: ExportEntry,
  today: string,
  settings: Pick<EntryJob['settings'], 'lang' | 'locale'>,
): string {
  const wishes = wishesOf(entry, today);
  const usual = isFinance(entry)
    ? financeRequest(wishes, { locale: settings.locale, language: settings.lang }).file
    : (exportTarget(namedIn(entry), undefined, wishes.format).file ?? '');
  const ending = extname(usual);
  const target = join(entry.to, `${basename(usual, ending)}-${today}${ending}`);
  return existsSync(target) ? freeName(target) : target;
}

/** Checks, before its time comes, that an export can be done as it stands. Throws StopError (usage). */
export function checkExport(
  entry: ExportEntry,
  settings: Pick<EntryJob['settings'], 'lang' | 'locale'>,
  today: string,
): void {
  const wishes = wishesOf(entry, today);
  const foreign = (['since', 'definitive', 'declaration', 'ids', 'raw', 'delimiter', 'format'] as const).find(
    (name) => entry[name] !== undefined && isFinance(entry),
  );
  try {
    if (foreign !== undefined) throw usageStop(...notFor(foreign, 'finance'));
    if (!isFinance(entry) && entry.all !== undefined)
      throw usageStop(...notFor('all', entry.export.join(', ')));
    fileOf(entry, today, settings);
    if (!isFinance(entry)) kindsOf(namedIn(entry), wishes, settings.locale);
  } catch (error) {
    if (!(error instanceof StopError)) throw error;
    // The page's words name no flags, which a file of settings has none of.
    const { message, next } = error.texts;
    const { en, nl } = onPage(message);
    throw new StopError(
      EXIT.usage,
      t(`schedule, entry "${entry.name}": ${en}`, `schedule, onderdeel "${entry.name}": ${nl}`),
      { next: next && onPage(next), cause: error },
    );
  }
}

const notFor = (name: string, kinds: string) =>
  [
    t(`"${name}" is not for an export of ${kinds}.`, `"${name}" is niet voor een export van ${kinds}.`),
    t('Leave it out.', 'Laat het weg.'),
  ] as const;

/** Does an export that is due, into a file of its own. Throws StopError. */
export async function doExport(job: EntryJob<ExportEntry>): Promise<EntryEnd> {
  const { entry, options, zone, now } = job;
  if (!isFolder(entry.to))
    throw usageStop(
      t(`There is no folder ${entry.to}.`, `Er is geen map ${entry.to}.`),
      t('Make it, or connect its disk.', 'Maak haar, of verbind de schijf.'),
    );
  const today = todayIn(zone, now);
  const { exit, state, notes, file } = await withSession(options, undefined, async (session) => {
    const out = fileOf(entry, today, session.settings);
    const { all, ...wishes } = wishesOf(entry, today);
    if (isFinance(entry)) {
      const { from, to } = wishes;
      const done = await financeIn(session, { from, to, all, out });
      const rows = done.sheets.reduce((sum, sheet) => sum + sheet.rows, 0);
      return { exit: exitCodeOfExport(done), state: writtenText(rows, done.file), ...done };
    }
    const done = await exportIn(session, namedIn(entry), { ...wishes, out });
    return { exit: exitCodeOfExport(done), state: writtenText(done.records, done.file ?? out), ...done };
  });
  const told = { CATERSHEET_FILE: file ?? '' };
  const failed = await sendReport(job, { exit, state, lines: notes, told });
  const text =
    failed === null ? state : t(`${state.en} ${failed.message}`, `${state.nl} ${failed.texts.message.nl}`);
  return { exit, text, did: true };
}

const writtenText = (records: number, file: string) =>
  t(`${records} records written to ${file}.`, `${records} records geschreven naar ${file}.`);
