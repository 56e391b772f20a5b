/** A sentence with each `{name}` replaced by its value, whatever stands in the values. */
export function fillIn(sentence: string, values: Readonly<Record<string, string | number>>): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** A piece of a page: a text or an element. The program writes it as HTML, the page makes nodes of it. */
export type Piece = string | ElementPiece;

/** An element with its attributes and children. */
export interface ElementPiece {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Piece[];
}

/** Makes an element; lists of children are flattened. */
export function element(
  tag: string,
  attributes: Readonly<Record<string, string>>,
  ...children: readonly (Piece | readonly Piece[])[]
): ElementPiece {
  return { tag, attributes, children: children.flat() };
}
