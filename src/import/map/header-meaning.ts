import { normaliseHeader } from '../../core/header.ts';
import { readOnly } from '../../schema/field.ts';
import type { Resource } from '../../schema/resource.ts';
import { HEADER_WORDS } from './header-words.ts';

/** A header longer than this is a sentence. */
const LONGEST = 60;

/** Marks above letters, which people leave out. */
const ACCENTS = /\p{M}/gu;
const NOT_A_LETTER = /[^\p{L}\p{N}]/gu;
/** Units and remarks: `Prijs (excl. btw)`. */
const BRACKETS = /\([^)]*\)|\[[^\]]*\]/g;
const NUMBER = /numm?e?r|numbe?r/g;
/** What people say of money behind its word. */
const OF_MONEY = /(?:(?:excl|ex|incl|inc|exclusief|inclusief|excluding|including)(?:btw|vat|tax)?|eur|euro)$/;

/** The letters and digits of a name, without case and accents: `Art.-nr.` and `artnr` are one. */
export function lettersOf(name: string): string {
  const plain = normaliseHeader(name).normalize('NFD').replace(ACCENTS, '');
  return plain.replace(NOT_A_LETTER, '').replace(NUMBER, 'nr');
}

/** The ways in which a header is looked up: as it stands, without brackets, without what is said of money. */
function waysOf(header: string): string[] {
  const whole = lettersOf(header);
  const short = lettersOf(header.replace(BRACKETS, ' '));
  const ways = [whole, short, short.replace(OF_MONEY, '')];
  return [...new Set(ways.filter((one) => one !== ''))];
}

type Words = ReadonlyMap<string, ReadonlySet<string>>;

const known = new WeakMap<Resource, Words>();

/**
 * The fields that each word may mean: the table's words, the fields' own names, and what help calls them.
 */
function wordsOf(resource: Resource): Words {
  const found = known.get(resource);
  if (found !== undefined) return found;
  const words = new Map<string, Set<string>>();
  const own = HEADER_WORDS[resource.name] ?? {};
  for (const [name, field] of Object.entries(resource.fields)) {
    if (readOnly(field)) continue;
    const helped = [field.help.nl, field.help.en].map((help) => help.split(/[,;:]/)[0] ?? '');
    const called = (own[name] ?? []).flatMap((list) => list.split(','));
    for (const word of [name, ...helped, ...called].map(lettersOf)) {
      if (word === '') continue;
      words.set(word, (words.get(word) ?? new Set()).add(name));
    }
  }
  known.set(resource, words);
  return words;
}

/** The fields that a header means by the table of words, or as a field's own name in other letters. */
export function meantFields(resource: Resource, header: string): readonly string[] {
  if (header.length > LONGEST || header.startsWith('#')) return [];
  const words = wordsOf(resource);
  const way = waysOf(header).find((one) => words.has(one));
  return [...(words.get(way ?? '') ?? [])];
}

/** A unit in brackets: nobody converts to that of the field. */
export const namesUnit = (header: string): boolean =>
  /[([]\s*(?:m?g|gr|grams?|kg|kilo|[mcd]?l|liters?|litres?|ton)\s*[)\]]/i.test(header);
