import { type Bilingual, t } from '../language.ts';

const STRANGE = /[^\x20-\x7e]/;
const FULL_WIDTH = /[\uff01-\uff5e]/g;
const DASHES = /[\u2010-\u2015\u2212\ufe63]/g;
const APOSTROPHES = /[\u2018\u2019\u02bc\u2032\u00b4]/g;
/** Zero-width characters, direction marks and soft hyphens, which come along when a web page is copied. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;
const BLANKS = /\s/g;

/**
 * A number, date or word in plain keyboard characters: any blank becomes a space, any dash a hyphen,
 * full-width digits plain ones; outer blanks and Excel's apostrophe in front go.
 */
export function plainText(text: string): string {
  const trimmed = text.trim();
  const plain = STRANGE.test(trimmed) ? inPlainCharacters(trimmed) : trimmed;
  return plain.startsWith("'") ? plain.slice(1).trimStart() : plain;
}

function inPlainCharacters(text: string): string {
  return text
    .replace(FULL_WIDTH, (character) => String.fromCharCode(character.charCodeAt(0) - 0xfee0))
    .replace(DASHES, '-')
    .replace(APOSTROPHES, "'")
    .replace(INVISIBLE, '')
    .replace(BLANKS, ' ')
    .trim();
}

/** What databases and programs write where they hold nothing, in their own letter case: "Geen" is a word. */
const NULL_WORD = String.raw`(?:NULL|null|\((?:NULL|null)\)|\[(?:NULL|null)\]|<(?:NULL|null|NA)>|\\N|None|NaN|nan|NaT|undefined|\[object Object\])`;
const NULL_WORDS = new RegExp(`^${NULL_WORD}(?:[\\s,;|/]*${NULL_WORD})*$`);

/** Whether a trimmed text is such words and nothing else, as a list of nothing is. */
export const isNullWord = (text: string): boolean => NULL_WORDS.test(text);

/** Advice on a cell with a word for nothing. */
export const LEAVE_EMPTY: Bilingual = t(
  'leave the cell empty to leave the field as it is',
  'laat de cel leeg om het veld te laten zoals het is',
);

/** The same on a count, where an empty cell leaves nothing as it is. */
export const NOT_COUNTED: Bilingual = t(
  'leave the cell empty: an empty cell is not counted',
  'laat de cel leeg: een lege cel is niet geteld',
);
