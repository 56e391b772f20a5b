import type { Row } from '../../core/cell.ts';
import { t } from '../../core/language.ts';
import { ARCHIVE, EXPORT_AS_XLSX, notWorkbook, unread } from '../../files/file-kind.ts';
import { DEFAULT_LIMITS, type ReadLimits } from '../../files/limits.ts';
import { makeSheet, newLayout, type Sheet, type SheetLayout } from '../../files/sheet.ts';
import { DAMAGE, DamagedPart, fileProblem } from '../damage.ts';
import { readZipDirectory, type ZipEntry } from '../zip/read-zip.ts';
import type { CellContext } from './cells.ts';
import { findPart, partChunks, readRelationships, requirePart, type WorkbookPackage } from './package.ts';
import { noteParts, noteTables } from './sheet-objects.ts';
import { sheetScanner } from './sheet-scanner.ts';
import { readSharedStrings, readStyles, readWorkbookPart } from './workbook-part.ts';

type WorkbookPart = Awaited<ReturnType<typeof readWorkbookPart>>;

interface XlsxOptions {
  readonly limits?: Partial<ReadLimits>;
  readonly signal?: AbortSignal;
}

/** The worksheets of an XLSX file in workbook order; rows are read when iterated. Throws StopError. */
export async function readXlsx(file: string, options: XlsxOptions): Promise<Sheet[]> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  try {
    const { source, entry } = await openPackage(file, limits, options.signal);
    const workbook = await readWorkbookPart(source, entry);
    let loaded: Promise<CellContext> | undefined;
    const context = (): Promise<CellContext> => (loaded ??= readContext(source, workbook));
    return workbook.sheets.map((listed) => {
      const layout = newLayout();
      const read = (columns?: ReadonlySet<number>) => readRows(source, listed, context, layout, columns);
      return makeSheet(listed.name, listed.hidden, read, layout);
    });
  } catch (cause) {
    throw fileProblem(file, cause);
  }
}

/** A package and its workbook part. Throws DamagedPart for another kind of document, saying what it is. */
export async function openPackage(file: string, limits: ReadLimits, signal?: AbortSignal) {
  const directory = await readZipDirectory(file, limits);
  const source: WorkbookPackage = { file, directory, limits, signal, unpacked: new Map(), owners: new Map() };
  const relationships = await readRelationships(source, '');
  const main = relationships.find((relationship) => relationship.type === 'officeDocument');
  const entry = findPart(source, main?.target ?? 'xl/workbook.xml') ?? findPart(source, 'xl/workbook.xml');
  refuseOtherPackage(source, entry);
  if (entry === undefined) throw new DamagedPart(DAMAGE.noSheets);
  return { source, entry };
}

/** Shared texts and styles, which every sheet needs, are read once, when a row is first asked for. */
async function readContext(
  source: WorkbookPackage,
  { sharedStrings, styles, date1904, iterates }: WorkbookPart,
): Promise<CellContext> {
  return {
    texts: sharedStrings === undefined ? [] : await readSharedStrings(source, sharedStrings),
    styles: styles === undefined ? [] : await readStyles(source, styles),
    ...{ date1904, iterates },
  };
}

async function* readRows(
  source: WorkbookPackage,
  listed: WorkbookPart['sheets'][number],
  context: () => Promise<CellContext>,
  layout: SheetLayout,
  columns: ReadonlySet<number> | undefined,
): AsyncGenerator<Row[]> {
  try {
    const entry = requirePart(source, listed.part);
    const cells = { ...(await context()), columns, sheet: listed.name };
    const sheet = sheetScanner(cells, source.limits.tokenBytes, layout);
    const parts = await noteTables(source, entry.name, layout);
    for await (const chunk of partChunks(source, entry)) {
      const rows = sheet.take(chunk);
      if (rows.length > 0) yield rows;
    }
    sheet.finish();
    await noteParts(source, parts, layout);
  } catch (cause) {
    throw fileProblem(source.file, cause, listed.name);
  }
}

/** Zips of other programs, by a name in their directory; the first that fits counts. */
const OTHERS: readonly (readonly [RegExp, ReturnType<typeof notWorkbook>])[] = [
  [/^xl\/workbook\.bin$/i, unread('a binary workbook (.xlsb)', 'een binaire werkmap (.xlsb)', 'die')],
  [/^word\//i, notWorkbook('a Word document', 'een Word-document')],
  [/^ppt\//i, notWorkbook('a PowerPoint presentation', 'een PowerPoint-presentatie')],
  [/^content\.xml$/i, unread('an OpenDocument file (.ods)', 'een OpenDocument-bestand (.ods)')],
  [/^Index\/.*\.iwa$|^Index\.zip$/, unread('a Numbers document', 'een Numbers-document')],
];

/** Throws DamagedPart for a zip that is another kind of document, saying what it is. */
function refuseOtherPackage(source: WorkbookPackage, workbook: ZipEntry | undefined): void {
  const { names } = source.directory;
  if (workbook !== undefined && /\.xml$/i.test(workbook.name) && !/^(word|ppt|visio)\//i.test(workbook.name))
    return;
  const found = OTHERS.find(([pattern]) => names.some((name) => pattern.test(name)))?.[1];
  if (found !== undefined) throw new DamagedPart(found.sentence, { next: found.next });
  if (names.some((name) => /\.(xlsx|xlsm|xls|csv|txt|tsv)$/i.test(name)))
    throw new DamagedPart(ARCHIVE.sentence, { next: ARCHIVE.next });
  const isPackage = names.some((name) => /^\[Content_Types\]\.xml$|^xl\//i.test(name));
  if (workbook === undefined && names.length > 0 && !isPackage)
    throw new DamagedPart(NO_PACKAGE, { next: EXPORT_AS_XLSX });
}

const NO_PACKAGE = t(
  'is no workbook: it is a zip archive of other files',
  'is geen werkmap: het is een zip-archief met andere bestanden',
);
