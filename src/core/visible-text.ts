import { foldName } from './header.ts';

/**
 * Signs that move a cursor, break a line, turn the direction of what follows or are not seen at all. Emoji
 * and keycaps, which may hold some of those, come first and stay whole.
 */
const HIDDEN =
  /\p{ExtPict}[\ufe0e\ufe0f\p{EMod}]?(?:\u200d\p{ExtPict}[\ufe0f\p{EMod}]?)*|[#*\d]\ufe0f\u20e3|([\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{DI}\p{Bidi_C}\ufff9-\ufffb])/gu;

/** A quick look: nearly all texts hold nothing else. */
const ORDINARY = /^[\n\t\x20-\x7e\xa0-\xac\xae-\u02ff\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2190-\u23ff]*$/;

/** Pictures of control characters, from U+2400 on. */
const PICTURES = 0x2400;
const DELETE = 0x7f;

function signOf(character: string): string {
  const code = character.codePointAt(0) as number;
  if (code < 0x20) return String.fromCharCode(PICTURES + code);
  if (code === DELETE) return '\u2421';
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}

/** A text of which a reader sees every sign, without power over a terminal or the order of words. */
export function visibleText(text: string): string {
  if (ORDINARY.test(text)) return text;
  return text.replace(HIDDEN, (whole, hidden: string | undefined) =>
    hidden === undefined || hidden === '\n' || hidden === '\t' ? whole : signOf(hidden),
  );
}

/** The same on one line: a line break in it begins no line that seems to be ours. */
export function visibleLine(text: string): string {
  return visibleText(text).replace(/[\n\t]/g, signOf);
}

/** White space that looks like a blank or like none, and hyphens that look like the one of a keyboard. */
const LOOKALIKE = /[^\S ]|[\u2010\u2011]|^ | (?= |$)/g;
const MAY_LOOK_ALIKE = new RegExp(LOOKALIKE.source);

/** Texts side by side, such as what was and what is: what differs in those that would look the same is made visible. */
export function toldApart<Texts extends readonly string[]>(
  ...texts: Texts
): { readonly [Place in keyof Texts]: string };
export function toldApart(...texts: readonly string[]): readonly string[] {
  if (!texts.some((text) => MAY_LOOK_ALIKE.test(text))) return texts;
  const names = texts.map(foldName);
  const hasTwin = (text: string, at: number): boolean =>
    texts.some((other, place) => other !== text && names[place] === names[at]);
  return texts.map((text, at) => (hasTwin(text, at) ? text.replace(LOOKALIKE, signOf) : text));
}

/** Control characters but tabs and line ends. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it finds
const CONTROLS = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g;

/** Data with its control characters visible, but for tabs and line ends: no terminal obeys it. */
export function visibleControls(text: string): string {
  return text.replace(CONTROLS, signOf);
}

/** The same of JSON, which may stand on several lines. */
const ORDINARY_JSON =
  /^[\n\x20-\x7e\xa0-\xac\xae-\u02ff\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2190-\u23ff]*$/;

/** JSON of the same value, in which those signs are escaped. */
export function plainJson(json: string): string {
  if (ORDINARY_JSON.test(json)) return json;
  return json.replace(HIDDEN, (whole, hidden: string | undefined) =>
    hidden === undefined || hidden === '\n' ? whole : escaped(hidden),
  );
}

function escaped(character: string): string {
  const unit = (at: number): string => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
  return Array.from({ length: character.length }, (_, at) => unit(at)).join('');
}

/** The start of a text, without half a character at its end. */
export function startOf(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}

/** How wide a letter is drawn: twice as wide as others in Chinese, Japanese and Korean, and of emoji. */
const WIDE =
  /\p{EPres}|\ufe0f|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u;

/** How many columns of a terminal a text takes as it is shown. */
export function shownWidth(text: string): number {
  const shown = visibleLine(text);
  if (/^[\x20-\x7e]*$/.test(shown)) return shown.length;
  const letters = [...new Intl.Segmenter().segment(shown)];
  return letters.reduce((sum, { segment }) => sum + (WIDE.test(segment) ? 2 : 1), 0);
}

/** Characters without meaning to any shell. */
const PLAIN = /^[\p{L}\p{N}_@%+=:,./-]+$/u;
/** Characters with a meaning within double quotes. */
const SPECIAL = /["$`!\\]/;

/** A text in quotes as one word of a command line. On Windows only double quotes work, and a backslash in them is itself. */
export const quotedWord = (text: string): string =>
  process.platform === 'win32' || !SPECIAL.test(text) ? `"${text}"` : `'${text.replaceAll("'", "'\\''")}'`;

/** A text as one word of a command line, in quotes where it needs them. */
export function shellWord(text: string): string {
  const plain = process.platform === 'win32' ? text.replaceAll('\\', '/') : text;
  return PLAIN.test(plain) ? text : quotedWord(text);
}
