import { createHash } from 'node:crypto';
import { SCRIPT, STYLE } from './page-parts.ts';
import { element, type Piece } from './piece.ts';

const EMPTY: ReadonlySet<string> = new Set(['input', 'meta', 'link', 'br']);

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '\r': '&#13;',
};

/** A text as HTML, in an element or an attribute's quotes; a NUL becomes the replacement character. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('\0', '\ufffd')
    .replace(/[&<>"'\r]/g, (character) => ENTITIES[character] ?? character);
}

/** A piece of a page as HTML; its texts stay texts. */
export function toHtml(piece: Piece): string {
  if (typeof piece === 'string') return escapeHtml(piece);
  const { tag, attributes, children } = piece;
  const given = attributes.map(([name, value]) => ` ${name}="${escapeHtml(value)}"`);
  const start = `<${tag}${given.join('')}>`;
  return EMPTY.has(tag) ? start : `${start}${children.map(toHtml).join('')}</${tag}>`;
}

/** Data as JSON that can stand in a script element: nothing in it ends the element or begins a comment. */
export function toScriptJson(data: unknown): string {
  return JSON.stringify(data).replaceAll('<', '\\u003c');
}

/**
 * The start and end of a page without outside parts: it may run and load only its own style and script, known
 * by their hashes, so that not even a text taken for HTML could do anything.
 */
export function pageShell(language: string, title: string): { readonly start: string; readonly end: string } {
  const rules = [
    "default-src 'none'",
    `style-src '${hashOf(STYLE)}'`,
    `script-src '${hashOf(SCRIPT)}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
  const meta = (attributes: Record<string, string>): string => toHtml(element('meta', attributes));
  return {
    start: [
      `<!doctype html>\n<html lang="${language}">\n<head>`,
      meta({ charset: 'utf-8' }),
      meta({ 'http-equiv': 'Content-Security-Policy', content: rules }),
      meta({ name: 'viewport', content: 'width=device-width, initial-scale=1' }),
      meta({ name: 'color-scheme', content: 'light dark' }),
      meta({ name: 'referrer', content: 'no-referrer' }),
      meta({ name: 'generator', content: 'catersheet' }),
      toHtml(element('title', {}, title)),
      `<style>${STYLE}</style>\n</head>\n<body>\n<main>\n`,
    ].join('\n'),
    end: `<script>${SCRIPT}</script>\n</body>\n</html>\n`,
  };
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
