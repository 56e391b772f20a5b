import type { TemplateColumn } from './template-book.ts';

/** A column whose header has a note. */
type NotedColumn = Pick<TemplateColumn, 'header' | 'width' | 'note'>;

/** Pixels. */
const NOTE_WIDTH = 330;
const LINE = 16;
const LINE_CHARACTERS = 50;
const HEADER_ROW = 40;
const ROW = 20;
const NARROW = 64;
const GAP = 15;

const NAMESPACES =
  'xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel"';

/**
 * The drawing of the notes on a header row: boxes large enough for their texts, hidden until pointed at. `block` is the
 * sheet's own block of shape numbers, from 1 on: Excel repairs a workbook in which two sheets share one.
 */
export function notesDrawing(columns: readonly NotedColumn[], block: number): string {
  const shapes = columns.map((column, at) => {
    const anchor = anchorOf(column, at, columns);
    return (
      `<v:shape id="_x0000_s${block * 1024 + at + 1}" type="#_x0000_t202" style="position:absolute;visibility:hidden" fillcolor="#ffffe1" o:insetmode="auto">` +
      '<v:fill color2="#ffffe1"/><v:shadow on="t" color="black" obscured="t"/><v:path o:connecttype="none"/>' +
      '<v:textbox style="mso-direction-alt:auto"><div style="text-align:left"></div></v:textbox>' +
      `<x:ClientData ObjectType="Note"><x:MoveWithCells/><x:SizeWithCells/><x:Anchor>${anchor.join(', ')}</x:Anchor>` +
      `<x:AutoFill>False</x:AutoFill><x:Row>0</x:Row><x:Column>${at}</x:Column></x:ClientData></v:shape>`
    );
  });
  return (
    `<xml ${NAMESPACES}><o:shapelayout v:ext="edit"><o:idmap v:ext="edit" data="${block}"/></o:shapelayout>` +
    '<v:shapetype id="_x0000_t202" coordsize="21600,21600" o:spt="202" path="m,l,21600r21600,l21600,xe">' +
    '<v:stroke joinstyle="miter"/><v:path gradientshapeok="t" o:connecttype="rect"/></v:shapetype>' +
    `${shapes.join('')}</xml>`
  );
}

/** Left column and pixels into it, top row and pixels, right column and pixels, bottom row and pixels. */
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

/** Goes so many pixels on from a column or row: where that ends, and how far into it. */
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
  const lines = [header, ...note].map((line) => Math.max(1, Math.ceil(line.length / LINE_CHARACTERS)));
  return lines.reduce((sum, count) => sum + count, 1) * LINE;
}
