import type { Writable } from 'node:stream';
import { type Bilingual, t, withFlag } from '../core/language.ts';
import { dataStream } from '../core/standard-streams.ts';
import type { Locale } from '../core/value.ts';
import { writeAtomically } from '../files/write-aside.ts';
import { listerOf } from '../lists/lists.ts';
import { EPOCH, type ResolvedSelection } from '../records/listing.ts';
import type { Context } from '../run/context.ts';
import { type LookupLists, openLookupLists } from '../run/lookup-lists.ts';
import { RecordNames } from '../template/record-names.ts';
import { ColumnNames } from './column-names.ts';
import {
  checkExportTarget,
  type ExportFormat,
  type ExportTarget,
  exportTarget,
  refuseUnusedCsvFlags,
  wholeOrStop,
} from './export-target.ts';
import { exportColumns, unlistedNotes } from './listed-columns.ts';
import { productsIn } from './products-in.ts';
import { CellLosses } from './record-rows.ts';
import type { ExportKind } from './selection-options.ts';
import { findWatermark, rememberWatermark, WatermarkFollower } from './watermark.ts';
import { type ExportJob, fillBook, fillCsv, fillLines } from './write-records.ts';

interface ExportRequest extends Pick<ExportJob, 'raw' | 'locale' | 'language'> {
  /** One, or several for a workbook with a sheet of each. */
  readonly kinds: readonly ExportKind[];
  /** How the selection was read. */
  readonly notes?: readonly Bilingual[];
  /** A file, `-` for stdout; the sheets' names in lower case when absent. */
  readonly out?: string | undefined;
  /** By the file's extension when absent. */
  readonly format?: ExportFormat | undefined;
  /** Numbers in place of names. */
  readonly ids?: boolean;
  /** Replaces a file that is there already. */
  readonly overwrite: boolean;
  readonly delimiter?: string | undefined;
  /** The stream of `-`, where that is not stdout. */
  readonly stdout?: Writable;
}

/** What an export wrote. */
export interface ExportResult {
  /** Null for stdout. */
  readonly file: string | null;
  /** How it was written. */
  readonly format: ExportFormat;
  /** The base URL of the service; `sandbox` for the one on this machine. */
  readonly service: string;
  /** Null where it is of several kinds. */
  readonly resource: string | null;
  /** The moment after which all records were modified; null where they were not selected by one. */
  readonly since: string | null;
  /** Records written, of all kinds. */
  readonly records: number;
  /** What it is of, in the order of the sheets. */
  readonly kinds: readonly ExportedKind[];
  /** Rows by sheet, a kind's records first; rows that needed a further sheet are counted with the first. */
  readonly sheets: readonly {
    /** Its name. */
    readonly sheet: string;
    /** Rows under its header. */
    readonly rows: number;
  }[];
  /** False where records may be missing, as a note says; their kind's watermark stays where it was. */
  readonly complete: boolean;
  /** The export ended early, as the reader of stdout went away. */
  readonly cutOff: boolean;
  /** Requests sent. */
  readonly requests: number;
  readonly notes: readonly Bilingual[];
  /** How long it took, ms. */
  readonly ms: number;
}

/** What was written of one kind of records. */
interface ExportedKind {
  /** Such as `packages`. */
  readonly resource: string;
  /** Its sheet's name; where that is full, more sheets follow. */
  readonly sheet: string;
  /** The moment after which its records were modified; null where they were not selected by one. */
  readonly since: string | null;
  /** How many there are. */
  readonly records: number;
  /** False where some may be missing, as a note says. */
  readonly complete: boolean;
}

const SEPARATOR: Readonly<Record<Locale, string>> = { nl: ';', en: ',' };

/**
 * Writes the records of the lists of one or several kinds to a file or stdout, batch by batch as they come.
 * When anything fails, the file stays as it was. Throws StopError.
 */
export async function exportRecords(context: Context, request: ExportRequest): Promise<ExportResult> {
  const start = context.time.steady();
  const { kinds, overwrite } = request;
  const target = exportTarget(
    kinds.map(({ resource }) => resource),
    request.out,
    request.format,
  );
  const { file, format } = target;
  refuseUnusedCsvFlags(format, { raw: request.raw, delimiter: request.delimiter });
  const sources = kinds.flatMap(({ selection }) => (selection.way === 'file' ? selection.file : []));
  if (file !== null) await checkExportTarget(file, overwrite, sources[0]);
  const jobs: OpenJob[] = [];
  // NDJSON and a raw CSV are for programs, which go by ids.
  const named = request.ids !== true && !request.raw && format !== 'ndjson';
  const lists = named ? openLookupLists(context) : null;
  for (const kind of kinds) jobs.push(await openJob(context, request, target, { ...kind, lists }));
  const stdout = request.stdout ?? dataStream();
  const place = await wholeOrStop(context, file, () => writeTo(target, stdout, jobs));
  const told = await Promise.all(jobs.map((job) => endJob(job, place.complete)));
  const [first] = told;
  const sinces = new Set(told.map(({ since }) => since));
  return {
    ...{ file: place.file, format, service: context.serviceName },
    resource: told.length > 1 ? null : (first?.resource ?? null),
    since: sinces.size > 1 ? null : (first?.since ?? null),
    records: told.reduce((sum, { records }) => sum + records, 0),
    kinds: told.map(({ resource, sheet, since, records, complete }) => {
      return { resource, sheet, since, records, complete };
    }),
    sheets: jobs.flatMap(({ counts }) => [...counts].map(([sheet, rows]) => ({ sheet, rows }))),
    ...{ complete: told.every(({ complete }) => complete), cutOff: !place.complete },
    requests: context.service.stats.requests,
    notes: [
      ...(request.notes ?? []),
      ...told.flatMap(({ sheet, notes }) =>
        told.length > 1 ? notes.map(({ en, nl }) => t(`${sheet}: ${en}`, `${sheet}: ${nl}`)) : notes,
      ),
      ...place.notes,
    ],
    ms: Math.round(context.time.steady() - start),
  };
}

/** The export of one kind, under way. */
interface OpenJob extends ExportJob {
  readonly kind: ExportKind;
  readonly since: string | null;
}

async function openJob(
  context: Context,
  { raw, locale, language, delimiter, stdout }: ExportRequest,
  { file, format }: ExportTarget,
  { lists, ...kind }: ExportKind & { readonly lists: LookupLists | null },
): Promise<OpenJob> {
  const { resource } = kind;
  const columns = exportColumns(resource, lists !== null);
  return {
    ...{ context, kind, resource, columns, language, locale, raw },
    ...(await openSource(context, kind, locale)),
    ...{ counts: new Map(), losses: new CellLosses() },
    names: lists === null ? null : new ColumnNames(lists, columns, language),
    beside: lists === null ? null : new RecordNames(context, resource),
    csv: format !== 'xlsx',
    delimiter: delimiter ?? SEPARATOR[locale],
    oneLine: file === null && stdout === undefined && process.stdout.isTTY === true,
  };
}

/** Remembers how far the export of a kind is, and says what came of it; `whole`: all of it was written. */
async function endJob(
  job: OpenJob,
  whole: boolean,
): Promise<ExportedKind & { readonly notes: readonly Bilingual[] }> {
  const { context, kind, resource, listed, following, counts, since, losses, names, beside } = job;
  // A later export that begins here would not hold what this one missed.
  const complete = whole && listed.complete;
  const mark = complete ? following?.next() : undefined;
  if (mark !== undefined) await rememberWatermark(context, resource, mark);
  const last = kind.selection.way === 'last' ? (complete ? (following?.notes() ?? []) : [STAYS]) : [];
  return {
    ...{ resource: resource.name, sheet: resource.sheet, since, complete },
    records: counts.get(resource.sheet) ?? 0,
    notes: [
      ...[...unlistedNotes(resource), ...last, ...listed.notes, ...otherNotes(kind), ...losses.notes()],
      ...[...(names?.notes() ?? []), ...(beside?.notes() ?? [])],
    ],
  };
}

/** The records; `following` is null where only some are selected: the next export can't go on from there. */
async function openSource(
  context: Context,
  { resource, selection, declaration }: ExportKind,
  locale: Locale,
): Promise<Pick<OpenJob, 'listed' | 'since' | 'following'>> {
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
  return { listed, since, following: new WatermarkFollower(resource, mark, context.time) };
}

/** Says which fields a list may leave empty, and what asks for them. */
function otherNotes({ resource, declaration, selection }: ExportKind): readonly Bilingual[] {
  const isChosen = (option: string): boolean =>
    option === '--declaration' ? declaration : selection.way === 'since' || selection.way === 'last';
  const others = (listerOf(resource).others?.(resource) ?? []).filter(({ option }) => !isChosen(option));
  return others.map(({ fields, option }) => {
    const names = fields.join(', ');
    return t(
      `${names}: may be empty in the list that was read; ${option} asks for it, and an import leaves empty cells alone`,
      `${names}: kan leeg zijn in de lijst die gelezen is; ${option} vraagt erom, en een import laat lege cellen met rust`,
    );
  });
}

const STAYS: Bilingual = withFlag(
  t(
    'the next export since the last one begins where this one did, as records may be missing here',
    'de volgende export sinds de vorige begint waar deze begon, omdat hier records kunnen ontbreken',
  ),
  '--since last',
);

async function writeTo(
  { file, format }: ExportTarget,
  stdout: Writable,
  jobs: readonly ExportJob[],
): Promise<{ file: string | null; complete: boolean; notes: readonly Bilingual[] }> {
  const [job] = jobs as readonly [ExportJob];
  const fill = (stream: Writable) => (format === 'ndjson' ? fillLines(stream, job) : fillCsv(stream, job));
  if (file === null) return { file, complete: await fill(stdout), notes: [] };
  const { place, notes } = await writeAtomically(file, async (stream) => {
    await (format === 'xlsx' ? fillBook(stream, file, jobs) : fill(stream));
  });
  return { file: place, complete: true, notes };
}
