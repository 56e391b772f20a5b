import { dirname, relative } from 'node:path/posix';
import { TextDecoder } from 'node:util';
import { MOST, type ReadLimits } from '../../files/limits.ts';
import { counter, DAMAGE, DamagedPart, unpacksTo } from '../damage.ts';
import { attributeValue, NEED, nameCode, OPEN, XmlScanner } from '../xml/xml-scanner.ts';
import { inflatePart, type readZipDirectory, type ZipEntry } from '../zip/read-zip.ts';

/** An Open Packaging package: parts found by name, read as UTF-8 chunks. */
export interface WorkbookPackage {
  readonly file: string;
  readonly directory: Awaited<ReturnType<typeof readZipDirectory>>;
  readonly limits: ReadLimits;
  readonly signal: AbortSignal | undefined;
  /** How many bytes each part that was read came to. */
  readonly unpacked: Map<string, number>;
  /** The sheet, by its part, that each table and drawing belongs to. */
  readonly owners: Map<ZipEntry, string>;
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
  return utf8Chunks(counted(source, entry));
}

/** Many parts that each unpack to a little less than a bomb are one. Throws DamagedPart. */
async function* counted(source: WorkbookPackage, entry: ZipEntry): AsyncGenerator<Buffer> {
  const { limits, unpacked, directory } = source;
  const most = Math.max(limits.wholeFrom, limits.wholeRatio * directory.packedBytes);
  let others = 0;
  for (const [name, bytes] of unpacked) if (name !== entry.name) others += bytes;
  let bytes = 0;
  for await (const chunk of inflatePart(source.file, entry, limits, source.signal)) {
    bytes += chunk.length;
    if (bytes > (unpacked.get(entry.name) ?? 0)) unpacked.set(entry.name, bytes);
    if (others + bytes > most) throw new DamagedPart(unpacksTo(Math.floor(most / 2 ** 20)));
    yield chunk;
  }
}

/** A whole XML part in UTF-8. Throws DamagedPart. */
export async function keptBytes(source: WorkbookPackage, entry: ZipEntry): Promise<Buffer> {
  const { keptBytes, partBytes } = source.limits;
  const limits = { ...source.limits, partBytes: Math.min(keptBytes, partBytes) };
  const chunks: Buffer[] = [];
  for await (const chunk of partChunks({ ...source, limits }, entry)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Scans a part, calling `visit` at every token but NEED. Throws DamagedPart. */
export async function scanPart(
  source: WorkbookPackage,
  entry: ZipEntry,
  visit: (scanner: XmlScanner, token: number) => void,
): Promise<void> {
  const scanner = new XmlScanner(source.limits.tokenBytes);
  for await (const chunk of partChunks(source, entry)) {
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
  const count = counter(MOST.relationships, 'relationships', 'relaties');
  await scanElements(source, entry, 'Relationship', (scanner) => {
    count();
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

/**
 * The relationships of a sheet to parts that are there, each part once. No program lets two sheets share a
 * table or a drawing; in a bomb all of them do, under many names. Throws DamagedPart.
 */
export async function ownRelationships(source: WorkbookPackage, sheet: string): Promise<Relationship[]> {
  const seen = new Set<ZipEntry>();
  return (await readRelationships(source, sheet)).filter(({ target }) => {
    const entry = findPart(source, target);
    if (entry === undefined || seen.has(entry) || (source.owners.get(entry) ?? sheet) !== sheet) return false;
    source.owners.set(entry, sheet);
    return seen.add(entry);
  });
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

/** The chunks of a part as UTF-8 without byte order mark, whatever its encoding. Throws DamagedPart. */
export async function* utf8Chunks(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let decoder: TextDecoder | null | undefined;
  let head: Buffer | undefined;
  for await (let chunk of chunks) {
    if (decoder === undefined) {
      if (head !== undefined) chunk = Buffer.concat([head, chunk]);
      head = chunk;
      if (chunk.length < 128) continue;
      decoder = decoderFor(chunk);
      head = undefined;
      chunk = withoutMark(chunk);
    }
    yield decoder === null ? chunk : Buffer.from(decoder.decode(chunk, { stream: true }));
  }
  if (head === undefined) return;
  const rest = withoutMark(head);
  yield Buffer.from(decoderFor(head)?.decode(rest, { stream: true }) ?? rest);
}

function withoutMark(head: Buffer): Buffer {
  return head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? head.subarray(3) : head;
}

/** Null for UTF-8, which is 8-bit text that declares nothing else. */
function decoderFor(head: Buffer): TextDecoder | null {
  if (head[0] === 0xff && head[1] === 0xfe) return new TextDecoder('utf-16le');
  if (head[0] === 0xfe && head[1] === 0xff) return new TextDecoder('utf-16be');
  if (head[0] === 0x3c && head[1] === 0) return new TextDecoder('utf-16le');
  if (head[0] === 0 && head[1] === 0x3c) return new TextDecoder('utf-16be');
  const declared = /^[^<]*<\?xml[^>]*\sencoding\s*=\s*["']([^"']*)["']/.exec(
    head.toString('latin1', 0, 128),
  )?.[1];
  // UTF-16 can't be declared in 8-bit text: some programs write that over UTF-8.
  if (declared === undefined || /^utf-?(8|16)|^(us-)?ascii$/i.test(declared)) return null;
  try {
    return new TextDecoder(declared);
  } catch (cause) {
    throw new DamagedPart(DAMAGE.oddXml, { cause });
  }
}
