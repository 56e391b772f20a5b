import { MOST } from '../../files/limits.ts';
import { Counter, DAMAGE, DamagedPart, unpacksTo } from '../damage.ts';
import { CDATA, CLOSE, nameCodes, OPEN, type XmlScanner } from '../xml/xml-scanner.ts';
import { tokenText, unifyLineEnds } from '../xml/xml-text.ts';
import type { ZipEntry } from '../zip/read-zip.ts';
import { scanPart, type WorkbookPackage } from './package.ts';

const ELEMENT = nameCodes('si', 't', 'r');

/** Characters that are kept, and for each packed byte of a larger part. */
const KEPT = 48 * 2 ** 20;
const KEPT_RATIO = 16;

/** The shared texts by index, an empty one for `<si/>`. Throws DamagedPart. */
export async function readSharedStrings(source: WorkbookPackage, entry: ZipEntry): Promise<string[]> {
  const texts: string[] = [];
  const most = MOST.texts + entry.packedBytes;
  const count = new Counter(most, 'shared texts', 'gedeelde teksten');
  const room = Math.max(KEPT, entry.packedBytes * KEPT_RATIO);
  let characters = 0;
  const item = new RichText(source.limits.tokenBytes);
  let inside = false;
  await scanPart(source, entry, (scanner, token) => {
    if (inside) {
      if (!item.take(scanner, token)) return;
      inside = false;
      const text = item.finish();
      characters += text.length;
      if (characters > room) throw new DamagedPart(unpacksTo(Math.floor(room / 2 ** 20)));
      texts.push(text);
    } else if (token === OPEN && scanner.code === ELEMENT.si) {
      count.add();
      if (scanner.selfClosing) texts.push('');
      else {
        item.begin(scanner);
        inside = true;
      }
    }
  });
  return texts;
}

/** The text of an `<si>` or `<is>`: its `<t>` and those in runs, not phonetic ones. Throws DamagedPart. */
export class RichText {
  private readonly longest: number;
  private text = '';
  private depth = 0;
  /** Depth of the current `<t>`, 0 outside one. */
  private reading = 0;
  private runs = 0;

  /** `longest` is in characters. */
  constructor(longest: number) {
    this.longest = Math.min(longest, MOST.cellText);
  }

  begin(scanner: XmlScanner): void {
    this.text = '';
    this.depth = scanner.depth;
    this.reading = 0;
    this.runs = 0;
  }

  /** Takes a token; true when it closed the item. */
  take(scanner: XmlScanner, token: number): boolean {
    if (token === OPEN) {
      if (!scanner.selfClosing) this.open(scanner);
      return false;
    }
    if (token === CLOSE) {
      if (scanner.depth < this.reading) this.reading = 0;
      if (scanner.depth < this.runs) this.runs = 0;
      return scanner.depth < this.depth;
    }
    if (this.reading !== scanner.depth) return false;
    this.text += tokenText(scanner, token === CDATA);
    if (this.text.length > this.longest) throw new DamagedPart(DAMAGE.longText);
    return false;
  }

  finish(): string {
    return unifyLineEnds(this.text);
  }

  private open(scanner: XmlScanner): void {
    const parent = scanner.depth - 1;
    if (scanner.code === ELEMENT.t && (parent === this.depth || parent === this.runs))
      this.reading = scanner.depth;
    else if (scanner.code === ELEMENT.r && parent === this.depth) this.runs = scanner.depth;
  }
}
