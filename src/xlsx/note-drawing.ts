import { wrappedLines } from './excel-text.ts';

const NAMESPACES =
  'xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel"';

/** A VML drawing; `block` numbers its shapes: Excel repairs workbooks in which drawings share one. */
function vmlDrawing(block: number, shapes: string): string {
  return `<xml ${NAMESPACES}><o:shapelayout v:ext="edit"><o:idmap v:ext="edit" data="${block}"/></o:shapelayout>${shapes}</xml>`;
}

/** The type of the shapes of notes */
function noteShapeType(): string {
  return `<v:shapetype id="_x0000_t202" coordsize="21600,21600" o:spt="202" path="m,l,21600r21600,l21600,xe"><v:stroke joinstyle="miter"/><v:path gradientshapeok="t" o:connecttype="rect"/></v:shapetype>`;
}

/** The box of a note, hidden until pointed at. */
interface NoteShape {
  readonly number: number;
  /** The cell, from 0. */
  readonly row: number;
  readonly column: number;
  /** Left column and pixels into it, top row and pixels, right column and pixels, bottom row and pixels. */
  readonly anchor: readonly number[];
}

/** The shape of a note. */
function noteShape({ number, row, column, anchor }: NoteShape): string {
  return (
    `<v:shape id="_x0000_s${number}" type="#_x0000_t202" style="position:absolute;visibility:hidden" fillcolor="#ffffe1" o:insetmode="auto">` +
    '<v:fill color2="#ffffe1"/><v:shadow on="t" color="black" obscured="t"/><v:path o:connecttype="none"/>' +
    '<v:textbox style="mso-direction-alt:auto"><div style="text-align:left"></div></v:textbox>' +
    `<x:ClientData ObjectType="Note"><x:MoveWithCells/><x:SizeWithCells/><x:Anchor>${anchor.join(', ')}</x:Anchor>` +
    `<x:AutoFill>False</x:AutoFill><x:Row>${row}</x:Row><x:Column>${column}</x:Column></x:ClientData></v:shape>`
  );
}

/** A column with a note on its header; `width` is in characters. */
interface NotedColumn {
  readonly header: string;
  readonly width: number;
  readonly note: readonly string[];
}

/** In pixels. */
const NOTE_WIDTH = 330;
const LINE = 16;
const LINE_CHARACTERS = 50;
const HEADER_ROW = 40;
const ROW = 20;
const NARROW = 64;
const GAP = 15;

/** The drawing of the notes on a header row; `block` is that of `vmlDrawing`. */
export function notesDrawing(columns: readonly NotedColumn[], block: number): string {
  const shapes = columns.map((column, at) =>
    noteShape({
      ...{ number: block * 1024 + at + 1, row: 0, column: at },
      anchor: anchorOf(column, at, columns),
    }),
  );
  return vmlDrawing(block, noteShapeType() + shapes.join(''));
}

/** See `noteShape`. */
function anchorOf(column: NotedColumn, at: number, columns: readonly NotedColumn[]): number[] {
  const widthAt = (index: number): number => {
    const width = columns[index]?.width;
    return width === undefined ? NARROW : Math.trunc(width * 7 + 5);
  };
  const heightAt = (index: number): number => (index === 0 ? HEADER_ROW : ROW);
  const [right, rightPixels] = walk(at + 1, GAP + NOTE_WIDTH, widthAt);
  const [bottom, bottomPixels] = walk(0, GAP + noteHeight(column), heightAt);
  return [at + 1, GAP, 0, GAP, right, rightPixels, bottom, bottomPixels];
}

/** The column or row that is so many pixels further, and the pixels into it. */
function walk(from: number, pixels: number, sizeAt: (index: number) => number): [number, number] {
  let index = from;
  let rest = pixels;
  while (rest >= sizeAt(index)) {
    rest -= sizeAt(index);
    index++;
  }
  return [index, rest];
}

function noteHeight({ header, note }: NotedColumn): number {
  return (1 + wrappedLines([header, ...note].join('\n'), LINE_CHARACTERS)) * LINE;
}
