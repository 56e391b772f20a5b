import type { Piece } from '../piece.ts';

/** A piece of a page as nodes; every text becomes a text node, so that none is ever read as HTML. */
export function toNode(piece: Piece): Node {
  if (typeof piece === 'string') return document.createTextNode(piece);
  const made = document.createElement(piece.tag);
  for (const [name, value] of Object.entries(piece.attributes)) made.setAttribute(name, value);
  made.append(...piece.children.map(toNode));
  return made;
}
