import type { AnswerRecord } from '../schema/answer.ts';
import { pathParameters } from '../schema/endpoint.ts';
import type { Lookup, LookupEntry } from '../schema/lookup.ts';
import type { Bilingual } from '../schema/value.ts';
import { type LookupNames, readEntries } from './lookup-names.ts';
import { RequestError } from './request-error.ts';
import type { Service } from './service.ts';

/** Why names cannot be turned into ids here; ids still can be used. */
export interface UnreadableLookup {
  readonly reason: 'no-list' | 'no-number' | 'no-id' | 'no-label' | 'refused';
  /** In English; `hint` has both languages. */
  readonly unreadable: string;
  readonly hint: Bilingual;
  /** The hint without the setting, and the setting of the dialect that would help; null when none would. */
  readonly found: Bilingual;
  readonly setting: string | null;
}

/** A lookup's list. */
export interface LookupList {
  readonly entries: readonly LookupEntry[];
  /** Nothing of it was left out: it has no further pages, and every record an id and a name. */
  readonly whole: boolean;
}

/**
 * The list of a lookup, by one request; the caller keeps it. A dropdown list needs its number.
 * @throws as `Service.send` when the service is away, so that nobody takes that for a wrong name.
 */
export async function lookupList(
  service: Service,
  lookup: Lookup,
  names?: LookupNames,
): Promise<LookupList | UnreadableLookup> {
  const { endpoint, dropdown, name } = lookup;
  if (endpoint === undefined) return unreadable('no-list', name);
  const parameters = pathParameters(endpoint);
  if (parameters.length > 0 && dropdown === undefined) return unreadable('no-number', name);
  const params = Object.fromEntries(parameters.map((parameter) => [parameter, dropdown ?? '']));
  try {
    const answer = await service.send(endpoint, { params });
    const records = unfold(answer);
    if (records.length === 0) return { entries: [], whole: false };
    const read = readEntries(records, name, names);
    if (!('entries' in read)) return unreadable(`no-${read.missing}`, name);
    const { entries } = read;
    return { entries, whole: entries.length === records.length && !goesOn(answer, records.length) };
  } catch (error) {
    if (!(error instanceof RequestError) || AWAY.has(error.kind)) throw error;
    return unreadable('refused', name, error.words ?? error.reasons);
  }
}

const AWAY: ReadonlySet<RequestError['kind']> = new Set(['unreachable', 'busy', 'lost']);

/** Whether an answer says that there are more records than it holds: of pages only the first is read. */
function goesOn(answer: unknown, records: number): boolean {
  if (Array.isArray(answer)) return answer.length === 1 && goesOn(answer[0], records);
  if (!isRecord(answer)) return false;
  const { meta, links, data } = answer;
  const around = [answer, meta, links].filter(isRecord);
  const told = around.some(
    ({ last_page, total, next, next_page_url }) =>
      Number(last_page) > 1 || Number(total) > records || isLink(next) || isLink(next_page_url),
  );
  return told || (isRecord(data) && goesOn(data, records));
}

const isLink = (link: unknown): boolean => typeof link === 'string' && link !== '';

/** The records in an answer: a list, alone or inside members of its own, or an object from id to name. */
function unfold(answer: unknown): AnswerRecord[] {
  if (Array.isArray(answer)) {
    const [only] = answer;
    return answer.length === 1 ? unfold(only) : answer.filter(isRecord);
  }
  if (!isRecord(answer)) return [];
  const lists = Object.values(answer).filter(
    (member): member is AnswerRecord[] => Array.isArray(member) && member.some(isRecord),
  );
  if (lists[0] !== undefined && lists.length === 1) return lists[0].filter(isRecord);
  const members = Object.entries(answer);
  const [first] = members;
  if (first !== undefined && members.length === 1 && isRecord(first[1])) return unfold(first[1]);
  const keyed =
    members.length > 0 && members.every(([key, value]) => /^\d+$/.test(key) && typeof value !== 'object');
  return keyed ? members.map(([id, name]) => ({ id, name })) : [answer];
}

function isRecord(value: unknown): value is AnswerRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unreadable(
  reason: UnreadableLookup['reason'],
  name: string,
  said: string | Bilingual = '',
): UnreadableLookup {
  const found = FOUND[reason](name, typeof said === 'string' ? { en: said, nl: said } : said);
  const setting = SETTINGS[reason]?.(name) ?? null;
  const hint =
    setting === null ? found : { en: `${found.en}; set ${setting}`, nl: `${found.nl}; stel ${setting} in` };
  return { reason, unreadable: hint.en, hint, found, setting };
}

const SETTINGS: Partial<Record<UnreadableLookup['reason'], (name: string) => string>> = {
  'no-number': (name) => `dropdowns.${name}`,
  'no-id': (name) => `lookups.${name}.id`,
  'no-label': (name) => `lookups.${name}.label`,
};

const FOUND: Readonly<Record<UnreadableLookup['reason'], (name: string, said: Bilingual) => Bilingual>> = {
  'no-list': (name) => ({
    en: `the service has no list of ${name}`,
    nl: `de dienst heeft geen lijst van ${name}`,
  }),
  'no-number': (name) => ({
    en: `the number of the dropdown list ${name} is not known`,
    nl: `het nummer van de keuzelijst ${name} is niet bekend`,
  }),
  'no-id': (name) => ({
    en: `no id was found in the list of ${name}`,
    nl: `in de lijst van ${name} is geen id gevonden`,
  }),
  'no-label': (name) => ({
    en: `no name was found in the list of ${name}`,
    nl: `in de lijst van ${name} is geen naam gevonden`,
  }),
  refused: (name, said) => ({
    en: `the list of ${name} could not be read (${said.en})`,
    nl: `de lijst van ${name} kon niet worden gelezen (${said.nl})`,
  }),
};
