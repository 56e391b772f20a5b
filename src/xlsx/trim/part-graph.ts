import {
  findPart,
  partChunks,
  type Relationship,
  readRelationships,
  type WorkbookPackage,
} from '../read/package.ts';
import { decodeReferences } from '../xml/xml-text.ts';

/** Follows the relationships of a package; each part is read once. */
export class PartGraph {
  private readonly source: WorkbookPackage;
  private readonly known = new Map<string, Promise<readonly Relationship[]>>();

  constructor(source: WorkbookPackage) {
    this.source = source;
  }

  /** A part's relationships. Throws DamagedPart. */
  related(part: string): Promise<readonly Relationship[]> {
    let known = this.known.get(part);
    if (known === undefined) {
      known = readRelationships(this.source, part);
      this.known.set(part, known);
    }
    return known;
  }

  /** The parts to which the relationships of some lead, and those of these, and so on: names as the zip spells them. Those that are dropped lead nowhere. */
  async reach(
    parts: readonly string[],
    isDropped: (part: string, id: string) => boolean,
  ): Promise<Set<string>> {
    const found = new Set<string>();
    const waiting = [...parts];
    for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
      for (const { id, target } of await this.related(part)) {
        const name = findPart(this.source, target)?.name;
        if (name === undefined || found.has(name) || isDropped(part, id)) continue;
        found.add(name);
        waiting.push(name);
      }
    }
    return found;
  }

  /** Which of some patterns a part's text matches, in lower case, by their places. Throws DamagedPart. */
  async mentions(part: string, patterns: readonly RegExp[]): Promise<Set<number>> {
    const found = new Set<number>();
    const entry = findPart(this.source, part);
    if (entry === undefined || patterns.length === 0) return found;
    let rest = '';
    for await (const chunk of partChunks(this.source, entry)) {
      const text = rest + chunk.toString();
      const plain = decodeReferences(text).toLowerCase();
      for (const [at, pattern] of patterns.entries())
        if (!found.has(at) && pattern.test(plain)) found.add(at);
      if (found.size === patterns.length) break;
      rest = text.slice(-OVERLAP);
    }
    return found;
  }
}

/** Characters that are looked at again with the next chunk: more than two names of sheets, however they are written. */
const OVERLAP = 1000;
