import type { Cell } from '../cell.ts';
import { type Codec, cellText, type Decoded, decoded, undecodable } from '../codec.ts';
import type { Bilingual, Locale } from '../value.ts';
import { shownNumber } from './shown-number.ts';
import { textCodec } from './text.ts';

const WRITE_IT: Bilingual = {
  en: 'give the cell the format Text and type the id again',
  nl: 'geef de cel de notatie Tekst en typ het nummer opnieuw',
};

/** What a format adds for the eye: marks between digits, and decimals of nothing. */
const FOR_THE_EYE = /^\d[\d.,'\s\u00a0\u202f]*$/;

function decodeNumber(cell: Cell, value: number, locale: Locale): Decoded<string> {
  const found = cellText(cell);
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return undecodable({ code: 'integer-too-large', found });
  if (!Number.isInteger(value) || value < 0)
    return undecodable({ code: 'identifier-expected', found, hint: WRITE_IT });
  const shown = shownNumber(value, cell.format, locale);
  return decoded(FOR_THE_EYE.test(shown) && !/^\d+$/.test(shown) ? String(value) : shown);
}

/**
 * A string of the interface that names something: a text as it stands, or a whole number as the sheet shows it (`00123` by
 * `00000`). What a spreadsheet program made a date, a truth or a fraction of is no id: what was typed is gone.
 */
export const identifierCodec: Codec<string> = {
  ...textCodec,
  decode(cell, locale) {
    if (cell.type === 'number') return decodeNumber(cell, cell.value, locale);
    if (cell.type === 'text' || cell.type === 'error') return textCodec.decode(cell, locale);
    return undecodable({ code: 'identifier-expected', found: cellText(cell), hint: WRITE_IT });
  },
};
