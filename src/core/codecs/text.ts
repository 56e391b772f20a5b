import { z } from 'zod';
import type { Cell } from '../cell.ts';
import { type Codec, cellText, type DecodedCell, decoded, readScalar, undecodable } from '../codec.ts';
import type { Locale } from '../value.ts';
import { isNullWord, LEAVE_EMPTY } from './plain-text.ts';
import { shownDate, shownNumber } from './shown-cell.ts';

/** Invisible at either end of a text; within it they join emoji and letters. */
const OUTER = /^[\s\u200b\u2060]+|[\s\u200b\u2060]+$/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it finds
const CONTROLS = /[\x00-\x08\x0e-\x1f\x7f-\x9f]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: Word and others break lines with these
const LINE_ENDS = /\r\n?|[\x0b\x0c]/g;
const ZERO_WIDTH = 0x200b;
const WORD_JOINER = 0x2060;

/** Line ends other than LF, control characters and lone surrogates: one test is quicker than a loop. */
const UNUSUAL = /[^\t\n\x20-\x7e\xa0-\ud7ff\ue000-\uffff]/;

const isInvisible = (code: number): boolean => code === ZERO_WIDTH || code === WORD_JOINER;

function trim(text: string): string {
  const trimmed = text.trim();
  const edges = isInvisible(trimmed.charCodeAt(0)) || isInvisible(trimmed.charCodeAt(trimmed.length - 1));
  return edges ? trimmed.replace(OUTER, '') : trimmed;
}

/** Neither white space nor a sign without width. */
const VISIBLE = /[^\s\p{DI}]/u;

/** Whether a text shows nothing. */
export function isBlankText(text: string): boolean {
  const first = text.charCodeAt(0);
  // Nearly every text begins with a letter or a digit.
  return first > 32 && first < 127 ? false : !VISIBLE.test(text);
}

const withoutControls = (text: string): string =>
  text.replace(CONTROLS, '').replace(LONE_SURROGATES, '\ufffd');

const LONE_SURROGATES = /\p{Surrogate}/gu;

/** Outer blanks go, line ends become LF; all else stays as typed. */
function tidy(text: string): string {
  return trim(UNUSUAL.test(text) ? withoutControls(text.replace(LINE_ENDS, '\n')) : text);
}

function decodeText(found: string): DecodedCell<string> {
  // With a word joiner in front an export keeps a record's own text of that kind.
  if (isNullWord(found.trim())) return undecodable('null-word', found, LEAVE_EMPTY);
  if (!UNUSUAL.test(found)) return decoded(trim(found));
  const lines = found.replace(LINE_ENDS, '\n');
  const plain = withoutControls(lines);
  return decoded(trim(plain), plain === lines ? undefined : { code: 'text-characters', found });
}

function decode(cell: Cell, locale: Locale): DecodedCell<string> {
  if (cell.type === 'text') return decodeText(cell.value);
  if (cell.type === 'error') return undecodable('error-cell', cell.value);
  if (cell.type === 'number') return decoded(shownNumber(cell.value, cell.format, locale));
  if (cell.type === 'date') return decoded(shownDate(cell.value, cell.format, locale));
  const words = locale === 'nl' ? ['WAAR', 'ONWAAR'] : ['TRUE', 'FALSE'];
  return decoded(words[cell.value ? 0 : 1] ?? '');
}

/** A string of the interface, without outer blanks; any cell is read as the text it shows. */
export const textCodec: Codec<string> = {
  type: 'text',
  decode,
  read: readScalar((value) => {
    const text = tidy(String(value));
    return text === '' ? null : text;
  }),
  wire: z.string(),
};

/** Digits with grouping marks, or with decimals of zeros: what a format adds to an id. */
const GROUPED_DIGITS = /^\d[\d.,'\s\u00a0\u202f]*$/;

function decodeNumber(cell: Cell, value: number, locale: Locale): DecodedCell<string> {
  const found = cellText(cell);
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return undecodable('integer-too-large', found);
  if (!Number.isInteger(value) || value < 0) return undecodable('identifier-expected', found);
  const shown = shownNumber(value, cell.format, locale);
  return decoded(GROUPED_DIGITS.test(shown) && !/^\d+$/.test(shown) ? String(value) : shown);
}

/**
 * An id of the interface that is text: a text as it stands, or a whole number as the sheet shows it (`00123`
 * by `00000`). A date, a boolean or a fraction is no id: what was typed is lost.
 */
export const identifierCodec: Codec<string> = {
  ...textCodec,
  decode(cell, locale) {
    if (cell.type === 'number') return decodeNumber(cell, cell.value, locale);
    if (cell.type === 'text' || cell.type === 'error') return textCodec.decode(cell, locale);
    return undecodable('identifier-expected', cellText(cell));
  },
};
