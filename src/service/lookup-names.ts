import type { AnswerRecord } from '../schema/answer.ts';
import { integerCodec } from '../schema/codecs/integer.ts';
import type { LookupEntry } from '../schema/lookup.ts';

/** How a lookup's records name their id and their label; what is absent is found out. */
export interface LookupNames {
  readonly id?: string | undefined;
  readonly label?: string | undefined;
}

/** Usual names of a label, the likeliest first. */
const LABELS = [
  'omschrijving',
  'naam',
  'waarde',
  'name',
  'description',
  'label',
  'title',
  'titel',
  'value',
  'omschrijvingintern',
];

const idOf = (value: unknown): number | null => {
  const read = integerCodec.read(value);
  return typeof read === 'number' && Number.isSafeInteger(read) ? read : null;
};
const labelOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
const stem = (name: string): string => name.toLowerCase().replace(/(waarde)?_?id$/, '');

/** The entries of a lookup's records, or which of the two members could not be found. Fields of these records are not shown (interface 2.9). */
export function readEntries(
  records: readonly AnswerRecord[],
  lookup: string,
  names: LookupNames = {},
): { readonly entries: LookupEntry[] } | { readonly missing: 'id' | 'label' } {
  const members = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const own = (name: string | undefined) =>
    members.find((member) => member.toLowerCase() === name?.toLowerCase());
  const id = names.id === undefined ? findId(records, members, lookup) : own(names.id);
  if (id === undefined) return { missing: 'id' };
  const label =
    names.label === undefined ? findLabel(records, members, stem(id) || lookup) : own(names.label);
  if (label === undefined) return { missing: 'label' };
  const entries = records.flatMap((record) => {
    const [number, text] = [idOf(record[id]), record[label]];
    const name = labelOf(typeof text === 'number' ? String(text) : text);
    return number === null || name === null ? [] : [{ id: number, label: name }];
  });
  return { entries };
}

/** The lookup's own name with ID, else `id`, else the first `…ID`; a whole number in every record, never the same twice. */
function findId(
  records: readonly AnswerRecord[],
  members: readonly string[],
  lookup: string,
): string | undefined {
  const unique = members.filter((member) => {
    const ids = records.map((record) => idOf(record[member]));
    return ids.every((id) => id !== null) && new Set(ids).size === ids.length;
  });
  const wanted = [`${lookup}id`, 'id', `${lookup}_id`, lookup, 'waardeid', 'dropdownwaardeid'];
  const usual = wanted.map((name) => unique.find((member) => member.toLowerCase() === name)).find(Boolean);
  return usual ?? unique.find((member) => /(ID|Id|_id)$/.test(member));
}

/** The member with the id's own stem, else a usual name, else the text that tells the most records apart. */
function findLabel(
  records: readonly AnswerRecord[],
  members: readonly string[],
  idStem: string,
): string | undefined {
  const texts = members.map((member) => {
    const labels = records.map((record) => labelOf(record[member])).filter((label) => label !== null);
    return { member, filled: labels.length, distinct: new Set(labels).size };
  });
  // A member that is mostly empty or says the same everywhere names nothing.
  const telling = texts.filter(
    ({ filled, distinct }) => filled * 2 > records.length && (distinct * 2 > filled || filled === 1),
  );
  const wanted = [idStem, `${idStem}naam`, `${idStem}omschrijving`, ...LABELS];
  const usual = wanted
    .map((name) => telling.find(({ member }) => member.toLowerCase() === name))
    .find(Boolean);
  const most = telling.reduce<(typeof telling)[number] | undefined>(
    (best, one) => (one.distinct > (best?.distinct ?? 0) ? one : best),
    undefined,
  );
  return (usual ?? most)?.member;
}
