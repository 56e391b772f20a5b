import { basename } from 'node:path';
import type { Writable } from 'node:stream';
import { EXIT, StopError } from '../core/errors.ts';
import { stopsRow } from '../core/issue.ts';
import { asTyped, type Bilingual, type Form, t, withFlag } from '../core/language.ts';
import { dataStream } from '../core/standard-streams.ts';
import type { Locale, Value } from '../core/value.ts';
import { writeAtomically } from '../files/write-aside.ts';
import { newReading, readRows } from '../import/map/read-rows.ts';
import { recogniseSheets } from '../import/map/recognise.ts';
import { finderOf } from '../kinds/kinds.ts';
import type { RowParent } from '../kinds/row-parent.ts';
import { createProducts } from '../kinds/stock/articles.ts';
import type { StockRow } from '../kinds/stock/products.ts';
import { listerOf } from '../lists/lists.ts';
import { EPOCH, type LeftOut, type ResolvedSelection } from '../records/listing.ts';
import type { MappedRow } from '../records/mapped-row.ts';
import { createReferences } from '../records/references.ts';
import type { Context } from '../run/context.ts';
import { type LookupLists, openLookupLists } from '../run/lookup-lists.ts';
import type { CountResource } from '../schema/resource.ts';
import { recordNames } from '../template/record-names.ts';
import { readWorkbook } from '../workbook/read-workbook.ts';
import { columnNames, exportColumns, unlistedNotes } from './export-columns.ts';
import {
  checkExportTarget,
  type ExportFormat,
  type ExportTarget,
  exportTarget,
  wholeOrStop,
} from './export-target.ts';
import type { ExportKind } from './selection-options.ts';
import { findWatermark, followWatermark, rememberWatermark } from './watermark.ts';
import { cellLosses, type ExportJob, fillBook, fillCsv, fillLines } from './write-records.ts';

interface ExportRequest extends Pick<ExportJob, 'locale' | 'language'> {
  /** One, or several for a workbook with a sheet of each. */
  readonly kinds: readonly ExportKind[];
  /** How the selection was read. */
  readonly notes?: readonly Bilingual[];
  /** How notes are said. */
  readonly form?: Form | undefined;
  /** A file, `-` for stdout; the sheets' names in lower case when absent. */
  readonly out?: string | undefined;
  /** By the file's extension when absent. */
  readonly format?: ExportFormat | undefined;
  /** Numbers in place of names. */
  readonly ids?: boolean | undefined;
  /** Replaces a file that is there already. */
  readonly overwrite?: boolean | undefined;
  readonly delimiter?: string | undefined;
  /** The stream of `-`, where that is not stdout. */
  readonly stdout?: Writable | undefined;
}

/** The outcome of an export; what `catersheet export --json` prints. */
export interface ExportDocument {
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
  /** Requests sent. */
  readonly requests: number;
  /** What there is to know about it, in the language of `lang`. */
  readonly notes: readonly string[];
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

/** By the locale of its numbers. */
export const SEPARATOR: Readonly<Record<Locale, string>> = { nl: ';', en: ',' };

/**
 * Writes the records of the lists of one or several kinds to a file or stdout, batch by batch as they come.
 * `cutOff`: it ended early, as the reader of stdout went away. When anything fails, the file stays as it was.
 * Throws StopError.
 */
export async function exportRecords(
  context: Context,
  request: ExportRequest,
): Promise<{ readonly document: ExportDocument; readonly cutOff: boolean }> {
  const start = context.time.steady();
  const { kinds, language, form = asTyped } = request;
  const target = exportTarget(
    kinds.map(({ resource }) => resource),
    request,
  );
  const { file, format } = target;
  const [source] = kinds.flatMap(({ selection }) => (selection.way === 'file' ? selection.file : []));
  if (file !== null) await checkExportTarget(file, request.overwrite === true, source);
  // NDJSON is for programs, which go by ids.
  const lists = request.ids === true || format === 'ndjson' ? null : openLookupLists(context);
  const jobs: OpenJob[] = [];
  for (const kind of kinds) jobs.push(await openJob(context, request, target, kind, lists));
  const stdout = request.stdout ?? dataStream();
  const place = await wholeOrStop(context, file, () => writeTo(target, stdout, jobs));
  const told = await Promise.all(jobs.map((job) => endJob(job, place.complete)));
  const [first] = told as [(typeof told)[0]];
  const notes = told.flatMap((one) =>
    told.length === 1
      ? one.notes
      : one.notes.map(({ en, nl }) => t(`${one.kind.sheet}: ${en}`, `${one.kind.sheet}: ${nl}`)),
  );
  const document: ExportDocument = {
    ...{ file: place.file, format, service: context.serviceName },
    resource: told.length > 1 ? null : first.kind.resource,
    since: told.every(({ kind }) => kind.since === first.kind.since) ? first.kind.since : null,
    records: told.reduce((sum, { kind }) => sum + kind.records, 0),
    kinds: told.map(({ kind }) => kind),
    sheets: jobs.flatMap(({ counts }) => [...counts].map(([sheet, rows]) => ({ sheet, rows }))),
    complete: told.every(({ kind }) => kind.complete),
    requests: context.service.stats.requests,
    notes: [...(request.notes ?? []), ...notes, ...place.notes].map((note) => form(note)[language]),
    ms: Math.round(context.time.steady() - start),
  };
  return { document, cutOff: !place.complete };
}

/** The export of one kind, under way. */
interface OpenJob extends ExportJob {
  readonly kind: ExportKind;
  readonly since: string | null;
}

async function openJob(
  context: Context,
  { locale, language, delimiter, stdout }: ExportRequest,
  { file, format }: ExportTarget,
  kind: ExportKind,
  lists: LookupLists | null,
): Promise<OpenJob> {
  const { resource, selection, declaration } = kind;
  const lister = listerOf(resource);
  const isLast = selection.way === 'last';
  const mark = isLast ? await findWatermark(context, resource) : undefined;
  const chosen: ResolvedSelection = isLast ? { way: 'since', moment: mark?.from ?? EPOCH } : selection;
  const listed = lister.list({ ...context, resource }, chosen, {
    declaration,
    namedIn: (sheet, from, leftOut) => productsIn(context, sheet, from, locale, leftOut),
  });
  // Where only some are selected, the next export can't go on from there.
  const follows = isLast || (selection.way === 'all' && lister.ways(resource).includes('since'));
  const columns = exportColumns(resource, lists !== null);
  return {
    ...{ context, kind, resource, columns, language, locale, listed },
    since: chosen.way === 'since' && chosen.moment !== EPOCH ? chosen.moment : null,
    following: follows ? followWatermark(resource, mark, context.time) : null,
    ...{ counts: new Map(), losses: cellLosses() },
    names: lists === null ? null : columnNames(lists, columns, language),
    beside: lists === null ? null : recordNames(context, resource),
    csv: format !== 'xlsx',
    delimiter: delimiter ?? SEPARATOR[locale],
    oneLine: file === null && stdout === undefined && process.stdout.isTTY === true,
  };
}

/** Remembers how far the export of a kind is, and says what came of it; `whole`: all of it was written. */
async function endJob(
  job: OpenJob,
  whole: boolean,
): Promise<{ readonly kind: ExportedKind; readonly notes: readonly Bilingual[] }> {
  const { context, kind, resource, listed, following, counts, since, losses, names, beside } = job;
  // A later export that begins here would not hold what this one missed.
  const complete = whole && listed.complete;
  const mark = complete ? following?.next() : undefined;
  if (mark !== undefined) await rememberWatermark(context, resource, mark);
  const last = kind.selection.way === 'last' ? (complete ? (following?.notes() ?? []) : [STAYS]) : [];
  const records = counts.get(resource.sheet) ?? 0;
  return {
    kind: { resource: resource.name, sheet: resource.sheet, since, records, complete },
    notes: [
      ...[...unlistedNotes(resource), ...last, ...listed.notes, ...otherNotes(kind), ...losses.notes()],
      ...[...(names?.notes() ?? []), ...(beside?.notes() ?? [])],
    ],
  };
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

/**
 * The ids of the products that a workbook or CSV names, by any key of a count, in the order of the file, with
 * the Artikelnummer of those that are found by one; `leftOut` collects the rows that name none. Throws StopError with EXIT.file where there
 * is no product.
 */
async function productsIn(
  context: Context,
  resource: CountResource,
  file: string,
  locale: Locale,
  leftOut: LeftOut,
): Promise<ReadonlyMap<number, Value | undefined>> {
  const { product, keys } = resource;
  const workbook = await readWorkbook(file, {});
  const names = keys.map((field) => ({ header: inProducts(field), field, resource: null }));
  const wishes = { resources: [resource], as: resource, names, only: [], set: [] };
  const ids = new Map<number, Value | undefined>();
  const references = createReferences(context, '', finderOf);
  const lists = openLookupLists(context);
  const productOf = createProducts({ ...context, resource, run: '' }, { references, lists });
  const find = async (one: MappedRow): Promise<void> => {
    const { values, issues, row } = one;
    const key = keys.find((name) => values[name] != null);
    if (key === undefined) {
      if (stopsRow(issues))
        leftOut.add('unread', issues.find(({ address }) => address !== null)?.address ?? `${row}`);
      return;
    }
    const id = values[product];
    const found: RowParent = typeof id === 'number' ? { id } : await productOf(one as StockRow);
    const named = `${inProducts(key)} ${values[key]}`;
    if ('id' in found) ids.set(found.id, found.article ?? ids.get(found.id));
    else if ('code' in found && found.code === 'reference-ambiguous')
      leftOut.add('several', `${named} (${found.hint})`);
    else leftOut.add('unknown', named);
  };
  for (const sheet of await recogniseSheets(workbook, wishes)) {
    if (sheet.kind !== 'import') continue;
    const rows = readRows(sheet.sheet, sheet.mapping, { locale, strict: false }, newReading());
    for await (const records of rows) for (const row of records) await find(row);
  }
  if (ids.size === 0) throw noProductNamed(file, keys.map(inProducts), leftOut);
  return ids;
}

/** How the sheets of products call what the stock sheets call by a name with a dot. */
const inProducts = (key: string): string => key.split('.').at(-1) ?? key;

/** That a file names no product to put in a sheet, with what stands there instead. */
function noProductNamed(file: string, keys: readonly string[], leftOut: LeftOut): StopError {
  const why = leftOut.notes();
  const [en, nl] = [why.map((note) => ` (${note.en})`).join(''), why.map((note) => ` (${note.nl})`).join('')];
  return new StopError(
    EXIT.file,
    t(
      `${basename(file)} names no product that can be in the sheet${en}.`,
      `${basename(file)} noemt geen product dat op het werkblad kan komen${nl}.`,
    ),
    {
      next: t(
        `Give it a column ${keys.join(' or ')}, with a product in each row, then export again.`,
        `Geef het een kolom ${keys.join(' of ')}, met in elke rij een product, en exporteer dan opnieuw.`,
      ),
    },
  );
}
