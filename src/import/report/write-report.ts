import { realpath } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type StopError, usageStop } from '../../core/errors.ts';
import { type Bilingual, t, withFlag } from '../../core/language.ts';
import { checkWritable, isSameFile, writeAtomically } from '../../files/write-aside.ts';
import { type Context, wallClock } from '../../run/context.ts';
import { rowsNow } from '../apply/outcomes.ts';
import { overwrites, THE_INPUT } from '../results/result-place.ts';
import { notWritten } from '../results/write-results.ts';
import { reportPage } from './report-page.ts';

const ENDINGS: ReadonlySet<string> = new Set(['.html', '.htm']);

const THE_REPORT = t('The report', 'Het verslag');

/**
 * Checks, before anything is sent, that a report can be written: its name ends in .html or .htm, it is
 * neither the input nor the result by another name or link, and its place is writable. Throws StopError with
 * EXIT.usage.
 */
export async function checkReport(report: string, input: string, result: string | null): Promise<void> {
  if (!ENDINGS.has(extname(report).toLowerCase())) throw otherEnding(report);
  if (await isSame(report, input)) throw overwrites(THE_REPORT, THE_INPUT, report);
  const other = t('the result', 'het resultaat');
  if (result !== null && (await isSame(report, result))) throw overwrites(THE_REPORT, other, report);
  checkWritable(report);
}

/** Two files that do not exist yet are compared by their paths. */
async function isSame(one: string, other: string): Promise<boolean> {
  return isSameFile(one, other) || (await pathOf(one)) === (await pathOf(other));
}

async function pathOf(file: string): Promise<string> {
  const path = resolve(file);
  return join(await realpath(dirname(path)).catch(() => dirname(path)), basename(path));
}

function otherEnding(report: string): StopError {
  const message = t(
    `The report ${report} can't be written: a report is a page, and its name ends in .html.`,
    `Het verslag ${report} kan niet worden geschreven: een verslag is een pagina, en de naam eindigt op .html.`,
  );
  const next = t('Choose a name that ends in .html.', 'Kies een naam die eindigt op .html.');
  return usageStop(message, next);
}

/** Where the report is, or why there is none; `reportNotes` are notes on the file. */
export type WrittenReport = { readonly reportNotes: readonly Bilingual[] } & (
  | { readonly report: string | null; readonly reportError: null }
  | { readonly report: null; readonly reportError: StopError }
);

/** No report was asked for. */
export const NO_REPORT: WrittenReport = { report: null, reportError: null, reportNotes: [] };

type Reported = Omit<Parameters<typeof reportPage>[0], 'results' | 'startedAt' | 'at'>;

/**
 * Writes what a run came to, or would come to, as one HTML file that needs nothing else; an earlier one stays
 * whole until this one is. Throws nothing: what was sent must be told, whatever becomes of the file.
 */
export async function writeReport(
  context: Context,
  reported: Reported,
  target: string,
): Promise<WrittenReport> {
  try {
    const { place, notes } = await writeAtomically(
      target,
      async (stream) => pipeline([await pageOf(context, reported)], stream, { end: false }),
      { like: reported.plan.workbook.file },
    );
    return { report: place, reportError: null, reportNotes: notes };
  } catch (cause) {
    context.log.error({ err: cause, target }, 'the report could not be written');
    return { report: null, reportError: notWritten(THE_REPORT, target, cause, ROOM), reportNotes: [] };
  }
}

/** How to get a report after all. */
const ROOM = withFlag(
  t(
    'Make room for it or name another file, then ask for it again.',
    'Maak er plaats voor of noem een ander bestand, en vraag het dan opnieuw.',
  ),
  'catersheet apply RUN --report FILE',
);

async function pageOf(context: Context, reported: Reported): Promise<string> {
  const { plan, wording } = reported;
  const at = wallClock(context.time.now());
  const startedAt = (await context.ledger.findRun(plan.run))?.startedAt ?? at;
  const results = rowsNow(context.ledger, plan.run, { busy: wording.busy });
  return await reportPage({ ...reported, results, startedAt, at });
}
