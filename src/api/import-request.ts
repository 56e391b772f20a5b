import type { OnConflict } from '../import/baseline/three-way.ts';
import type { ImportRequest, ImportResult } from '../import/import.ts';
import {
  type ImportDocument,
  importHead,
  type RowDocument,
  rowDocuments,
} from '../import/import-document.ts';
import type { HeaderTable } from '../import/map/header-names.ts';
import { eachRow } from '../ledger/each-row.ts';
import type { Resource } from '../schema/resource.ts';
import type { Session } from '../session/open-session.ts';
import type { ProgramOptions } from './with-session.ts';

/** Everything `catersheet import` can be told, as options; all have the same defaults. */
export interface ImportWorkbookOptions extends ProgramOptions {
  /** Show what would change; send nothing. */
  readonly dryRun?: boolean;
  /** What the sheets hold, whatever their names. */
  readonly as?: Resource;
  /** Only these sheets. */
  readonly sheets?: readonly string[];
  /** Values for fields that the file has no column for, written as in a cell. */
  readonly set?: Readonly<Record<string, string>>;
  readonly strict?: boolean;
  readonly allowDelete?: boolean;
  /** A field that both the sheet and someone else changed since the workbook was written: `skip` (the row), `mine` or `theirs`. */
  readonly onConflict?: OnConflict;
  /** Where the result workbook goes; `NAME.result.xlsx` beside the file when absent. */
  readonly out?: string;
  /** The result shows only the rows that need work, ready to be corrected and imported; a CSV holds no others. */
  readonly onlyProblems?: boolean;
  /** Where a page (.html) to hand over goes, with the counts, the problems and every change; none when absent. */
  readonly report?: string;
  /** What the user's own headers stand for, or the file that says so; `none` forgets what is remembered for the profile. */
  readonly map?: string | HeaderTable;
  /** The row that holds the headers; found when absent. */
  readonly headerRow?: number;
  /** Encoding of a CSV; found when absent. */
  readonly encoding?: string;
  /** Separator of a CSV; found when absent. */
  readonly delimiter?: string;
  /** Every row in the answer, not only those that are not plainly fine. */
  readonly allRows?: boolean;
}

/** What the options say, as the pipeline is asked for it. */
export function toRequest(
  file: string,
  options: ImportWorkbookOptions,
  { settings }: Session,
): ImportRequest {
  const { dryRun = false, strict = false, allowDelete = false, sheets = [], set = {}, as, out } = options;
  const { onConflict = 'skip', map, headerRow, encoding, delimiter } = options;
  const { headers, profile } = settings;
  const values = Object.entries(set).map(([field, text]) => ({ field, text }));
  const language = settings.lang;
  return {
    file,
    dryRun,
    strict,
    allowDelete,
    onConflict,
    only: sheets,
    set: values,
    as,
    out,
    onlyProblems: options.onlyProblems,
    report: options.report,
    ...{ map, headers, profile, headerRow, encoding, delimiter },
    locale: settings.locale,
    language,
  };
}

/** What a run came to. Throws what stopped it, after its result has been written. */
export async function toDocument(
  session: Session,
  result: ImportResult,
  options: ImportWorkbookOptions,
): Promise<ImportDocument> {
  if (result.stopped !== null) throw result.stopped;
  const { ledger } = session.context;
  const wording = { dryRun: result.dryRun, language: session.settings.lang, all: options.allRows === true };
  const rows: RowDocument[] = [];
  for await (const row of rowDocuments(eachRow(ledger, result.plan.run), wording)) rows.push(row);
  return { ...importHead(result, session.settings.lang), rows, ms: result.ms };
}
