import { DEFAULT_LIMITS } from '../../files/limits.ts';
import { DAMAGE, DamagedPart } from '../damage.ts';
import { keptBytes, relationshipsName, type WorkbookPackage } from '../read/package.ts';
import { openPackage } from '../read/read-xlsx.ts';
import { readWorkbookPart, type WorkbookPart } from '../read/workbook-part.ts';
import { MAIN_NAMESPACE, RELATIONSHIPS_NAMESPACE } from '../xml/xml-write.ts';
import type { ZipEntry } from '../zip/read-zip.ts';

/** A workbook to rewrite: its package, and the parts that list others. */
export interface SourceBook {
  readonly source: WorkbookPackage;
  readonly workbook: ZipEntry;
  readonly relationships: ZipEntry;
  readonly contentTypes: ZipEntry;
  readonly listed: WorkbookPart;
  /** The namespace of its worksheets, and the start of its relationship types: strict OOXML has others. */
  readonly main: string;
  readonly office: string;
}

/** Opens a workbook to rewrite it. Throws DamagedPart for an unusual one. */
export async function openSource(file: string): Promise<SourceBook> {
  const { source, entry: workbook } = await openPackage(file, DEFAULT_LIMITS);
  const { directory } = source;
  const relationships = directory.find(relationshipsName(workbook.name));
  const contentTypes = directory.find('[Content_Types].xml');
  if (relationships === undefined || contentTypes === undefined) throw new DamagedPart(DAMAGE.missingPart);
  const listed = await readWorkbookPart(source, workbook);
  const [root, list] = await Promise.all([partText(source, workbook), partText(source, relationships)]);
  return {
    ...{ source, workbook, relationships, contentTypes, listed },
    main:
      /xmlns(?::[\w.-]+)?\s*=\s*["']([^"']*spreadsheetml[^"']*main)["']/.exec(root)?.[1] ?? MAIN_NAMESPACE,
    office:
      /["']([^"']*\/officeDocument\/[^"']*relationships)\/worksheet["']/.exec(list)?.[1] ??
      RELATIONSHIPS_NAMESPACE,
  };
}

/** A whole part in UTF-8. Throws DamagedPart. */
export async function partBytes(source: WorkbookPackage, entry: ZipEntry): Promise<Buffer> {
  return declaringUtf8(await keptBytes(source, entry));
}

/** A whole part as text. Throws DamagedPart. */
export async function partText(source: WorkbookPackage, entry: ZipEntry): Promise<string> {
  return (await partBytes(source, entry)).toString();
}

/** Corrects a declaration of another encoding, as the chunks are UTF-8. */
export async function* utf8Declared(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let first = true;
  for await (const chunk of chunks) {
    yield first ? declaringUtf8(chunk) : chunk;
    first = false;
  }
}

function declaringUtf8(chunk: Buffer): Buffer {
  const head = chunk.toString('latin1', 0, 200);
  const declared = /^\s*<\?xml[^>]*?\sencoding\s*=\s*(["'])(?!utf-?8\1)([^"']*)\1/i.exec(head);
  if (declared === null) return chunk;
  const end = declared[0].length - 1;
  const start = end - (declared[2] ?? '').length;
  return Buffer.concat([chunk.subarray(0, start), Buffer.from('UTF-8'), chunk.subarray(end)]);
}
