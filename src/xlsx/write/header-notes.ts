import { wrappedLines } from '../excel-text.ts';
import { noteShape, noteShapeType, vmlDrawing } from '../note-drawing.ts';
import type { TemplateColumn } from './template-book.ts';

type NotedColumn = Pick<TemplateColumn, 'header' | 'width' | 'note'>;

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
