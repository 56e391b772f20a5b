import { rootPrefix } from '../edit/root-prefix.ts';
import { ELEMENT } from '../edit/sheet-codes.ts';
import { XmlCopy } from '../edit/xml-copy.ts';
import { CLOSE, NEED, OPEN } from '../xml/xml-scanner.ts';
import type { Around } from './around.ts';
import { trimAround } from './trim-around.ts';
import { RowTrimmer } from './trim-rows.ts';
import { parseXml } from './xml-tree.ts';

/** Leaves rows out of one worksheet part while it streams by, and brings all that names cells up to date. Throws DamagedPart. */
export class SheetTrimmer {
  readonly rows: RowTrimmer;
  private readonly copy: XmlCopy;
  private readonly around: Around;
  /** The code of the root's child that is open, 0 for none. */
  private part = 0;
  /** The pieces of a member of the sheet that is edited as a whole, and where the next one begins. */
  private caught: Buffer[] | undefined;
  private from = 0;

  constructor(around: Around, tokenBytes: number) {
    this.around = around;
    this.copy = new XmlCopy(tokenBytes);
    this.rows = new RowTrimmer(this.copy, around.sheet, around.rows, around.moves);
  }

  /** The trimmed part from the chunks of the part as it was, both in UTF-8. */
  async *trim(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const { copy, rows } = this;
    for await (const chunk of chunks) {
      this.catch();
      copy.feed(chunk);
      this.from = 0;
      for (let token = copy.next(); token !== NEED; token = copy.next()) {
        if (token === CLOSE) this.close();
        else if (token === OPEN) this.open();
        else rows.text(token);
      }
      yield* copy.take();
    }
    copy.scanner.finish();
    yield* copy.take(true);
  }

  private open(): void {
    const { copy, rows } = this;
    const { depth, selfClosing, code } = copy.scanner;
    const level = selfClosing ? depth + 1 : depth;
    if (level === 1) rows.prefix = rootPrefix(copy.scanner, copy.before);
    else if (level === 2) this.openPart(code, selfClosing);
    else if (this.part !== ELEMENT.sheetData) return;
    else if (level === 3 && code === ELEMENT.row) rows.openRow();
    else if (level === 4 && code === ELEMENT.cell) rows.openCell();
    else if (level === 5) rows.openInCell();
  }

  private close(): void {
    const { copy, rows } = this;
    const level = copy.scanner.depth + 1;
    if (level === 2) {
      if (this.caught !== undefined) this.closePart();
      this.part = 0;
    } else if (this.part !== ELEMENT.sheetData) return;
    else if (level === 3) rows.closeRow();
    else if (level === 4) rows.closeCell();
    else if (level === 5) rows.closeInCell();
  }

  private openPart(code: number, selfClosing: boolean): void {
    if (!selfClosing) this.part = code;
    if (code === ELEMENT.sheetData) return;
    this.copy.drop();
    this.caught = [];
    this.from = this.copy.before;
    if (selfClosing) this.closePart();
  }

  private closePart(): void {
    this.catch();
    const nodes = parseXml(Buffer.concat(this.caught ?? []).toString());
    this.caught = undefined;
    this.copy.keep();
    const left = nodes.filter((node) => typeof node === 'string' || trimAround(node, this.around));
    this.copy.sink.text(left.join(''));
  }

  /** Keeps what has been passed of a member: the scanner's bytes don't outlive a chunk. */
  private catch(): void {
    const { bytes, position } = this.copy.scanner;
    if (this.caught === undefined) return;
    this.caught.push(Buffer.from(bytes.subarray(this.from, position)));
    this.from = position;
  }
}
