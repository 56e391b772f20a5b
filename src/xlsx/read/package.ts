import { dirname, relative } from 'node:path/posix';
import type { ReadLimits } from '../../files/limits.ts';
import { DAMAGE, DamagedPart } from '../damage.ts';
import { NEED, nameCode, OPEN, XmlScanner } from '../xml/xml-scanner.ts';
import { attributeValue, utf8Chunks } from '../xml/xml-text.ts';
import { inflatePart, type ZipDirectory, type ZipEntry } from '../zip/read-zip.ts';

/** An Open Packaging package: parts found by name, read as UTF-8 chunks. */
export interface WorkbookPackage {
  readonly file: string;
  readonly directory: ZipDirectory;
  readonly limits: ReadLimits;
  readonly signal: AbortSignal | undefined;
}

/** A relationship; `type` is the last word of its URI (`worksheet`), `target` the name of a part. */
export interface Relationship {
  readonly id: string;
  readonly type: string;
  readonly target: string;
}

/** The part of a name, also if only the name is percent-encoded. */
export function findPart(source: WorkbookPackage, name: string): ZipEntry | undefined {
  return source.directory.find(name) ?? source.directory.find(decodePercent(name));
}

/** The chunks of an XML part in UTF-8. */
export function partChunks(source: WorkbookPackage, entry: ZipEntry): AsyncGenerator<Buffer> {
  return utf8Chunks(inflatePart(source.file, entry, source.limits, source.signal));
}

/** A whole XML part in UTF-8. Throws DamagedPart. */
export async function keptBytes(source: WorkbookPackage, entry: ZipEntry): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of keptChunks(source, entry)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The chunks of an XML part that is kept in memory. */
function keptChunks(source: WorkbookPackage, entry: ZipEntry): AsyncGenerator<Buffer> {
  const { keptBytes, partBytes } = source.limits;
  const limits = { ...source.limits, partBytes: Math.min(keptBytes, partBytes) };
  return partChunks({ ...source, limits }, entry);
}

/** Scans a part, calling `visit` at every token but NEED. Throws DamagedPart. */
export async function scanPart(
  source: WorkbookPackage,
  entry: ZipEntry,
  visit: (scanner: XmlScanner, token: number) => void,
): Promise<void> {
  const scanner = new XmlScanner(source.limits.tokenBytes);
  for await (const chunk of keptChunks(source, entry)) {
    scanner.feed(chunk);
    for (let token = scanner.next(); token !== NEED; token = scanner.next()) visit(scanner, token);
  }
  scanner.finish();
}

/** Scans a part, calling `visit` at every element with a name. Throws DamagedPart. */
export async function scanElements(
  source: WorkbookPackage,
  entry: ZipEntry,
  name: string,
  visit: (scanner: XmlScanner) => void,
): Promise<void> {
  const code = nameCode(name);
  await scanPart(source, entry, (scanner, token) => {
    if (token === OPEN && scanner.code === code) visit(scanner);
  });
}

/** The relationships of a part (`''`: of the package) to other parts. Throws DamagedPart. */
export async function readRelationships(source: WorkbookPackage, part: string): Promise<Relationship[]> {
  const entry = source.directory.find(relationshipsName(part));
  const found: Relationship[] = [];
  if (entry === undefined) return found;
  await scanElements(source, entry, 'Relationship', (scanner) => {
    const target = attributeValue(scanner, 'Target');
    if (target === undefined || attributeValue(scanner, 'TargetMode') === 'External') return;
    const type = attributeValue(scanner, 'Type') ?? '';
    found.push({
      id: attributeValue(scanner, 'Id') ?? '',
      type: type.slice(type.lastIndexOf('/') + 1),
      target: resolveTarget(part, target),
    });
  });
  return found;
}

/** The part of a name. Throws DamagedPart when it is missing. */
export function requirePart(source: WorkbookPackage, name: string): ZipEntry {
  const entry = findPart(source, name);
  if (entry === undefined) throw new DamagedPart(DAMAGE.missingPart);
  return entry;
}

function decodePercent(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** The part that a target means, seen from another part: absolute or relative, also with `\` (OPC 2, A). */
function resolveTarget(source: string, target: string): string {
  const path = target.replaceAll('\\', '/').replace(/[?#].*$/, '');
  const steps = path.startsWith('/') ? [] : source.split('/').slice(0, -1);
  for (const step of path.split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '.' && step !== '') steps.push(step);
  }
  return steps.join('/');
}

/** The relationships part of a part; `''` is the package. */
export function relationshipsName(source: string): string {
  const slash = source.lastIndexOf('/') + 1;
  return `${source.slice(0, slash)}_rels/${source.slice(slash)}.rels`;
}

/** The name of a part relative to another one; the inverse of `resolveTarget`. */
export function targetFrom(source: string, name: string): string {
  return relative(dirname(`/${source}`), `/${name}`);
}
