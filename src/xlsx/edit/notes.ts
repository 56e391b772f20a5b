import { addressColumn, cellAddress } from '../../core/cell.ts';
import { excelText } from '../excel-text.ts';
import { rootPrefix, XmlCopy } from '../xml/xml-copy.ts';
import { CLOSE, NEED, nameCode, OPEN } from '../xml/xml-scanner.ts';
import { attributeValue } from '../xml/xml-text.ts';
import { DECLARATION, textElement } from '../xml/xml-write.ts';
import type { MarkedCell } from './row-rewriter.ts';
import { NOTE_MARK } from './tone-colours.ts';

const AUTHORS = nameCode('authors');
const AUTHOR = nameCode('author');
const LIST = nameCode('commentList');
const COMMENT = nameCode('comment');
const T = nameCode('t');
const RUN = nameCode('r');
const REF = nameCode('ref');
const AUTHOR_ID = nameCode('authorId');

/** Who our notes are by, so that they are known when a result comes back. */
const OWN_AUTHOR = 'catersheet';
/** Before what is added to a note of the user's. */
const ADDED = `— ${NOTE_MARK}`;

/** A comments part after its notes were brought up to date. */
interface EditedComments {
  readonly part: Buffer;
  /** Cells whose notes are new, or gone: their drawings come and go with them. */
  readonly added: readonly MarkedCell[];
  readonly gone: ReadonlySet<string>;
}

/** A comments part without any. */
export function emptyComments(main: string): Buffer {
  return Buffer.from(
    `${DECLARATION}<comments xmlns="${main}"><authors></authors><commentList></commentList></comments>`,
  );
}

/**
 * Adds notes to a comments part: under the text of a note that is there already, not to a conversation. What
 * an earlier result had added is gone.
 */
export function editComments(bytes: Buffer, notes: readonly MarkedCell[]): EditedComments {
  return new CommentsEdit(bytes, notes).edit();
}

class CommentsEdit {
  private readonly copy: XmlCopy;
  private readonly left: Map<string, MarkedCell>;
  private readonly gone = new Set<string>();
  private readonly authors: string[] = [];
  private own = -1;
  private prefix = '';
  /** What is to be added to the note that is open. */
  private addition: string | undefined;
  private dropping = false;
  private list = 0;

  constructor(bytes: Buffer, notes: readonly MarkedCell[]) {
    this.copy = new XmlCopy(bytes.length + 1);
    this.copy.feed(bytes);
    this.left = new Map(notes.map((note) => [cellAddress(note.column, note.row), note]));
  }

  edit(): EditedComments {
    const { copy } = this;
    for (let token = copy.next(); token !== NEED; token = copy.next()) {
      const { depth, selfClosing } = copy.scanner;
      if (token === OPEN) this.open(selfClosing ? depth + 1 : depth);
      else if (token === CLOSE) this.close(depth + 1);
      else if (this.list === AUTHOR) this.authorText();
    }
    copy.scanner.finish();
    return { part: Buffer.concat(copy.take(true)), added: [...this.left.values()], gone: this.gone };
  }

  private open(level: number): void {
    const { copy, prefix } = this;
    const { code, selfClosing } = copy.scanner;
    if (level === 1) this.prefix = rootPrefix(copy.scanner, copy.before);
    else if (level === 2 && selfClosing && code === AUTHORS) {
      copy.replace(`<${prefix}authors>${this.ownAuthor()}</${prefix}authors>`);
    } else if (level === 2 && selfClosing && code === LIST) {
      copy.replace(`<${prefix}commentList>${this.newComments()}</${prefix}commentList>`);
    } else if (level === 2) this.list = code;
    else if (level === 3 && code === AUTHOR) {
      this.authors.push('');
      if (!selfClosing) this.list = AUTHOR;
    } else if (level === 3 && code === COMMENT) this.openComment();
    else if (level === 5 && !this.dropping) this.openText(code);
  }

  private close(level: number): void {
    const { copy, prefix } = this;
    if (level === 2) {
      if (this.list === AUTHORS && this.own < 0) copy.insertBefore(this.ownAuthor());
      if (this.list === LIST) copy.insertBefore(this.newComments());
      this.list = 0;
    } else if (level === 3) {
      if (this.list === AUTHOR) this.endAuthor();
      if (this.dropping) copy.keep();
      this.dropping = false;
      this.addition = undefined;
    } else if (level === 4 && this.addition !== undefined && !this.dropping) {
      if (copy.scanner.bytes.toString('latin1', copy.before, copy.scanner.position).endsWith('text>'))
        copy.insertBefore(this.addition);
    } else if (level === 5 && this.wrapping) {
      copy.insertBehind(`</${prefix}r>`);
      this.wrapping = false;
    }
  }

  private wrapping = false;

  private authorText(): void {
    const { scanner } = this.copy;
    const last = this.authors.length - 1;
    this.authors[last] += scanner.bytes.toString('utf8', scanner.start, scanner.end);
  }

  private endAuthor(): void {
    this.list = AUTHORS;
    if (this.authors.at(-1) === OWN_AUTHOR) this.own = this.authors.length - 1;
  }

  private openComment(): void {
    const { copy, prefix } = this;
    const ref = attributeValue(copy.scanner, REF) ?? '';
    const author = Number(attributeValue(copy.scanner, AUTHOR_ID) ?? 0);
    if (author === this.own || this.isMarked()) {
      this.gone.add(ref);
      copy.drop();
      if (copy.scanner.selfClosing) copy.keep();
      else this.dropping = true;
      return;
    }
    const note = this.left.get(ref);
    this.left.delete(ref);
    // A conversation keeps its text elsewhere; what stands here is only shown by programs that don't know of
    // those.
    if (note === undefined || this.authors[author]?.startsWith('tc=')) return;
    const text = textElement('t', excelText(`\n${ADDED}${note.text}`)).replace(/(<\/?)t\b/g, `$1${prefix}t`);
    this.addition = `<${prefix}r>${text}</${prefix}r>`;
  }

  /** Whether the note that has just been opened is one that a new workbook got. */
  private isMarked(): boolean {
    const { bytes, position } = this.copy.scanner;
    const text = bytes.indexOf('<t', position, 'latin1');
    const end = bytes.indexOf('</comment>', position, 'latin1');
    return (
      bytes
        .toString('utf8', text, Math.max(text, end))
        .match(/<t(?: [^>]*)?>([^<]*)/)?.[1]
        ?.startsWith(NOTE_MARK) === true
    );
  }

  /** Inside the text of a note of the user's. */
  private openText(code: number): void {
    const { copy, prefix } = this;
    const { scanner } = copy;
    if (code === T && this.addition !== undefined && !scanner.selfClosing) {
      copy.insertBefore(`<${prefix}r>`);
      this.wrapping = true;
    } else if (code === RUN && !scanner.selfClosing) {
      const end = scanner.bytes.indexOf(`</${prefix}r>`, scanner.position, 'latin1');
      const run = scanner.bytes.toString('utf8', scanner.position, end < 0 ? scanner.position : end);
      if (!run.includes(ADDED)) return;
      // What an earlier result added: it goes, with its tags.
      this.dropRun();
    }
  }

  private dropRun(): void {
    const { copy } = this;
    const depth = copy.scanner.depth;
    copy.drop();
    for (let token = copy.next(); token !== NEED; token = copy.next())
      if (token === CLOSE && copy.scanner.depth < depth) break;
    copy.keep();
  }

  private ownAuthor(): string {
    this.own = this.authors.length;
    return `<${this.prefix}author>${OWN_AUTHOR}</${this.prefix}author>`;
  }

  private newComments(): string {
    const { prefix } = this;
    return [...this.left.values()]
      .map(({ column, row, text }) => {
        const t = textElement('t', excelText(text)).replace(/(<\/?)t\b/g, `$1${prefix}t`);
        const ref = cellAddress(column, row);
        return `<${prefix}comment ref="${ref}" authorId="${this.own}"><${prefix}text><${prefix}r>${t}</${prefix}r></${prefix}text></${prefix}comment>`;
      })
      .join('');
  }
}

const V = 'xmlns:v="urn:schemas-microsoft-com:vml"';
const NAMESPACES = `${V} xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel"`;
const KIND = `<v:shapetype ${NAMESPACES} id="_x0000_t202" coordsize="21600,21600" o:spt="202" path="m,l,21600r21600,l21600,xe"><v:stroke joinstyle="miter"/><v:path gradientshapeok="t" o:connecttype="rect"/></v:shapetype>`;

/** A drawing of notes without any; `number` tells it from the workbook's others. */
export function emptyDrawing(number: number): string {
  return `<xml ${NAMESPACES}><o:shapelayout v:ext="edit"><o:idmap v:ext="edit" data="${number}"/></o:shapelayout></xml>`;
}

/** Characters on a line of a note, and lines that it shows. */
const LINE = 38;
const MOST_LINES = 14;

/**
 * The drawing of a sheet's notes with those of some cells added and of others gone. It need not be
 * well-formed: Excel's own is not always.
 */
export function editDrawing(
  drawing: string,
  added: readonly MarkedCell[],
  gone: ReadonlySet<string>,
): string {
  const places = new Set([...gone].map(placeOf));
  const kept = drawing.replace(/<v:shape\b[\s\S]*?<\/v:shape>\s*/g, (shape) => {
    const [row, column] = ['Row', 'Column'].map(
      (name) => new RegExp(`<x:${name}>\\s*(\\d+)`).exec(shape)?.[1],
    );
    return shape.includes('ObjectType="Note"') && places.has(`${row} ${column}`) ? '' : shape;
  });
  if (added.length === 0) return kept;
  const end = kept.lastIndexOf('</xml');
  if (end < 0) return kept;
  const kind = kept.includes('id="_x0000_t202"') ? '' : KIND;
  const shapes = added.map((note, at) => shape(note, firstShape(kept) + at));
  return kept.slice(0, end) + kind + shapes.join('') + kept.slice(end);
}

/** An address as a drawing says it: row and column, both from 0. */
function placeOf(address: string): string {
  return `${Number(/\d+$/.exec(address)?.[0] ?? 0) - 1} ${addressColumn(address) - 1}`;
}

/** Shapes are numbered from 1024 times the number of their drawing on. */
function firstShape(drawing: string): number {
  const base = Number(/<o:idmap[^>]*\sdata="(\d+)/.exec(drawing)?.[1] ?? 1) * 1024;
  const taken = [...drawing.matchAll(/_x0000_s(\d{1,9})"/g)].map(([, number]) => Number(number));
  return Math.max(base, ...taken) + 1;
}

function shape({ row, column, text }: MarkedCell, number: number): string {
  const lines = text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / LINE)), 1);
  const bottom = row - 1 + Math.min(lines, MOST_LINES) + 1;
  const anchor = `${column}, 15, ${Math.max(row - 2, 0)}, 10, ${column + 3}, 40, ${bottom}, 4`;
  return `<v:shape ${NAMESPACES} id="_x0000_s${number}" type="#_x0000_t202" style="position:absolute;visibility:hidden" fillcolor="#ffffe1" o:insetmode="auto"><v:fill color2="#ffffe1"/><v:shadow on="t" color="black" obscured="t"/><v:path o:connecttype="none"/><v:textbox style="mso-direction-alt:auto"><div style="text-align:left"></div></v:textbox><x:ClientData ObjectType="Note"><x:MoveWithCells/><x:SizeWithCells/><x:Anchor>${anchor}</x:Anchor><x:AutoFill>False</x:AutoFill><x:Row>${row - 1}</x:Row><x:Column>${column - 1}</x:Column></x:ClientData></v:shape>`;
}
