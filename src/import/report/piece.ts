/** A sentence with each `{name}` replaced by its value, whatever stands in the values. */
export function fillIn(sentence: string, values: Readonly<Record<string, string | number>>): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** A piece of a page: a text, or an element with what stands in it. The program writes it as HTML, the page makes it of nodes. */
export type Piece = string | ElementPiece;

/** An element; attributes by name, children in order. */
export interface ElementPiece {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Piece[];
}

/** Describes an element. */
export function element(
  tag: string,
  attributes: Readonly<Record<string, string>>,
  ...children: readonly (Piece | readonly Piece[])[]
): ElementPiece {
  return { tag, attributes, children: children.flat() };
}
