import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { z } from 'zod';
import { EXIT, StopError, usageStop } from '../../core/errors.ts';
import { INPUT_MARKS, normaliseHeader } from '../../core/header.ts';
import { shorten } from '../../core/issue.ts';
import { t } from '../../core/language.ts';
import { nearestText } from '../../core/nearest.ts';
import { readSmallText } from '../../files/small-text.ts';
import type { Context } from '../../run/context.ts';
import type { Resource } from '../../schema/resource.ts';

/**
 * The user's own headers and the columns they stand for: for all sheets (`{ "Pakketnr": "ExternalID" }`), or
 * by resource (`{ "packages": { "Pakketnr": "ExternalID" } }`).
 */
export type HeaderTable = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

/** Stands for no column: a header that the user leaves unused, or refused to take. */
export const UNUSED = '-';

/** One header of the user's own, as plain data. */
export interface HeaderName {
  readonly header: string;
  /** The resource's field, the program's own `#action` or `#key`, or `UNUSED`. */
  readonly field: string;
  /** The resource it is for; null for all. */
  readonly resource: string | null;
  /** It was proposed, and taken with an answer. */
  readonly taken?: true;
}

/** What headers stand for in a sheet of this resource, by the normalised header: fields, marks, `UNUSED`. */
export function namesFor(
  { name, fields }: Resource,
  names: readonly HeaderName[],
): ReadonlyMap<string, string> {
  const own = [...Object.keys(fields), ...INPUT_MARKS];
  const targets: ReadonlySet<string> = new Set([...own, UNUSED]);
  const of = (resource: string | null) =>
    names.filter((one) => one.resource === resource && targets.has(one.field));
  const aliases = Object.entries(fields).flatMap(([field, { alias: header }]) =>
    header === undefined ? [] : [{ header, field }],
  );
  return new Map(
    [...own.map((field) => ({ header: field, field })), ...aliases, ...of(null), ...of(name)].map(
      ({ header, field }) => [normaliseHeader(header), field],
    ),
  );
}

/** Lays headers over others: one that says something else of the same header or field replaces it. */
export function layered(base: readonly HeaderName[], over: readonly HeaderName[]): HeaderName[] {
  const replaced = (one: HeaderName): boolean =>
    over.some(
      (other) =>
        (other.resource === null || other.resource === one.resource) &&
        (isSameHeader(one, other) || (one.field === other.field && one.field !== UNUSED)),
    );
  return [...base.filter((one) => !replaced(one)), ...over];
}

const isSameHeader = (one: { readonly header: string }, other: { readonly header: string }): boolean =>
  normaliseHeader(one.header) === normaliseHeader(other.header);

/** Whether a name, such as a sheet's, means the resource. */
export function isNamed(resource: Resource, name: string): boolean {
  return [resource.sheet, resource.name].some((own) => normaliseHeader(own) === normaliseHeader(name));
}

/**
 * A table of headers as a list, with fields as the interface spells them. `source` names the table in
 * messages. Throws StopError with EXIT.usage for an unknown field or resource.
 */
function headerNames(table: HeaderTable, resources: readonly Resource[], source: string): HeaderName[] {
  const names = Object.entries(table).flatMap(([key, value]): HeaderName[] => {
    if (typeof value === 'string') return [{ header: key, field: value, resource: null }];
    const resource = resources.find((one) => isNamed(one, key));
    if (resource === undefined) {
      const kinds = resources.map(({ name }) => name).join(', ');
      throw usageStop(
        t(
          `${source}: there is no kind of sheet called ${shorten(key)}.`,
          `${source}: er is geen soort werkblad dat ${shorten(key)} heet.`,
        ),
        t(`Use one of ${kinds}.`, `Gebruik een van ${kinds}.`),
      );
    }
    return Object.entries(value).map(([header, field]) => ({ header, field, resource: resource.name }));
  });
  return checkedNames(names, resources, source);
}

/** Headers that are remembered: no sheet has so many columns. */
const MOST_NAMES = 5000;

function checkedNames(
  names: readonly HeaderName[],
  resources: readonly Resource[],
  source: string,
): HeaderName[] {
  const checked: HeaderName[] = [];
  for (const name of names) {
    const chosen = resources.filter((one) => name.resource === null || one.name === name.resource);
    const known = [
      ...new Set([...chosen.flatMap(({ fields }) => Object.keys(fields)), ...INPUT_MARKS, UNUSED]),
    ];
    const field = known.find((one) => normaliseHeader(one) === normaliseHeader(name.field));
    if (field === undefined) throw unknownField(source, name, known);
    const isTwin = (one: HeaderName): boolean =>
      one.resource === name.resource && isSameHeader(one, name) && one.field !== field;
    if (checked.some(isTwin)) {
      const header = shorten(name.header);
      throw notAMap(
        source,
        `"${header}" is to stand for two columns`,
        `"${header}" zou voor twee kolommen staan`,
      );
    }
    checked.push({ ...name, field });
  }
  return checked;
}

function unknownField(source: string, given: HeaderName, known: readonly string[]): StopError {
  const [header, field] = [shorten(given.header), shorten(given.field)];
  return usageStop(
    t(
      `${source}: "${header}" is to stand for ${field}, and there is no such column.`,
      `${source}: "${header}" zou voor ${field} staan, en zo’n kolom is er niet.`,
    ),
    nearestText(
      field,
      known,
      t(
        'Your own header comes first, the column of the template, #action or #key that it stands for second.',
        'Eerst komt je eigen kop, dan de kolom uit het sjabloon, #action of #key waar die voor staat.',
      ),
    ),
  );
}

/** Checks a HeaderTable from JSON. */
export const headerTable = z.record(z.string(), z.union([z.string(), z.record(z.string(), z.string())]));

/**
 * The headers of a map that stands on the command line, such as `Art=ExternalID;Naam=OmschrijvingIntern`,
 * each with its kind of sheet before it where they differ: `packages:Naam=OmschrijvingIntern`. Undefined for
 * the name of a file.
 */
function pairsIn(text: string, resources: readonly Resource[]): HeaderName[] | undefined {
  if (!text.includes('=') || existsSync(text)) return undefined;
  const pairs = text.match(/[^=]*=[^;]*/g) ?? [];
  return [...pairs, text.slice(pairs.join('').length)].flatMap((part) => {
    const pair = part.replace(/^[;\s]+/, '');
    if (pair === '') return [];
    const at = pair.lastIndexOf('=');
    const [left, field] = [pair.slice(0, Math.max(0, at)).trim(), pair.slice(at + 1).trim()];
    if (left === '' || field === '') {
      const quoted = shorten(pair);
      throw notAMap(
        '--map',
        `"${quoted}" does not name a header and a column`,
        `"${quoted}" noemt geen kop en een kolom`,
      );
    }
    const [kind = '', ...rest] = left.split(':');
    const resource = rest.length === 0 ? undefined : resources.find((one) => isNamed(one, kind));
    return resource === undefined
      ? { header: left, field, resource: null }
      : { header: rest.join(':').trim(), field, resource: resource.name };
  });
}

/**
 * Reads the user's own headers: pairs as they stand on the command line, or the JSON file of that name
 * (`HeaderTable`). Throws StopError with EXIT.usage for what is neither.
 */
export function readMap(map: string, resources: readonly Resource[]): HeaderName[] {
  const pairs = pairsIn(map, resources);
  if (pairs !== undefined) return checkedNames(pairs, resources, '--map');
  const source = `--map ${basename(map)}`;
  return headerNames(readTable(map, source), resources, source);
}

function readTable(file: string, source: string): HeaderTable {
  let json: unknown;
  try {
    json = JSON.parse(readSmallText(file));
  } catch (cause) {
    if (cause instanceof SyntaxError)
      throw notAMap(source, 'it is not valid JSON', 'het is geen geldige JSON', cause);
    throw notAMap(
      source,
      'there is no such file that can be read',
      'er is geen bestand met die naam dat te lezen is',
      cause,
    );
  }
  const parsed = headerTable.safeParse(json);
  if (parsed.success) return parsed.data;
  throw notAMap(source, 'it is not an object of texts', 'het is geen object van teksten');
}

function notAMap(source: string, en: string, nl: string, cause?: unknown): StopError {
  const next = t(
    'Write pairs, as in "Pakketnr=ExternalID;Prijs=Verkoopprijs", or name a file that holds JSON, as { "Pakketnr": "ExternalID" }.',
    'Schrijf paren, zoals "Pakketnr=ExternalID;Prijs=Verkoopprijs", of noem een bestand met JSON, zoals { "Pakketnr": "ExternalID" }.',
  );
  return new StopError(EXIT.usage, t(`${source}: ${en}.`, `${source}: ${nl}.`), { next, cause });
}

/** Where the user's own headers come from. */
export interface HeaderSources {
  /** A table, its file, or `none` to forget the one remembered. */
  readonly map?: string | HeaderTable | undefined;
  /** The profile's own. */
  readonly headers?: HeaderTable | undefined;
  /** The profile for which a map is remembered; without one, none is. */
  readonly profile?: string | undefined;
}

/** The user's own headers as a run knows them. */
export interface KnownHeaders {
  readonly names: readonly HeaderName[];
  /** Those of this run's map: one that stands in no sheet gets a note. */
  readonly given: readonly HeaderName[];
  /** Those remembered. */
  readonly remembered: readonly HeaderName[];
  /** Remembers what was chosen for the next import, and for a profile its map. */
  remember(chosen: readonly HeaderName[]): Promise<void>;
}

/**
 * The profile's headers, over them those that are remembered, and over all those of `map`. Throws StopError with
 * EXIT.usage for headers that can't be used.
 */
export async function knownHeaders(
  { resources, ledger, serviceKey }: Context,
  { map, headers = {}, profile }: HeaderSources,
): Promise<KnownHeaders> {
  const fact = profile === undefined ? 'headers that were taken' : `headers of profile ${profile}`;
  const base = headerNames(headers, resources, `headers of profile ${profile ?? 'default'}`);
  const given = map === undefined ? [] : givenNames(map, resources);
  let kept = (await ledger.findFact(serviceKey, fact)) ?? '[]';
  const keep = async (names: readonly HeaderName[]): Promise<void> => {
    const now = JSON.stringify(names.slice(-MOST_NAMES));
    if (now !== kept) await ledger.rememberFact(serviceKey, fact, now);
    kept = now;
  };
  // Forgotten at once: without these headers the file may hold nothing to import.
  if (map === 'none') await keep([]);
  const remembered = JSON.parse(kept) as HeaderName[];
  return {
    ...{ names: layered(layered(base, remembered), given), given, remembered },
    remember: async (chosen) => {
      const known = JSON.parse(kept) as HeaderName[];
      await keep(layered(profile === undefined ? known : layered(known, given), chosen));
    },
  };
}

function givenNames(map: string | HeaderTable, resources: readonly Resource[]): HeaderName[] {
  if (map === 'none') return [];
  return typeof map === 'string'
    ? readMap(map, resources)
    : headerNames(map, resources, 'the map of headers');
}
