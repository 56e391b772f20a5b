import { knownDelimiter } from '../csv/csv-layout.ts';
import { type ExportResult, exportRecords as runExport } from '../export/export-records.ts';
import type { ExportFormat } from '../export/export-target.ts';
import { type SelectionOptions, selectionOf } from '../export/selection-options.ts';
import type { ExportedResource } from '../listing/lister.ts';
import { checkOptions } from './check-options.ts';
import { type ProgramOptions, withSession } from './with-session.ts';

/** Everything `catersheet export` can be told, as options; all have the same defaults. */
export interface ExportRecordsOptions extends ProgramOptions, SelectionOptions {
  /** A file, whose ending tells the format, or `-` for stdout; the sheet's name in lower case, in the folder where the program runs, when absent. */
  readonly out?: string;
  readonly format?: ExportFormat;
  /** A file that is there already is replaced. */
  readonly overwrite?: boolean;
  /** A CSV for programs: no byte order mark, no guard against formulas. */
  readonly raw?: boolean;
  /** Separator of a CSV. */
  readonly delimiter?: string;
}

/** What an export came to; what `catersheet export --json` prints. */
export type ExportDocument = Omit<ExportResult, 'notes' | 'cutOff'> & { readonly notes: readonly string[] };

/**
 * Exports records to a workbook, CSV or NDJSON, batch by batch as the service gives them: those that `since`, `from` and `to`,
 * `definitive` or `file` choose. Throws StopError; a file that was there is then as it was.
 */
export async function exportRecords(
  resource: ExportedResource,
  options: ExportRecordsOptions = {},
): Promise<ExportDocument> {
  checkOptions('export', options);
  return await withSession(options, undefined, async ({ context, settings }) => {
    const { out, format, declaration = false, overwrite = false, raw = false } = options;
    const { locale, lang: language } = settings;
    const { notes, cutOff, ...done } = await runExport(context, {
      ...{ resource, out, format, declaration, overwrite, raw, locale, language },
      ...selectionOf(resource, options, locale),
      delimiter: knownDelimiter(options.delimiter),
    });
    return { ...done, notes: notes.map((note) => note[language]) };
  });
}
