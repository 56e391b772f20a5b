import { DAMAGE } from './damage-words.ts';
import { DamagedPart } from './damaged-part.ts';
import type { ReadLimits } from './limits.ts';
import { relationshipsName, resolveTarget } from './part-names.ts';
import { utf8Chunks } from './xml-encoding.ts';
import { NEED, nameCode, OPEN, XmlScanner } from './xml-scanner.ts';
import { attributeValue } from './xml-text.ts';
import type { ZipDirectory, ZipEntry } from './zip-directory.ts';
import { inflatePart } from './zip-part.ts';

/** A zip as an Open Packaging package: parts found by name, read as UTF-8 chunks. */
export interface Package {
  readonly file: string;
  readonly directory: ZipDirectory;
  readonly limits: ReadLimits;
  readonly signal: AbortSignal | undefined;
}

/** One relationship of a part; `type` is the last word of its URI (`worksheet`), `target` a part's name. */
export interface Relationship {
  readonly id: string;
  readonly type: string;
  readonly target: string;
}

const RELATIONSHIP = nameCode('Relationship');
const ID = nameCode('Id');
const TYPE = nameCode('Type');
const TARGET = nameCode('Target');
const TARGET_MODE = nameCode('TargetMode');

/** The part a name stands for, also when the name is percent-encoded where the zip's isn't. */
export function findPart(source: Package, name: string): ZipEntry | undefined {
  return source.directory.find(name) ?? source.directory.find(decodePercent(name));
}

/** The chunks of an XML part, as UTF-8. */
export function partChunks(source: Package, entry: ZipEntry): AsyncGenerator<Buffer> {
  return utf8Chunks(inflatePart(source.file, entry, source.limits, source.signal));
}

/** Runs a scanner over a whole part of which something is kept, calling `visit` at every token but NEED. Throws DamagedPart. */
export async function scanPart(
  source: Package,
  entry: ZipEntry,
  visit: (scanner: XmlScanner, token: number) => void,
): Promise<void> {
  const { tokenBytes, keptBytes, partBytes } = source.limits;
  const scanner = new XmlScanner(tokenBytes);
  const limits = { ...source.limits, partBytes: Math.min(keptBytes, partBytes) };
  for await (const chunk of partChunks({ ...source, limits }, entry)) {
    scanner.feed(chunk);
    for (let token = scanner.next(); token !== NEED; token = scanner.next()) visit(scanner, token);
  }
  scanner.finish();
}

/** The relationships of a part (`''`: of the package) to other parts; none when it has no such list. Throws DamagedPart. */
export async function readRelationships(source: Package, part: string): Promise<Relationship[]> {
  const entry = source.directory.find(relationshipsName(part));
  const found: Relationship[] = [];
  if (entry === undefined) return found;
  await scanPart(source, entry, (scanner, token) => {
    if (token !== OPEN || scanner.code !== RELATIONSHIP) return;
    const target = attributeValue(scanner, TARGET);
    if (target === undefined || attributeValue(scanner, TARGET_MODE) === 'External') return;
    const type = attributeValue(scanner, TYPE) ?? '';
    found.push({
      id: attributeValue(scanner, ID) ?? '',
      type: type.slice(type.lastIndexOf('/') + 1),
      target: resolveTarget(part, target),
    });
  });
  return found;
}

/** The part itself, or DamagedPart saying that it is missing. */
export function requirePart(source: Package, name: string): ZipEntry {
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
