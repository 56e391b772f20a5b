import type { Writable } from 'node:stream';
import { EXIT, type ExitCode, StopError, usageStop } from '../core/errors.ts';
import { type Bilingual, type Form, t } from '../core/language.ts';
import { knownDelimiter } from '../csv/csv-layout.ts';
import { type ExportDocument, exportRecords as runExport } from '../export/export-records.ts';
import { withDays } from '../export/named-period.ts';
import { kindsOf } from '../export/selection-options.ts';
import type { FinanceDocument } from '../finance/export-finance.ts';
import { isExported, listerOf } from '../lists/lists.ts';
import { checkOptions, type OptionsOf, ownOptions } from '../options/options.ts';
import type { ExportedResource } from '../records/listing.ts';
import { finance } from '../resources/finance.ts';
import { resources } from '../resources/registry.ts';
import { wallClock } from '../run/context.ts';
import type { Resource } from '../schema/resource.ts';
import { type Session, withSession } from '../session/open-session.ts';
import { resourceNamed } from './resource-named.ts';

/** The options of a finance export. */
type ExportFinanceOptions = OptionsOf<'exportFinance'> &
  (
    | { readonly from: string; readonly to: string }
    /** Such as `last-month` or `2026-11`. */
    | { readonly period: string }
  );

/** The resources that can be exported, in the order of the registry. */
export const exportedResources: readonly ExportedResource[] = resources.filter(isExported);

/** The name of a resource's export on the command line. */
export const exportName = (resource: ExportedResource): string => listerOf(resource).called ?? resource.name;

/** The export of a period, made of several kinds of records. */
export const FINANCE = 'finance';

/** What `export` takes. */
export const EXPORT_NAMES: readonly string[] = [...exportedResources.map(exportName), FINANCE];

/**
 * Exports records to a workbook, CSV or NDJSON: those chosen by `since`, `from` and `to`, `definitive` or
 * `file`. Several resources, each by itself or by its name, go into one workbook. Throws StopError; a file
 * that existed is then unchanged.
 */
export async function exportRecords(
  resource: ExportedResource | string | readonly (ExportedResource | string)[],
  options: OptionsOf<'exportRecords'> = {},
): Promise<ExportDocument> {
  const given = checkOptions('exportRecords', options);
  const named = [resource].flat().map(exportedNamed);
  return await withSession(given, undefined, async (session) => {
    const work = () => exportIn(session, named, given);
    const { stream } = given;
    return (stream === undefined ? await work() : await unlessFailed(stream, work)).document;
  });
}

/** Does work that writes to a stream. Throws StopError where the stream fails meanwhile. */
async function unlessFailed<T>(stream: Writable, work: () => Promise<T>): Promise<T> {
  let cause: Error | undefined;
  const onError = (error: Error): void => {
    cause = error;
  };
  stream.on('error', onError);
  try {
    const result = await work();
    if (cause !== undefined) throw new StopError(EXIT.fault, noStream(cause), { cause });
    return result;
  } finally {
    stream.off('error', onError);
  }
}

const noStream = ({ message }: Error): Bilingual =>
  t(`What it is written to fails: ${message}`, `Waar het heen geschreven wordt, geeft een fout: ${message}`);

/**
 * Writes a period as one workbook: an overview of formulas with a chart, events, arrangements, trips, the
 * stock mutations that this program sent, the bookings, and a manifest; or, by `format`, the bookings alone as a
 * CSV. Resolves to what `catersheet export finance --json`
 * prints, amounts as decimal text. Throws StopError; a file that existed is then unchanged.
 */
export async function exportFinance(options: ExportFinanceOptions): Promise<FinanceDocument> {
  const given = checkOptions('exportFinance', options);
  return await withSession(given, undefined, (session) => financeIn(session, given));
}

const NOTHING: Bilingual = t('No kind of records is named.', 'Er is geen soort records genoemd.');
const NOTHING_NEXT: Bilingual = t(
  `Name one or more of: ${exportedResources.map(exportName).join(', ')}.`,
  `Noem een of meer van: ${exportedResources.map(exportName).join(', ')}.`,
);

/** A resource that can be exported. Throws StopError with EXIT.usage for another one, or an unknown name. */
export function exportedNamed(given: ExportedResource | string): ExportedResource {
  const found = resourceNamed(given, exportedResources, exportName);
  return isExported(found)
    ? found
    : resourceNamed(String((found as Resource).name), exportedResources, exportName);
}

const TWO_PLACES: Bilingual = t(
  'An export goes to a file or to a stream, not to both.',
  'Een export gaat naar een bestand of naar een stream, niet naar allebei.',
);
const TWO_PLACES_NEXT: Bilingual = t('Leave one of them out.', 'Laat een van beide weg.');

/** Exports records within a session. Throws StopError with EXIT.usage for options that nothing goes by. */
export async function exportIn(
  session: Session,
  resources: readonly ExportedResource[],
  { stream, ...others }: OptionsOf<'exportRecords'>,
  form?: Form,
): Promise<{ readonly document: ExportDocument; readonly cutOff: boolean }> {
  const { context, settings } = session;
  if (stream !== undefined && others.out !== undefined) throw usageStop(TWO_PLACES, TWO_PLACES_NEXT);
  const today = wallClock(context.time.now()).slice(0, 10);
  const options = withDays(stream === undefined ? others : { ...others, out: '-' }, today);
  const named = [...new Set(resources)];
  if (named.length === 0) throw usageStop(NOTHING, NOTHING_NEXT);
  const { locale, lang: language } = settings;
  return await runExport(context, {
    ...ownOptions(options),
    ...{ locale, language, form, stdout: stream },
    ...kindsOf(named, { ...options, locale }),
    delimiter: knownDelimiter(options.delimiter),
  });
}

/** Exports a period within a session. */
export async function financeIn(
  session: Session,
  given: OptionsOf<'exportFinance'>,
  form?: Form,
): Promise<FinanceDocument> {
  // An import knows the kinds that can be exported, and needs nothing of finance.
  const { exportFinance: write } = await import('../finance/export-finance.ts');
  const { context, settings } = session;
  const options = withDays(given, wallClock(context.time.now()).slice(0, 10));
  const { lang: language, locale } = settings;
  return await write(context, {
    ...ownOptions(options),
    ...{ definition: finance, language, locale, form },
    delimiter: knownDelimiter(options.delimiter),
  });
}

/** The exit code of an export: EXIT.rows where records may be missing. */
export const exitCodeOfExport = ({ complete }: { readonly complete: boolean }): ExitCode =>
  complete ? EXIT.ok : EXIT.rows;
