import { addressColumn, cellAddress } from '../../core/cell.ts';
import { excelText, wrappedLines } from '../excel-text.ts';
import { noteShape, noteShapeType } from '../note-drawing.ts';
import { XmlCopy } from '../xml/xml-copy.ts';
import { CLOSE, nameCodes, OPEN } from '../xml/xml-scanner.ts';
import { attributeNumber, attributeValue } from '../xml/xml-text.ts';
import { DECLARATION, textElement } from '../xml/xml-write.ts';
import type { MarkedCell } from './row-rewriter.ts';

const ELEMENT = nameCodes('authors', 'author', 'commentList', 'comment', 't', 'r');

/** Starts our notes where their author can't tell: by it they are known when a result comes back. */
const NOTE_MARK = 'catersheet: ';
/** The author of our notes, by which they are known when a result comes back. */
const OWN_AUTHOR = 'catersheet';
/** Starts what is added to a note of the user. */
const ADDED = `— ${NOTE_MARK}`;

/** An edited comments part. */
interface EditedComments {
  readonly part: Buffer;
  /** Cells whose notes are new or gone; their drawings follow. */
  readonly added: readonly MarkedCell[];
  readonly gone: ReadonlySet<string>;
}

/** A comments part without notes. */
export function emptyComments(main: string): Buffer {
  return Buffer.from(
    `${DECLARATION}<comments xmlns="${main}"><authors></authors><commentList></commentList></comments>`,
  );
}

/** Adds notes, not to conversations and below the text of existing ones; drops those of earlier results. */
export function editComments(bytes: Buffer, notes: readonly MarkedCell[]): EditedComments {
  return new CommentsEdit(bytes, notes).edit();
}

class CommentsEdit {
  private readonly copy: XmlCopy;
  private readonly left: Map<string, MarkedCell>;
  private readonly gone = new Set<string>();
  private readonly authors: string[] = [];
  private own = -1;
  /** What to add to the open note. */
  private addition: string | undefined;
  private wrapping = false;
  private list = 0;

  constructor(bytes: Buffer, notes: readonly MarkedCell[]) {
    this.copy = XmlCopy.of(bytes);
    this.left = new Map(notes.map((note) => [cellAddress(note.column, note.row), note]));
  }

  edit(): EditedComments {
    const { copy } = this;
    for (const token of copy.tokens()) {
      if (token === OPEN) this.open(copy.scanner.level);
      else if (token === CLOSE) this.close(copy.scanner.level);
      else if (this.list === ELEMENT.author) {
        const { bytes, start, end } = copy.scanner;
        this.authors[this.authors.length - 1] += bytes.toString('utf8', start, end);
      }
    }
    copy.scanner.finish();
    return { part: Buffer.concat(copy.take(true)), added: [...this.left.values()], gone: this.gone };
  }

  private open(level: number): void {
    const { copy } = this;
    const { code, selfClosing } = copy.scanner;
    if (level === 2 && selfClosing && code === ELEMENT.authors) {
      copy.replace(`<${copy.prefix}authors>${this.ownAuthor()}</${copy.prefix}authors>`);
    } else if (level === 2 && selfClosing && code === ELEMENT.commentList) {
      copy.replace(`<${copy.prefix}commentList>${this.newComments()}</${copy.prefix}commentList>`);
    } else if (level === 2) this.list = code;
    else if (level === 3 && code === ELEMENT.author) {
      this.authors.push('');
      if (!selfClosing) this.list = ELEMENT.author;
    } else if (level === 3 && code === ELEMENT.comment) this.openComment();
    else if (level === 5 && !copy.isDropping) this.openText(code);
  }

  private close(level: number): void {
    const { copy } = this;
    if (level === 2) {
      if (this.list === ELEMENT.authors && this.own < 0) copy.insertBefore(this.ownAuthor());
      if (this.list === ELEMENT.commentList) copy.insertBefore(this.newComments());
      this.list = 0;
    } else if (level === 3) {
      if (this.list === ELEMENT.author) {
        this.list = ELEMENT.authors;
        if (this.authors.at(-1) === OWN_AUTHOR) this.own = this.authors.length - 1;
      }
      this.addition = undefined;
    } else if (level === 4 && this.addition !== undefined && !copy.isDropping) {
      if (copy.text.endsWith('text>')) copy.insertBefore(this.addition);
    } else if (level === 5 && this.wrapping) {
      copy.insertBehind(`</${copy.prefix}r>`);
      this.wrapping = false;
    }
  }

  private openComment(): void {
    const { copy } = this;
    const ref = attributeValue(copy.scanner, 'ref') ?? '';
    const author = attributeNumber(copy.scanner, 'authorId');
    if (author === this.own || this.isMarked()) {
      this.gone.add(ref);
      copy.drop();
      return;
    }
    const note = this.left.get(ref);
    this.left.delete(ref);
    // The text of a conversation is elsewhere; older programs show what is here.
    if (note === undefined || this.authors[author]?.startsWith('tc=')) return;
    this.addition = this.run(`\n${ADDED}${note.text}`);
  }

  /** Whether the open note is one of ours in a new workbook. */
  private isMarked(): boolean {
    const { bytes, position } = this.copy.scanner;
    const text = bytes.indexOf('<t', position, 'latin1');
    const end = bytes.indexOf('</comment>', position, 'latin1');
    const first = /<t(?: [^>]*)?>([^<]*)/.exec(bytes.toString('utf8', text, Math.max(text, end)))?.[1];
    return first?.startsWith(NOTE_MARK) === true;
  }

  private openText(code: number): void {
    const { copy } = this;
    const { scanner, prefix } = copy;
    if (code === ELEMENT.t && this.addition !== undefined && !scanner.selfClosing) {
      copy.insertBefore(`<${prefix}r>`);
      this.wrapping = true;
    } else if (code === ELEMENT.r && !scanner.selfClosing) {
      const end = scanner.bytes.indexOf(`</${prefix}r>`, scanner.position, 'latin1');
      const run = scanner.bytes.toString('utf8', scanner.position, end < 0 ? scanner.position : end);
      // An earlier result added it.
      if (run.includes(ADDED)) copy.drop();
    }
  }

  private ownAuthor(): string {
    this.own = this.authors.length;
    const { prefix } = this.copy;
    return `<${prefix}author>${OWN_AUTHOR}</${prefix}author>`;
  }

  private newComments(): string {
    const { prefix } = this.copy;
    const comments = [...this.left.values()].map(({ column, row, text }) => {
      const start = `<${prefix}comment ref="${cellAddress(column, row)}" authorId="${this.own}">`;
      return `${start}<${prefix}text>${this.run(text)}</${prefix}text></${prefix}comment>`;
    });
    return comments.join('');
  }

  private run(text: string): string {
    const { prefix } = this.copy;
    return `<${prefix}r>${textElement(`${prefix}t`, excelText(text))}</${prefix}r>`;
  }
}

/** Characters on a line of a note, and lines shown. */
const LINE = 38;
const MOST_LINES = 14;

/** Adds and removes notes in a VML drawing, which need not be well-formed: that of Excel often isn't. */
export function editDrawing(drawing: string, { added, gone }: EditedComments): string {
  const places = new Set([...gone].map(placeOf));
  // Without an end, each shape would be looked for to the end of the drawing.
  const last = drawing.lastIndexOf('</v:shape>') + 10;
  const shapesKept = drawing.slice(0, last).replace(/<v:shape\b[\s\S]*?<\/v:shape>\s*/g, (shape) => {
    const [row, column] = ['Row', 'Column'].map(
      (name) => new RegExp(`<x:${name}>\\s*(\\d+)`).exec(shape)?.[1],
    );
    return shape.includes('ObjectType="Note"') && places.has(`${row} ${column}`) ? '' : shape;
  });
  const kept = shapesKept + drawing.slice(last);
  if (added.length === 0) return kept;
  const end = kept.lastIndexOf('</xml');
  if (end < 0) return kept;
  const kind = kept.includes('id="_x0000_t202"') ? '' : noteShapeType(true);
  const first = firstShape(kept);
  const shapes = added.map((note, at) => shape(note, first + at));
  return kept.slice(0, end) + kind + shapes.join('') + kept.slice(end);
}

/** A cell in a drawing: row and column from 0. */
function placeOf(address: string): string {
  return `${Number(/\d+$/.exec(address)?.[0] ?? 0) - 1} ${addressColumn(address) - 1}`;
}

/** Shapes are numbered from 1024 times the number of their drawing. */
function firstShape(drawing: string): number {
  const base = Number(/<o:idmap[^>]*\sdata="(\d+)/.exec(drawing)?.[1] ?? 1) * 1024;
  let last = base;
  for (const [, number] of drawing.matchAll(/_x0000_s(\d{1,9})"/g)) last = Math.max(last, Number(number));
  return last + 1;
}

function shape({ row, column, text }: MarkedCell, number: number): string {
  const bottom = row + Math.min(1 + wrappedLines(text, LINE), MOST_LINES);
  const anchor = [column, 15, Math.max(row - 2, 0), 10, column + 3, 40, bottom, 4];
  return noteShape({ number, row: row - 1, column: column - 1, anchor }, true);
}
