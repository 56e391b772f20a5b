import type { Writable } from 'node:stream';
import { type Bilingual, type Language, t } from '../core/language.ts';
import type { Locale } from '../core/value.ts';
import { writeAside } from '../files/write-aside.ts';
import { listerOf } from '../kinds/kinds.ts';
import {
  type Chosen,
  EPOCH,
  type ExportedResource,
  type RecordList,
  type Selection,
} from '../records/listing.ts';
import type { Context } from '../run/context.ts';
import {
  checkExportTarget,
  type ExportFormat,
  exportTarget,
  refuseUnusedCsvFlags,
  wholeOrStop,
} from './export-target.ts';
import { exportColumns } from './listed-columns.ts';
import { productsIn } from './products-in.ts';
import { CellLosses } from './record-rows.ts';
import { findWatermark, rememberWatermark, WatermarkFollower } from './watermark.ts';
import { type ExportJob, fillBook, fillCsv, fillLines } from './write-records.ts';

/** What is exported, and how. */
interface ExportRequest {
  readonly resource: ExportedResource;
  readonly selection: Selection;
  /** What there is to say of how that was read. */
  readonly notes?: readonly Bilingual[];
  /** A file, `-` for stdout; the sheet's name in lower case when absent. */
  readonly out?: string | undefined;
  /** Told by the file's ending when absent. */
  readonly format?: ExportFormat | undefined;
  /** With the ingredient declaration. */
  readonly declaration: boolean;
  /** A file that is there already is replaced. */
  readonly overwrite: boolean;
  /** A CSV for programs: no byte order mark, no guard against formulas. */
  readonly raw: boolean;
  readonly delimiter?: string | undefined;
  /** How the numbers of a CSV are written. */
  readonly locale: Locale;
  readonly language: Language;
  /** Where `-` leads. */
  readonly stdout?: Writable;
}

/** What was exported. */
export interface ExportResult {
  /** Null for stdout. */
  readonly file: string | null;
  readonly format: ExportFormat;
  readonly service: string;
  readonly resource: string;
  /** The moment after which the records were modified; null where they were not chosen by it. */
  readonly since: string | null;
  readonly records: number;
  /** What each sheet holds, the records' own first; what did not fit on one sheet is counted with it. */
  readonly sheets: readonly { readonly sheet: string; readonly rows: number }[];
  /** False where records may be missing, as a note says; the next export since the last then begins where this one did. */
  readonly complete: boolean;
  /** The reader of stdout went away, or it takes no more: the export ended there. */
  readonly cutOff: boolean;
  readonly requests: number;
  readonly notes: readonly Bilingual[];
  readonly ms: number;
}

const SEPARATOR: Readonly<Record<Locale, string>> = { nl: ';', en: ',' };

/**
 * Writes what the service's lists hold of a resource to a file or stdout, batch by batch as it comes. A file is whole or not there: one
 * that is replaced stays as it was when anything fails. Throws StopError.
 */
export async function exportRecords(context: Context, request: ExportRequest): Promise<ExportResult> {
  const start = performance.now();
  const { resource, selection, overwrite, locale, language } = request;
  const target = exportTarget(resource, request.out, request.format);
  const { file, format } = target;
  refuseUnusedCsvFlags(format, { raw: request.raw, delimiter: request.delimiter });
  if (file !== null)
    await checkExportTarget(file, overwrite, selection.way === 'file' ? selection.file : undefined);
  const source = await openSource(context, request);
  const losses = new CellLosses();
  const options = { language, locale, csv: format !== 'xlsx', losses };
  const csv = { delimiter: request.delimiter ?? SEPARATOR[locale], locale, raw: request.raw };
  const counts = new Map<string, number>();
  const columns = exportColumns(resource);
  const { listed, following } = source;
  const work: ExportJob = { context, resource, columns, listed, following, options, csv, language, counts };
  const place = await wholeOrStop(context, file, () =>
    file === null ? toStream(work, format, request.stdout ?? process.stdout) : toFile(work, format, file),
  );
  // What slipped by is not in a later export that begins here.
  const complete = place.complete && listed.complete;
  const mark = complete ? following?.next() : undefined;
  if (mark !== undefined) await rememberWatermark(context, resource, mark);
  return {
    ...{ file: place.file, format, service: context.serviceName },
    ...{ resource: resource.name, since: source.since, records: counts.get(resource.sheet) ?? 0 },
    sheets: [...counts].map(([sheet, rows]) => ({ sheet, rows })),
    ...{ complete, cutOff: !place.complete },
    requests: context.service.stats.requests,
    notes: [
      ...(request.notes ?? []),
      ...(selection.way === 'last' ? (complete ? (following?.notes() ?? []) : [STAYS]) : []),
      ...[...listed.notes, ...losses.notes(), ...place.notes],
    ],
    ms: Math.round(performance.now() - start),
  };
}

/** The records of an export, and what follows them from export to export. */
interface ExportSource {
  readonly listed: RecordList;
  readonly since: string | null;
  /** Null for an export of some records only: the next one can't go on where it ended. */
  readonly following: WatermarkFollower | null;
}

async function openSource(context: Context, request: ExportRequest): Promise<ExportSource> {
  const { resource, selection, declaration, locale } = request;
  const exporter = listerOf(resource);
  const mark = selection.way === 'last' ? await findWatermark(context, resource) : undefined;
  const chosen: Chosen = selection.way === 'last' ? { way: 'since', moment: mark?.from ?? EPOCH } : selection;
  const listed = exporter.list(context, resource, chosen, {
    declaration,
    namedIn: (sheet, file, leftOut) => productsIn(context, sheet, file, locale, leftOut),
  });
  const since = chosen.way === 'since' && chosen.moment !== EPOCH ? chosen.moment : null;
  const follows =
    selection.way === 'last' || (selection.way === 'all' && exporter.ways(resource).includes('since'));
  if (!follows) return { listed, since, following: null };
  return { listed, since, following: new WatermarkFollower(resource, mark, context.clock()) };
}

const STAYS: Bilingual = t(
  'the next --since last begins where this one did, as records may be missing here',
  'de volgende --since last begint waar deze begon, omdat hier records kunnen ontbreken',
);

interface ExportPlace {
  readonly file: string | null;
  /** Everything was written, and nobody went away before the end. */
  readonly complete: boolean;
  readonly notes: readonly Bilingual[];
}

async function toStream(work: ExportJob, format: ExportFormat, stream: Writable): Promise<ExportPlace> {
  const complete = await (format === 'ndjson' ? fillLines(stream, work) : fillCsv(stream, work));
  return { file: null, complete, notes: [] };
}

async function toFile(work: ExportJob, format: ExportFormat, file: string): Promise<ExportPlace> {
  const { place, notes } = await writeAside(file, async (stream) => {
    if (format === 'xlsx') await fillBook(stream, file, work);
    else await (format === 'ndjson' ? fillLines(stream, work) : fillCsv(stream, work));
  });
  return { file: place, complete: true, notes };
}
