import { partBytes } from '../edit/source-book.ts';
import { relationshipsName, type WorkbookPackage } from '../read/package.ts';
import { parsePart } from './xml-tree.ts';

/** The relationships of a part without some of them, and the name of the part that holds them; undefined when there is none. Throws DamagedPart. */
export async function trimRelationships(
  source: WorkbookPackage,
  part: string,
  dropped: ReadonlySet<string>,
): Promise<{ readonly name: string; readonly bytes: Buffer } | undefined> {
  const entry = source.directory.find(relationshipsName(part));
  if (entry === undefined) return undefined;
  const { root, write } = parsePart(await partBytes(source, entry));
  root.keep((relationship) => !dropped.has(relationship.attribute('Id') ?? ''));
  return { name: entry.name, bytes: write() };
}

const PLAIN = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The content types without those of parts that are gone; a workbook that had macros is one without. Throws DamagedPart. */
export function trimContentTypes(bytes: Buffer, removed: ReadonlySet<string>): Buffer {
  const { root, write } = parsePart(bytes);
  const gone = new Set([...removed].map((name) => `/${name.toLowerCase()}`));
  root.keep((one) => one.local !== 'Override' || !gone.has((one.attribute('PartName') ?? '').toLowerCase()));
  for (const one of root.elements()) {
    const kind = /\.(sheet|template)\.macroEnabled\.main\+xml$/.exec(one.attribute('ContentType') ?? '')?.[1];
    if (kind !== undefined) one.set('ContentType', `${PLAIN}.${kind}.main+xml`);
  }
  return write();
}
