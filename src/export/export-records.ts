import type { Writable } from 'node:stream';
import { type Bilingual, t } from '../core/language.ts';
import { dataStream } from '../core/standard-streams.ts';
import type { Locale } from '../core/value.ts';
import { writeAtomically } from '../files/write-aside.ts';
import { listerOf } from '../kinds/kinds.ts';
import { lateDoubleNotes } from '../records/late-doubles.ts';
import {
  EPOCH,
  type OtherList,
  type RecordList,
  type ResolvedSelection,
  type Selection,
} from '../records/listing.ts';
import type { Context } from '../run/context.ts';
import { AbsentMembers } from './absent-members.ts';
import {
  checkExportTarget,
  type ExportFormat,
  exportTarget,
  refuseUnusedCsvFlags,
  wholeOrStop,
} from './export-target.ts';
import { exportColumns, unlistedNotes } from './listed-columns.ts';
import { productsIn } from './products-in.ts';
import { CellLosses } from './record-rows.ts';
import { findWatermark, rememberWatermark, WatermarkFollower } from './watermark.ts';
import { type ExportJob, fillBook, fillCsv, fillLines } from './write-records.ts';

interface ExportRequest extends Pick<ExportJob, 'resource' | 'raw' | 'locale' | 'language'> {
  readonly selection: Selection;
  /** How ambiguous dates of the selection were read. */
  readonly notes?: readonly Bilingual[];
  /** A file, `-` for stdout; the sheet's name in lower case when absent. */
  readonly out?: string | undefined;
  /** By the file's extension when absent. */
  readonly format?: ExportFormat | undefined;
  /** With the ingredient declaration. */
  readonly declaration: boolean;
  /** Replaces a file that is there already. */
  readonly overwrite: boolean;
  readonly delimiter?: string | undefined;
  /** The stream of `-`. */
  readonly stdout?: Writable;
}

/** What an export wrote. */
export interface ExportResult {
  /** Null for stdout. */
  readonly file: string | null;
  readonly format: ExportFormat;
  readonly service: string;
  readonly resource: string;
  /** The moment after which the records were modified; null where they were not selected by it. */
  readonly since: string | null;
  readonly records: number;
  /** Rows by sheet, the records' own first; rows that needed a further sheet are counted with the first. */
  readonly sheets: readonly { readonly sheet: string; readonly rows: number }[];
  /** False where records may be missing, as a note says; the watermark then stays where it was. */
  readonly complete: boolean;
  /** The export ended early, as the reader of stdout went away. */
  readonly cutOff: boolean;
  readonly requests: number;
  readonly notes: readonly Bilingual[];
  readonly ms: number;
}

const SEPARATOR: Readonly<Record<Locale, string>> = { nl: ';', en: ',' };

/**
 * Writes the records of a resource's list to a file or stdout, batch by batch as they come. When anything
 * fails, the file stays as it was. Throws StopError.
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
  const { listed, following } = source;
  const [counts, losses, columns] = [new Map<string, number>(), new CellLosses(), exportColumns(resource)];
  const absent = new AbsentMembers(columns, otherLists(request));
  const job: ExportJob = {
    ...{ context, resource, columns, listed, following, counts, losses, absent },
    ...{ language, locale, csv: format !== 'xlsx', raw: request.raw },
    delimiter: request.delimiter ?? SEPARATOR[locale],
    oneLine: file === null && process.stdout.isTTY === true,
  };
  const place = await wholeOrStop(context, file, () => writeTo(target, request.stdout ?? dataStream(), job));
  // A later export that begins here would not hold what this one missed.
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
      ...unlistedNotes(resource),
      ...(selection.way === 'last' ? (complete ? (following?.notes() ?? []) : [STAYS]) : []),
      ...[
        ...listed.notes,
        ...absent.notes(),
        ...losses.notes(),
        ...place.notes,
        ...(await lateDoubleNotes(context)),
      ],
    ],
    ms: Math.round(performance.now() - start),
  };
}

/** The records; `following` is null where only some are selected: the next export can't go on from there. */
async function openSource(
  context: Context,
  request: ExportRequest,
): Promise<{ listed: RecordList; since: string | null; following: WatermarkFollower | null }> {
  const { resource, selection, declaration, locale } = request;
  const lister = listerOf(resource);
  const mark = selection.way === 'last' ? await findWatermark(context, resource) : undefined;
  const chosen: ResolvedSelection =
    selection.way === 'last' ? { way: 'since', moment: mark?.from ?? EPOCH } : selection;
  const listed = lister.list({ ...context, resource }, chosen, {
    declaration,
    namedIn: (sheet, file, leftOut) => productsIn(context, sheet, file, locale, leftOut),
  });
  const since = chosen.way === 'since' && chosen.moment !== EPOCH ? chosen.moment : null;
  const follows =
    selection.way === 'last' || (selection.way === 'all' && lister.ways(resource).includes('since'));
  if (!follows) return { listed, since, following: null };
  return { listed, since, following: new WatermarkFollower(resource, mark, context.clock()) };
}

/** The ways to list these records that the user did not choose. */
function otherLists({ resource, declaration, selection }: ExportRequest): readonly OtherList[] {
  const isChosen = (option: string): boolean =>
    option === '--declaration' ? declaration : selection.way === 'since' || selection.way === 'last';
  return (listerOf(resource).others?.(resource) ?? []).filter(({ option }) => !isChosen(option));
}

const STAYS: Bilingual = t(
  'the next --since last begins where this one did, as records may be missing here',
  'de volgende --since last begint waar deze begon, omdat hier records kunnen ontbreken',
);

async function writeTo(
  { file, format }: ReturnType<typeof exportTarget>,
  stdout: Writable,
  job: ExportJob,
): Promise<{ file: string | null; complete: boolean; notes: readonly Bilingual[] }> {
  const fill = (stream: Writable) => (format === 'ndjson' ? fillLines(stream, job) : fillCsv(stream, job));
  if (file === null) return { file, complete: await fill(stdout), notes: [] };
  const { place, notes } = await writeAtomically(file, async (stream) => {
    await (format === 'xlsx' ? fillBook(stream, file, job) : fill(stream));
  });
  return { file: place, complete: true, notes };
}
