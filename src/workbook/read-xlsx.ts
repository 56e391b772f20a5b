import type { Row } from '../schema/cell.ts';
import type { CellContext } from './cell-value.ts';
import { fileProblem, sheetProblem } from './damage.ts';
import { DAMAGE } from './damage-words.ts';
import { DamagedPart } from './damaged-part.ts';
import { refuseOtherPackage } from './foreign-package.ts';
import { DEFAULT_LIMITS, type ReadLimits } from './limits.ts';
import { findPart, type Package, partChunks, readRelationships, requirePart } from './package.ts';
import { readSharedStrings } from './shared-strings.ts';
import { makeSheet, newLayout, type Sheet, type SheetLayout } from './sheet.ts';
import { noteObjects } from './sheet-objects.ts';
import { SheetScanner } from './sheet-scanner.ts';
import { readStyles } from './styles.ts';
import { type ListedSheet, readWorkbookPart, type WorkbookPart } from './workbook-part.ts';
import { readZipDirectory, type ZipEntry } from './zip-directory.ts';

/** What bounds the reading of a workbook. */
export interface XlsxOptions {
  readonly limits?: Partial<ReadLimits>;
  readonly signal?: AbortSignal;
}

/** The worksheets of an XLSX file, in workbook order; no row is read yet. Throws StopError. */
export async function readXlsx(file: string, options: XlsxOptions): Promise<Sheet[]> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  try {
    const directory = await readZipDirectory(file, limits);
    const source: Package = { file, directory, limits, signal: options.signal };
    const workbook = await readWorkbookPart(source, await findWorkbook(source));
    const context = once(() => readContext(source, workbook));
    return workbook.sheets.map((listed) => {
      const layout = newLayout();
      const read = () => readRows(source, listed, context, layout);
      return makeSheet(listed.name, listed.hidden, read, layout);
    });
  } catch (cause) {
    throw fileProblem(file, cause);
  }
}

/** The workbook part of a package. Throws DamagedPart, saying what the file is when it is no workbook. */
export async function findWorkbook(source: Package): Promise<ZipEntry> {
  const relationships = await readRelationships(source, '');
  const main = relationships.find((relationship) => relationship.type === 'officeDocument');
  const entry = findPart(source, main?.target ?? 'xl/workbook.xml') ?? findPart(source, 'xl/workbook.xml');
  refuseOtherPackage(source, entry);
  if (entry === undefined) throw new DamagedPart(DAMAGE.noSheets);
  return entry;
}

/** Shared texts and styles are read when a row is first asked for, and kept, as every sheet needs them. */
async function readContext(
  source: Package,
  { sharedStrings, styles, date1904 }: WorkbookPart,
): Promise<CellContext> {
  return {
    texts: sharedStrings === undefined ? [] : await readSharedStrings(source, sharedStrings),
    styles: styles === undefined ? [] : await readStyles(source, styles),
    date1904,
  };
}

async function* readRows(
  source: Package,
  listed: ListedSheet,
  context: () => Promise<CellContext>,
  layout: SheetLayout,
): AsyncGenerator<Row[]> {
  try {
    const entry = requirePart(source, listed.part);
    const sheet = new SheetScanner(await context(), source.limits.tokenBytes, layout);
    for await (const chunk of partChunks(source, entry)) {
      const rows = sheet.take(chunk);
      if (rows.length > 0) yield rows;
    }
    sheet.finish();
    await noteObjects(source, entry.name, layout);
  } catch (cause) {
    throw sheetProblem(source.file, listed.name, cause);
  }
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
