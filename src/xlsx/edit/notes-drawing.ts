import { addressColumn } from '../../core/cell.ts';
import type { MarkedCell } from './row-rewriter.ts';

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

/** The drawing of a sheet's notes with those of some cells added and of others gone. It need not be well-formed: Excel's own is not always. */
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
