import { DEFAULT_LIMITS } from '../../files/limits.ts';
import { DAMAGE, DamagedPart } from '../damage.ts';
import { partChunks, relationshipsName, type WorkbookPackage } from '../read/package.ts';
import { findWorkbook } from '../read/read-xlsx.ts';
import { readWorkbookPart, type WorkbookPart } from '../read/workbook-part.ts';
import { readZipDirectory, type ZipEntry } from '../zip/read-zip.ts';

/** A workbook that is to be rewritten: its package, and the parts that tell what is in it. */
export interface SourceBook {
  readonly source: WorkbookPackage;
  readonly workbook: ZipEntry;
  readonly relationships: ZipEntry;
  readonly contentTypes: ZipEntry;
  readonly listed: WorkbookPart;
  /**
   * The namespace of its worksheets, and the start of its relationships' types: two editions of the standard
   * differ in them.
   */
  readonly main: string;
  readonly office: string;
}

/** Opens a workbook to rewrite it. Throws DamagedPart where it is not put together as workbooks are. */
export async function openSource(file: string): Promise<SourceBook> {
  const directory = await readZipDirectory(file, DEFAULT_LIMITS);
  const source: WorkbookPackage = { file, directory, limits: DEFAULT_LIMITS, signal: undefined };
  const workbook = await findWorkbook(source);
  const relationships = directory.find(relationshipsName(workbook.name));
  const contentTypes = directory.find('[Content_Types].xml');
  if (relationships === undefined || contentTypes === undefined) throw new DamagedPart(DAMAGE.missingPart);
  const listed = await readWorkbookPart(source, workbook);
  const [root, list] = await Promise.all([partText(source, workbook), partText(source, relationships)]);
  return {
    ...{ source, workbook, relationships, contentTypes, listed },
    main: /xmlns(?::[\w.-]+)?\s*=\s*["']([^"']*spreadsheetml[^"']*main)["']/.exec(root)?.[1] ?? MAIN,
    office: /["']([^"']*\/officeDocument\/[^"']*relationships)\/worksheet["']/.exec(list)?.[1] ?? OFFICE,
  };
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** A whole part that is kept while it is edited, as UTF-8. Throws DamagedPart. */
export async function partBytes(source: WorkbookPackage, entry: ZipEntry): Promise<Buffer> {
  const { keptBytes } = source.limits;
  const chunks: Buffer[] = [];
  const limits = { ...source.limits, partBytes: keptBytes };
  for await (const chunk of utf8Declared(partChunks({ ...source, limits }, entry))) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The same as text. */
export async function partText(source: WorkbookPackage, entry: ZipEntry): Promise<string> {
  return (await partBytes(source, entry)).toString();
}

/** The same chunks, with a declaration of another encoding set right: they are UTF-8 by now. */
export async function* utf8Declared(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let first = true;
  for await (const chunk of chunks) {
    if (!first) yield chunk;
    else {
      first = false;
      const head = chunk.toString('latin1', 0, 200);
      const declared = /^\s*<\?xml[^>]*?\sencoding\s*=\s*(["'])(?!utf-?8\1)([^"']*)\1/i.exec(head);
      if (declared === null) yield chunk;
      else {
        const end = declared[0].length - 1;
        const start = end - (declared[2] ?? '').length;
        yield Buffer.concat([chunk.subarray(0, start), Buffer.from('UTF-8'), chunk.subarray(end)]);
      }
    }
  }
}
