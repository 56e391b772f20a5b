import { readSheets as lookInto } from '../import/read-sheets.ts';
import type { SheetsDocument } from '../import/sheets-document.ts';
import { checkOptions, type OptionsOf } from '../options/options.ts';
import { resources } from '../resources/registry.ts';
import { type Session, withSession } from '../session/open-session.ts';
import { resourceNamed } from './resource-named.ts';

export type * from '../import/sheets-document.ts';

/** How a file is looked into: the options of an import that say how it is read. */
type ReadSheetsOptions = OptionsOf<'readSheets'>;

/**
 * What an import of a workbook or CSV would take its sheets and columns for: nothing is planned or sent, and
 * the service is asked nothing. Only the top of each sheet is read. What it should be taken for instead goes
 * into `choices`, here and in an import. Throws StopError for a file that can't be read, and for options and
 * choices that name what is not there.
 */
export async function readSheets(file: string, options: ReadSheetsOptions = {}): Promise<SheetsDocument> {
  const given = checkOptions('readSheets', options, { file });
  return await withSession(given, undefined, (session) => readSheetsIn(session, file, given));
}

/** The same within a session, with the headers that are remembered for its profile. */
export async function readSheetsIn(
  { context, settings }: Session,
  file: string,
  options: ReadSheetsOptions & { readonly command?: string },
): Promise<SheetsDocument> {
  const { as, sheets = [], set = {}, locale = settings.locale, ...reading } = options;
  const { headers, profile, lang: language } = settings;
  return await lookInto(context, {
    ...reading,
    ...{ file, headers, profile, locale, language, only: sheets },
    as: as === undefined ? undefined : resourceNamed(as, resources),
    set: Object.entries(set).map(([field, text]) => ({ field, text })),
  });
}
