import type { Piece } from './piece.ts';

const EMPTY: ReadonlySet<string> = new Set(['input', 'meta', 'link', 'br']);

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '\r': '&#13;',
};

/** A text as HTML, in an element or in an attribute's quotes. What no page can hold is shown as the replacement character. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('\0', '\ufffd')
    .replace(/[&<>"'\r]/g, (character) => ENTITIES[character] ?? character);
}

/** A piece of a page as HTML; every text in it stays text. */
export function toHtml(piece: Piece): string {
  if (typeof piece === 'string') return escapeHtml(piece);
  const { tag, attributes, children } = piece;
  const given = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeHtml(value)}"`);
  const start = `<${tag}${given.join('')}>`;
  return EMPTY.has(tag) ? start : `${start}${children.map(toHtml).join('')}</${tag}>`;
}

/** Data as JSON that can stand in a script element: nothing in it ends the element or begins a comment. */
export function toScriptJson(data: unknown): string {
  return JSON.stringify(data).replaceAll('<', '\\u003c');
}
