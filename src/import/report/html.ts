const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '\r': '&#13;',
};

const escaped = (text: string): string =>
  text.replaceAll('\0', '\ufffd').replace(/[&<>"'\r]/g, (character) => ENTITIES[character] ?? character);

/** HTML that is known to be ours. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

type Part = Html | string | number | false | readonly Part[];

/** HTML of a template: what is filled in stays text, unless it is HTML of a template itself. */
export const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(texts.map((text, at) => text + markupOf(parts[at] ?? false)).join(''));

function markupOf(part: Part): string {
  if (part === false) return '';
  if (part instanceof Html) return part.markup;
  return typeof part === 'object' ? part.map(markupOf).join('') : escaped(String(part));
}
