import { integerCodec } from '../core/codecs/integer.ts';
import { type Bilingual, same, t } from '../core/language.ts';
import type { AnswerRecord } from '../schema/answer.ts';
import type { Dialect } from '../schema/dialect.ts';
import { type Endpoint, pathParameters } from '../schema/endpoint.ts';
import type { Lookup, LookupEntry, NamedRecord } from '../schema/field.ts';
import type { RecordPage } from '../schema/page.ts';
import { listRecords } from './pages.ts';
import { RequestError } from './request-error.ts';
import type { Service } from './service.ts';

/** A lookup's list; or why its names can't be turned into ids, with the setting that would help. */
type LookupList =
  | {
      readonly entries: readonly LookupEntry[];
      /** Every record has an id and a name. */
      readonly whole: boolean;
    }
  | { readonly unreadable: Bilingual };

/**
 * Reads the list of a lookup; a dropdown list needs its number.
 * @throws as `Service.send` when the service is away.
 */
export async function lookupList(service: Service, lookup: Lookup, names?: LookupNames): Promise<LookupList> {
  const { endpoint, dropdown, name } = lookup;
  if (endpoint === undefined)
    return {
      unreadable: t(`the service has no list of ${name}`, `het systeem heeft geen lijst van ${name}`),
    };
  const parameters = pathParameters(endpoint);
  if (parameters.length > 0 && dropdown === undefined) {
    const [en, nl] = ['the number of the dropdown list', 'het nummer van de keuzelijst'];
    const unknown = t(`${en} ${name} is not known`, `${nl} ${name} is niet bekend`);
    return { unreadable: unset(unknown, `dropdowns.${name}`) };
  }
  const params = Object.fromEntries(parameters.map((parameter) => [parameter, dropdown ?? '']));
  try {
    const list = endpoint as Endpoint<undefined, RecordPage>;
    const named = { ...list, answer: list.answer.transform(withEntries) };
    const records = await listRecords(service, named, { params });
    if (records.length === 0) return { entries: [], whole: false };
    const read = readEntries(records, name, names);
    if ('entries' in read) return { ...read, whole: read.entries.length === records.length };
    const what = read.missing === 'id' ? t('id', 'id') : t('name', 'naam');
    const none = t(
      `no ${what.en} was found in the list of ${name}`,
      `in de lijst van ${name} is geen ${what.nl} gevonden`,
    );
    return { unreadable: unset(none, `lookups.${name}.${read.missing}`) };
  } catch (error) {
    if (!saysNo(error)) throw error;
    const said = error.words === null ? error.reasons : same(error.words);
    const [en, nl] = [
      `the list of ${name} could not be read`,
      `de lijst van ${name} kon niet worden gelezen`,
    ];
    return { unreadable: t(`${en} (${said.en})`, `${nl} (${said.nl})`) };
  }
}

const unset = ({ en, nl }: Bilingual, setting: string): Bilingual =>
  t(
    `${en}; set dialect.${setting} in catersheet.config.json`,
    `${nl}; stel dialect.${setting} in catersheet.config.json in`,
  );

const AWAY: ReadonlySet<RequestError['kind']> = new Set(['unreachable', 'busy', 'lost']);

/** Whether the service answered, but gave no list. */
function saysNo(error: unknown): error is RequestError {
  return error instanceof RequestError && !AWAY.has(error.kind);
}

/** A page of records, also of one object that holds them under a name of its own, or goes from id to name. */
function withEntries(page: RecordPage): RecordPage {
  if (page.data.length !== 1) return page;
  const members = Object.entries(page.data[0] ?? {});
  const lists = members.flatMap(([, value]) => (isRecords(value) ? [value] : []));
  if (lists[0] !== undefined && lists.length === 1) return { ...page, data: lists[0] };
  const isKeyed = members.every(([key, value]) => /^\d+$/.test(key) && typeof value !== 'object');
  return isKeyed ? { ...page, data: members.map(([id, name]) => ({ id, name })) } : page;
}

const isRecords = (value: unknown): value is AnswerRecord[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'object' && one !== null);

type LookupNames = Dialect['lookups'][string];

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

/** The entries of a lookup's records, or the member not found: the interface shows none (2.9). */
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

/** The name that a record gives itself: in the members that the interface tells, else found out. */
export function nameIn(
  record: AnswerRecord,
  { name, label = [] }: Pick<NamedRecord, 'name' | 'label'>,
  { lookups }: Pick<Dialect, 'lookups'>,
): string | null {
  const names = lookups[name];
  const told = names?.label === undefined ? label.flatMap((member) => labelOf(record[member]) ?? []) : [];
  if (told.length > 0) return told.join(' ');
  const read = readEntries([record], name, names);
  return 'entries' in read ? (read.entries[0]?.label ?? null) : null;
}

/** The lookup's name with ID, else `id`, else the first `…ID`: a unique whole number in every record. */
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

/** The member with the id's stem, else a usual name, else the text with the most different values. */
function findLabel(
  records: readonly AnswerRecord[],
  members: readonly string[],
  idStem: string,
): string | undefined {
  const texts = members.map((member) => {
    const labels = records.map((record) => labelOf(record[member])).filter((label) => label !== null);
    return { member, filled: labels.length, distinct: new Set(labels).size };
  });
  // A member that is mostly empty or mostly the same is no label.
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
