import { createHash } from 'node:crypto';
import type { Language } from '../../core/language.ts';
import { toHtml } from '../../import/report/page-html.ts';
import { STYLE } from '../../import/report/page-parts.ts';
import { element } from '../../import/report/piece.ts';

/** What a page says of work that no run of rows came of. */
export interface Notice {
  readonly language: Language;
  readonly title: string;
  readonly ok: boolean;
  /** In one line what came of it. */
  readonly state: string;
  readonly lines: readonly string[];
}

/** A page that needs nothing else, in the look of a run's report. */
export function noticePage({ language, title, ok, state, lines }: Notice): string {
  const sign = createHash('sha256').update(STYLE).digest('base64');
  const rules = `default-src 'none'; style-src 'sha256-${sign}'; base-uri 'none'; form-action 'none'`;
  const body = [
    element('h1', {}, title),
    element('p', { class: ok ? 'state' : 'state stopped' }, state),
    element('ul', { class: 'notes' }, ...lines.map((line) => element('li', {}, line))),
  ];
  return [
    `<!doctype html>\n<html lang="${language}">\n<head>`,
    toHtml(element('meta', { charset: 'utf-8' })),
    toHtml(element('meta', { 'http-equiv': 'Content-Security-Policy', content: rules })),
    toHtml(element('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' })),
    toHtml(element('title', {}, title)),
    `<style>${STYLE}</style>\n</head>\n<body>\n<main>`,
    ...body.map(toHtml),
    '</main>\n</body>\n</html>\n',
  ].join('\n');
}
