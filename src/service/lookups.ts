import { pathParameters } from '../schema/endpoint.ts';
import type { Lookup, LookupEntry } from '../schema/lookup.ts';
import type { Bilingual } from '../schema/value.ts';
import { type LookupNames, readEntries } from './lookup-names.ts';
import { lookupRecords, saysNo } from './lookup-records.ts';
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
  /** Nothing of it was left out: every page was read, and every record has an id and a name. */
  readonly whole: boolean;
}

/**
 * The list of a lookup, to its last page; the caller keeps it. A dropdown list needs its number.
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
    const { records, whole } = await lookupRecords(service, endpoint, params);
    if (records.length === 0) return { entries: [], whole: false };
    const read = readEntries(records, name, names);
    if (!('entries' in read)) return unreadable(`no-${read.missing}`, name);
    const { entries } = read;
    return { entries, whole: whole && entries.length === records.length };
  } catch (error) {
    if (!saysNo(error)) throw error;
    return unreadable('refused', name, error.words ?? error.reasons);
  }
}

function unreadable(
  reason: UnreadableLookup['reason'],
  name: string,
  said: string | Bilingual = '',
): UnreadableLookup {
  const found = FOUND[reason](name, typeof said === 'string' ? { en: said, nl: said } : said);
  const setting = SETTINGS[reason]?.(name) ?? null;
  const hint =
    setting === null
      ? found
      : {
          en: `${found.en}; set ${setting} in catersheet.config.json`,
          nl: `${found.nl}; stel ${setting} in catersheet.config.json in`,
        };
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
