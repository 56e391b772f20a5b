const NAMESPACES =
  'xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel"';

/** A VML drawing; `block` numbers its shapes: Excel repairs workbooks in which drawings share one. */
export function vmlDrawing(block: number, shapes = ''): string {
  return `<xml ${NAMESPACES}><o:shapelayout v:ext="edit"><o:idmap v:ext="edit" data="${block}"/></o:shapelayout>${shapes}</xml>`;
}

/** The type of the shapes of notes; `foreign` declares its namespaces, for a drawing of another program. */
export function noteShapeType(foreign = false): string {
  return `<v:shapetype ${declared(foreign)}id="_x0000_t202" coordsize="21600,21600" o:spt="202" path="m,l,21600r21600,l21600,xe"><v:stroke joinstyle="miter"/><v:path gradientshapeok="t" o:connecttype="rect"/></v:shapetype>`;
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

/** The shape of a note; `foreign` as for `noteShapeType`. */
export function noteShape({ number, row, column, anchor }: NoteShape, foreign = false): string {
  return (
    `<v:shape ${declared(foreign)}id="_x0000_s${number}" type="#_x0000_t202" style="position:absolute;visibility:hidden" fillcolor="#ffffe1" o:insetmode="auto">` +
    '<v:fill color2="#ffffe1"/><v:shadow on="t" color="black" obscured="t"/><v:path o:connecttype="none"/>' +
    '<v:textbox style="mso-direction-alt:auto"><div style="text-align:left"></div></v:textbox>' +
    `<x:ClientData ObjectType="Note"><x:MoveWithCells/><x:SizeWithCells/><x:Anchor>${anchor.join(', ')}</x:Anchor>` +
    `<x:AutoFill>False</x:AutoFill><x:Row>${row}</x:Row><x:Column>${column}</x:Column></x:ClientData></v:shape>`
  );
}

const declared = (foreign: boolean): string => (foreign ? `${NAMESPACES} ` : '');
