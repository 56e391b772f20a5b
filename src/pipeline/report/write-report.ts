import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { StopError } from '../../errors.ts';
import { eachRow } from '../../ledger/each-row.ts';
import type { Bilingual } from '../../schema/value.ts';
import { writeAside } from '../../workbook/write-aside.ts';
import { type Context, wallClock } from '../context.ts';
import { outcomeWords } from './outcomes.ts';
import { pageShell } from './page-shell.ts';
import { attentionPieces } from './problem-pieces.ts';
import { notReported } from './refuse-report.ts';
import { DATA, type ReportHead, type ReportRow } from './report-data.ts';
import type { Reported, Surveyed } from './reported.ts';
import { rowSection } from './row-section.ts';
import { surveyRows } from './survey-rows.ts';
import { toHtml, toScriptJson } from './to-html.ts';
import { Names, type RowReading, toReportRow } from './to-report-row.ts';
import { countPieces, reportTitle, topPieces } from './top-pieces.ts';
import { pageWords } from './words.ts';

/** Where the report is, or why there is none; `reportNotes` say what is to be known of the file. */
export type WrittenReport = { readonly reportNotes: readonly Bilingual[] } & (
  | { readonly report: string | null; readonly reportError: null }
  | { readonly report: null; readonly reportError: StopError }
);

/** No report was asked for. */
export const NO_REPORT: WrittenReport = { report: null, reportError: null, reportNotes: [] };

/** Rows in one script element. */
const BATCH = 500;

/**
 * Writes what a run came to, or would come to, as one HTML file that needs nothing else; an earlier one stays whole until this one is. Its rows
 * are read from the ledger twice and never stand in memory together. Throws nothing: what was sent has to be told, whatever becomes of the file.
 */
export async function writeReport(
  context: Context,
  reported: Reported,
  target: string,
): Promise<WrittenReport> {
  try {
    const { place, notes } = await writeAside(target, async (stream) => {
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
async function* reportParts(context: Context, reported: Reported): AsyncGenerator<string> {
  const { plan, sheets, wording } = reported;
  const rows = () => eachRow(context.ledger, plan.run);
  const reading: RowReading = {
    ...{ sheets: new Names(), fields: new Names(), wording },
    resources: new Map(context.resources.map((resource) => [resource.name, resource])),
  };
  for (const { sheet } of sheets) reading.sheets.numberOf(sheet);
  const survey = await surveyRows(rows(), reading);
  const at = wallClock(context.clock());
  const startedAt = (await context.ledger.findRun(plan.run))?.startedAt ?? at;
  const surveyed: Surveyed = { ...reported, survey, sheetNames: reading.sheets, startedAt, at };
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
  yield `</main>\n<script type="application/json" id="${DATA.head}">${toScriptJson(head)}</script>\n`;
  for await (const batch of batches(rows(), reading))
    yield `<script type="application/json" class="${DATA.rows}">${toScriptJson(batch)}</script>\n`;
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
