import { once } from 'node:events';
import { realpath } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { EXIT, StopError, usageStop } from '../../core/errors.ts';
import { type Bilingual, t } from '../../core/language.ts';
import { checkWritable, isSameFile, writeAtomically } from '../../files/write-aside.ts';
import { eachRow } from '../../ledger/ledger.ts';
import { type Context, wallClock } from '../../run/context.ts';
import { pageShell, toHtml, toScriptJson } from './page-html.ts';
import { attentionPieces } from './problem-section.ts';
import { PAGE_DATA, type ReportHead, type ReportRow } from './report-row.ts';
import { pageWords } from './report-words.ts';
import { rowSection } from './row-section.ts';
import {
  NameNumbers,
  outcomeWords,
  type ReportSubject,
  type RowReading,
  type SurveyedReport,
  surveyRows,
  toReportRow,
} from './survey-rows.ts';
import { countPieces, reportTitle, topPieces } from './top-section.ts';

const ENDINGS: ReadonlySet<string> = new Set(['.html', '.htm']);

/**
 * Checks, before anything is sent, that a report can be written: its name ends in .html or .htm, it is
 * neither the input nor the result by another name or link, and its place is writable. Throws StopError with
 * EXIT.usage.
 */
export async function checkReport(report: string, input: string, result: string): Promise<void> {
  if (!ENDINGS.has(extname(report).toLowerCase())) throw otherEnding(report);
  if (await isSame(report, input)) throw taken(report, t('the input', 'het invoerbestand'));
  if (await isSame(report, result)) throw taken(report, t('the result', 'het resultaat'));
  await checkWritable(report);
}

/** Two files that do not exist yet are compared by their paths. */
async function isSame(one: string, other: string): Promise<boolean> {
  return (await isSameFile(one, other)) || (await pathOf(one)) === (await pathOf(other));
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
  const next = t('Let --report end in .html.', 'Laat --report eindigen op .html.');
  return usageStop(message, next);
}

function taken(report: string, what: Bilingual): StopError {
  const message = t(
    `The report would overwrite ${what.en} ${report}.`,
    `Het verslag zou ${what.nl} ${report} overschrijven.`,
  );
  const next = t('Name another file with --report.', 'Noem een ander bestand met --report.');
  return usageStop(message, next);
}

/** Why there is no report after all, and how to get one. */
function notReported(target: string, cause: unknown): StopError {
  const next = t(
    'Make room for it or name another file with --report, and give catersheet apply RUN --report once more.',
    'Maak er plaats voor of noem een ander bestand met --report, en geef nog eens catersheet apply RUN --report.',
  );
  if (cause instanceof StopError) return new StopError(cause.exitCode, cause.texts.message, { next, cause });
  const why = cause instanceof Error ? cause.message : String(cause);
  const text = t(
    `The report ${target} could not be written: ${why}`,
    `Het verslag ${target} kon niet worden geschreven: ${why}`,
  );
  return new StopError(EXIT.fault, text, { next, cause });
}

/** Where the report is, or why there is none; `reportNotes` are notes on the file. */
export type WrittenReport = { readonly reportNotes: readonly Bilingual[] } & (
  | { readonly report: string | null; readonly reportError: null }
  | { readonly report: null; readonly reportError: StopError }
);

/** No report was asked for. */
export const NO_REPORT: WrittenReport = { report: null, reportError: null, reportNotes: [] };

/** Rows in one script element. */
const BATCH = 500;

/**
 * Writes what a run came to, or would come to, as one HTML file that needs nothing else; an earlier one stays
 * whole until this one is. The rows are read from the ledger twice, never all into memory. Throws nothing:
 * what was sent must be told, whatever becomes of the file.
 */
export async function writeReport(
  context: Context,
  reported: ReportSubject,
  target: string,
): Promise<WrittenReport> {
  try {
    const { place, notes } = await writeAtomically(target, async (stream) => {
      for await (const part of reportParts(context, reported)) if (!stream.write(part)) await drained(stream);
    });
    return { report: place, reportError: null, reportNotes: notes };
  } catch (cause) {
    context.log.error({ err: cause, target }, 'the report could not be written');
    return { report: null, reportError: notReported(target, cause), reportNotes: [] };
  }
}

async function drained(stream: Writable): Promise<void> {
  await once(stream, 'drain');
}

/** The page in parts, in order. */
async function* reportParts(context: Context, reported: ReportSubject): AsyncGenerator<string> {
  const { plan, sheets, wording } = reported;
  const rows = () => eachRow(context.ledger, plan.run);
  const reading: RowReading = {
    ...{ sheets: new NameNumbers(), fields: new NameNumbers(), wording },
    resources: new Map(context.resources.map((resource) => [resource.name, resource])),
  };
  for (const { sheet } of sheets) reading.sheets.numberOf(sheet);
  const survey = await surveyRows(rows(), reading);
  const at = wallClock(context.clock());
  const startedAt = (await context.ledger.findRun(plan.run))?.startedAt ?? at;
  const surveyed: SurveyedReport = { ...reported, survey, sheetNames: reading.sheets, startedAt, at };
  const head: ReportHead = {
    language: wording.language,
    sheets: reading.sheets.all,
    outcomes: outcomeWords(wording),
    fields: reading.fields.all,
    words: pageWords(wording.language),
  };
  const shell = pageShell(wording.language, reportTitle(surveyed));
  yield shell.start;
  const pieces = [
    topPieces(surveyed),
    countPieces(surveyed),
    ...attentionPieces(surveyed),
    rowSection(surveyed, head),
  ];
  for (const piece of pieces) yield `${toHtml(piece)}\n`;
  yield `</main>\n<script type="application/json" id="${PAGE_DATA.head}">${toScriptJson(head)}</script>\n`;
  for await (const batch of batches(rows(), reading))
    yield `<script type="application/json" class="${PAGE_DATA.rows}">${toScriptJson(batch)}</script>\n`;
  yield shell.end;
}

async function* batches(
  rows: ReturnType<typeof eachRow>,
  reading: RowReading,
): AsyncGenerator<readonly ReportRow[]> {
  let batch: ReportRow[] = [];
  for await (const result of rows) {
    const row = toReportRow(result, reading);
    if (row === null) continue;
    batch.push(row);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
