import { createHash } from 'node:crypto';
import { SCRIPT, STYLE } from './page-parts.ts';
import { toHtml } from './to-html.ts';

/** What stands before and after a page's own pieces. */
export interface PageShell {
  readonly start: string;
  readonly end: string;
}

/**
 * A page that is whole by itself: its own style and script, known by their hashes, are all that it may run or load, so that not even
 * a text that were taken for HTML could do anything.
 */
export function pageShell(language: string, title: string): PageShell {
  const rules = [
    "default-src 'none'",
    `style-src '${hashOf(STYLE)}'`,
    `script-src '${hashOf(SCRIPT)}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
  const meta = (attributes: Record<string, string>): string =>
    toHtml({ tag: 'meta', attributes, children: [] });
  return {
    start: [
      `<!doctype html>\n<html lang="${language}">\n<head>`,
      meta({ charset: 'utf-8' }),
      meta({ 'http-equiv': 'Content-Security-Policy', content: rules }),
      meta({ name: 'viewport', content: 'width=device-width, initial-scale=1' }),
      meta({ name: 'color-scheme', content: 'light dark' }),
      meta({ name: 'referrer', content: 'no-referrer' }),
      meta({ name: 'generator', content: 'catersheet' }),
      toHtml({ tag: 'title', attributes: {}, children: [title] }),
      `<style>${STYLE}</style>\n</head>\n<body>\n<main>\n`,
    ].join('\n'),
    end: `<script>${SCRIPT}</script>\n</body>\n</html>\n`,
  };
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
