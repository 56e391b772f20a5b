import type { Locale } from '../value.ts';
import { significant } from './parse-number.ts';

/** A placeholder for a digit, or what stands as it is. */
type Piece = { readonly digit: string } | { readonly literal: string };

/** One section of a number format, of the kinds that people use for codes, amounts and percentages. */
interface NumberFormat {
  readonly before: readonly Piece[];
  readonly least: number;
  readonly most: number;
  readonly after: string;
  readonly grouped: boolean;
  readonly percent: boolean;
}

const TOKENS = /"([^"]*)"?|\\(.)|_.|\*.|\[\$([^\-\]]*)[^\]]*\]|\[[^\]]*\]|[#0?.,%]|[^"\\_*[#0?.,%]/gi;
const known = new Map<string, NumberFormat | null>();

/**
 * A number as the sheet shows it: `00123` by `00000`, `1.250,00` by `#,##0.00` (nl). Formats of other kinds (fractions,
 * exponents, conditions) and General give the plain number with the locale's decimal mark.
 */
export function shownNumber(stored: number, format: string | undefined, locale: Locale): string {
  const value = significant(stored);
  if (format === undefined || !Number.isFinite(value)) return plainNumber(value, locale);
  const sections = sectionsOf(format);
  const own = value < 0 ? sections[1] : value === 0 ? sections[2] : undefined;
  const layout = layoutOf(own ?? sections[0] ?? '');
  if (layout === null || Math.abs(value) >= 1e15) return plainNumber(value, locale);
  const shown = fill(layout, Math.abs(value), locale);
  return value < 0 && own === undefined ? `-${shown}` : shown;
}

function plainNumber(value: number, locale: Locale): string {
  const text = String(value);
  const whole = text.includes('e') ? inFull(value) : text;
  return locale === 'nl' ? whole.replace('.', ',') : whole;
}

function inFull(value: number): string {
  const digits = { useGrouping: false, maximumSignificantDigits: 15 } as const;
  return value.toLocaleString('en', digits);
}

/** Positive, negative, zero; a semicolon in quotes parts nothing. */
function sectionsOf(format: string): string[] {
  return format.match(/(?:"[^"]*"?|\\.|[^;"\\])+/g) ?? [];
}

function layoutOf(section: string): NumberFormat | null {
  let layout = known.get(section);
  if (layout === undefined) {
    layout = readLayout(section);
    known.set(section, layout);
  }
  return layout;
}

/** A colour, such as `[Red]` or `[Color 10]`, changes no digit. */
const COLOURS = /\[(?:black|blue|cyan|green|magenta|red|white|yellow|colou?r ?\d+)\]/gi;
const OTHER_KINDS = /[e/@?]|general|\[[<>=]|,(?=[^#0]*$)|,\./i;

function readLayout(section: string): NumberFormat | null {
  const bare = section
    .replace(/"[^"]*"?|\\./g, '')
    .replace(/\[\$[^\]]*\]/g, '')
    .replace(COLOURS, '');
  if (OTHER_KINDS.test(bare) || !/[#0]/.test(bare)) return null;
  const before: Piece[] = [];
  let [least, most, point, grouped, percent] = [0, 0, false, false, false];
  let after = '';
  for (const [token, quoted, escaped, currency] of section.matchAll(TOKENS)) {
    if (token === '.') point = true;
    else if (token === ',') grouped = true;
    else if (token === '#' || token === '0') {
      if (!point) before.push({ digit: token });
      else if (after !== '') return null;
      else {
        most++;
        if (token === '0') least = most;
      }
    } else {
      if (token === '%') percent = true;
      const literal = quoted ?? escaped ?? currency ?? (/^[_*[]/.test(token) ? '' : token);
      if (point) after += literal;
      else before.push({ literal });
    }
  }
  return { before, least, most, after, grouped, percent };
}

/** The digits from the right onto their places; what is left over stands before the first of them. */
function fill(
  { before, least, most, after, grouped, percent }: NumberFormat,
  size: number,
  locale: Locale,
): string {
  const [mark, group] = locale === 'nl' ? [',', '.'] : ['.', ','];
  const [whole = '', decimals = ''] = significant(percent ? size * 100 : size)
    .toFixed(most)
    .split('.');
  let kept = decimals;
  while (kept.length > least && kept.endsWith('0')) kept = kept.slice(0, -1);
  let rest = whole === '0' ? '' : whole;
  let places = before.filter((piece) => 'digit' in piece).length;
  let shown = '';
  let count = 0;
  const put = (digit: string): void => {
    shown = `${digit}${grouped && count > 0 && count % 3 === 0 ? group : ''}${shown}`;
    count++;
  };
  for (const piece of [...before].reverse()) {
    if ('literal' in piece) {
      shown = piece.literal + shown;
      continue;
    }
    places--;
    if (rest !== '') put(rest.slice(-1));
    else if (piece.digit === '0') put('0');
    rest = rest.slice(0, -1);
    while (places === 0 && rest !== '') {
      put(rest.slice(-1));
      rest = rest.slice(0, -1);
    }
  }
  return `${shown}${most > 0 && kept !== '' ? `${mark}${kept}` : ''}${after}`.trim();
}
