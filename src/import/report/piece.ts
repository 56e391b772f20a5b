/** A sentence with each `{name}` replaced by its value, whatever stands in the values. */
export function fillIn(sentence: string, values: Readonly<Record<string, string | number>>): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** A piece of a page: a text or an element. The program writes it as HTML, the page makes nodes of it. */
export type Piece = string | ElementPiece;

/** An element with its attributes and children. */
export interface ElementPiece {
  readonly tag: string;
  readonly attributes: readonly (readonly [name: string, value: string])[];
  readonly children: readonly Piece[];
}

type Child = Piece | false;

/** Makes an element; lists of children are flattened, and what is undefined or false is left out. */
export function element(
  tag: string,
  attributes: Readonly<Record<string, string | number | undefined>>,
  ...children: readonly (Child | readonly Child[])[]
): ElementPiece {
  return {
    tag,
    attributes: Object.entries(attributes).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
    children: children.flat().filter((child) => child !== false),
  };
}
