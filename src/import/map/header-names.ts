import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { z } from 'zod';
import type { Row } from '../../core/cell.ts';
import { cellText } from '../../core/codec.ts';
import { EXIT, StopError, usageStop } from '../../core/errors.ts';
import { INPUT_MARKS, normaliseHeader } from '../../core/header.ts';
import { shorten } from '../../core/issue.ts';
import { type Bilingual, t } from '../../core/language.ts';
import { nearest } from '../../core/nearest.ts';
import { readSmallText } from '../../files/small-text.ts';
import type { Context } from '../../run/context.ts';
import type { Resource } from '../../schema/resource.ts';
import { readWorkbook } from '../../workbook/read-workbook.ts';
import { type DroppedHeader, unusedOf } from './header-memory.ts';

/**
 * The user's own headers and the columns they stand for: for all sheets (`{ "Artikelnr": "ExternalID" }`), or
 * by resource (`{ "packages": { "Artikelnr": "ExternalID" } }`).
 */
export type HeaderTable = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

/** One header of the user's own, as plain data. */
export interface HeaderName {
  readonly header: string;
  /** The resource's field, or the program's own `#action` or `#key`. */
  readonly field: string;
  /** The resource it is for; null for all. */
  readonly resource: string | null;
  /** It was proposed, and taken with an answer. */
  readonly taken?: true;
}

/** The fields and marks that headers stand for in a sheet of this resource, by the normalised header. */
export function namesFor(resource: Resource, names: readonly HeaderName[]): ReadonlyMap<string, string> {
  const fields = Object.keys(resource.fields).map((field) => ({ header: field, field }));
  const targets: ReadonlySet<string> = new Set([...Object.keys(resource.fields), ...INPUT_MARKS]);
  const general = names.filter((name) => name.resource === null && targets.has(name.field));
  const own = names.filter((name) => name.resource === resource.name);
  return new Map(
    [...fields, ...general, ...own].map(({ header, field }) => [normaliseHeader(header), field]),
  );
}

/** Lays headers over others: one that says something else of the same header or field replaces it. */
export function layered(base: readonly HeaderName[], over: readonly HeaderName[]): HeaderName[] {
  const replaced = (one: HeaderName): boolean =>
    over.some(
      ({ header, field, resource }) =>
        (resource === null || resource === one.resource) && isClash({ header, field, resource }, one),
    );
  return [...base.filter((one) => !replaced(one)), ...over];
}

/** A map has one header for a field and one field for a header: of names that clash the first are kept. */
export function withoutClashes(names: readonly HeaderName[]): HeaderName[] {
  const kept: HeaderName[] = [];
  for (const one of names)
    if (!kept.some((other) => other.resource === one.resource && isClash(other, one))) kept.push(one);
  return kept;
}

const isClash = (one: HeaderName, other: HeaderName): boolean =>
  one.field === other.field || isSameHeader(one, other);

const isSameHeader = (one: { readonly header: string }, other: { readonly header: string }): boolean =>
  normaliseHeader(one.header) === normaliseHeader(other.header);

/** Whether a name, such as a sheet's, means the resource. */
export function isNamed(resource: Resource, name: string): boolean {
  return [resource.sheet, resource.name].some((own) => normaliseHeader(own) === normaliseHeader(name));
}

/**
 * A table of headers as a list, with fields as the interface spells them. `source` names the table in
 * messages. Throws StopError with EXIT.usage for an unknown field or resource, and for two headers that stand
 * for one field.
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

/** Headers of the user's own: no sheet has so many columns. */
const MOST_NAMES = 5000;

function checkedNames(
  names: readonly HeaderName[],
  resources: readonly Resource[],
  source: string,
): HeaderName[] {
  if (names.length > MOST_NAMES)
    throw notAMap(source, 'it names too many headers', 'er staan te veel koppen in');
  const checked: HeaderName[] = [];
  for (const name of names) {
    const chosen = resources.filter((one) => name.resource === null || one.name === name.resource);
    const known = [...new Set([...chosen.flatMap(({ fields }) => Object.keys(fields)), ...INPUT_MARKS])];
    const field = known.find((one) => normaliseHeader(one) === normaliseHeader(name.field));
    if (field === undefined) throw unknownField(source, name, known);
    const one = { ...name, field };
    const twin = checked.find((other) => other.resource === one.resource && isClash(other, one));
    if (twin !== undefined && !(twin.field === field && isSameHeader(twin, one)))
      throw namedTwice(source, twin, one);
    checked.push(one);
  }
  return checked;
}

function unknownField(source: string, given: HeaderName, known: readonly string[]): StopError {
  const [header, field] = [shorten(given.header), shorten(given.field)];
  const near = nearest(field, known).join(', ');
  return usageStop(
    t(
      `${source}: "${header}" is to stand for ${field}, and there is no such column.`,
      `${source}: "${header}" zou voor ${field} staan, en zo’n kolom is er niet.`,
    ),
    near === ''
      ? t(
          'Your own header comes first, the column of the template, #action or #key that it stands for second.',
          'Eerst komt je eigen kop, dan de kolom uit het sjabloon, #action of #key waar die voor staat.',
        )
      : t(`Columns that look like it: ${near}.`, `Kolommen die erop lijken: ${near}.`),
  );
}

function namedTwice(source: string, one: HeaderName, other: HeaderName): StopError {
  const [first, second] = [`"${one.header}" = ${one.field}`, `"${other.header}" = ${other.field}`];
  return usageStop(
    t(
      `${source}: ${first} and ${second} contradict each other.`,
      `${source}: ${first} en ${second} spreken elkaar tegen.`,
    ),
    t(
      'Keep one of them, or tell them apart by what the sheet holds, such as { "packages": { … } }.',
      'Houd er één, of onderscheid ze naar wat het werkblad bevat, zoals { "packages": { … } }.',
    ),
  );
}

/** Checks a HeaderTable from JSON. */
export const headerTable = z.record(z.string(), z.union([z.string(), z.record(z.string(), z.string())]));

/** What people write above the second column of a map. */
const HEADING = /\b(field|veld|column|kolom|interface|catersheet|to|naar|identifier)\b/i;

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
 * Reads the user's own headers: pairs as they stand on the command line, or the file of that name. It is
 * JSON (`HeaderTable`), or a CSV or workbook of two columns, the header and the column it stands for; a sheet
 * named after a resource is for that resource. Throws StopError with EXIT.usage for wrong contents, and
 * EXIT.file for a file that can't be read.
 */
export async function readMapFile(file: string, resources: readonly Resource[]): Promise<HeaderName[]> {
  const pairs = pairsIn(file, resources);
  if (pairs !== undefined) return checkedNames(pairs, resources, '--map');
  const source = `--map ${basename(file)}`;
  const json = jsonOf(file);
  if (json !== undefined) return headerNames(parseTable(json, source), resources, source);
  const names: HeaderName[] = [];
  for (const sheet of await readWorkbook(file)) {
    const resource = resources.find((one) => isNamed(one, sheet.name))?.name ?? null;
    const rows: Row[] = [];
    for await (const row of sheet.rows) if (rows.push(row) > MOST_NAMES) break;
    names.push(...namesIn(rows, resource, source));
  }
  if (names.length === 0) throw notAMap(source, 'it names no header', 'er staat geen kop in');
  return checkedNames(names, resources, source);
}

/** The text of a file that is meant as JSON; undefined for any other, also a missing one. */
function jsonOf(file: string): string | undefined {
  let text: string;
  try {
    text = readSmallText(file);
  } catch {
    return undefined;
  }
  return /\.json$/i.test(file) || /^\s*\{/.test(text) ? text : undefined;
}

function parseTable(text: string, source: string): HeaderTable {
  try {
    const parsed = headerTable.safeParse(JSON.parse(text));
    if (parsed.success) return parsed.data;
  } catch (cause) {
    throw notAMap(source, 'it is not valid JSON', 'het is geen geldige JSON', cause);
  }
  throw notAMap(source, 'it is not an object of texts', 'het is geen object van teksten');
}

function namesIn(rows: readonly Row[], resource: string | null, source: string): HeaderName[] {
  return rows.flatMap((row, at) => {
    const [header = '', field = '', more = ''] = row.cells.map((cell) => cellText(cell).trim());
    if ((at === 0 && HEADING.test(field)) || (header === '' && field === '')) return [];
    if (header !== '' && field !== '' && more === '') return [{ header, field, resource }];
    throw notAMap(
      source,
      `row ${row.number} does not hold two cells, your header and the column it stands for`,
      `rij ${row.number} bevat niet twee cellen, je kop en de kolom waar die voor staat`,
    );
  });
}

function notAMap(source: string, en: string, nl: string, cause?: unknown): StopError {
  const next: Bilingual = t(
    'Write two columns (your header, the column it stands for) in CSV or XLSX, or JSON such as { "Artikelnr": "ExternalID" }; or here as in --map "Artikelnr=ExternalID;Prijs=Verkoopprijs".',
    'Schrijf twee kolommen (je kop, de kolom waar die voor staat) in CSV of XLSX, of JSON zoals { "Artikelnr": "ExternalID" }; of hier zoals in --map "Artikelnr=ExternalID;Prijs=Verkoopprijs".',
    t(
      'Write two columns (your header, the column it stands for) in CSV or XLSX, or JSON such as { "Artikelnr": "ExternalID" }.',
      'Schrijf twee kolommen (je kop, de kolom waar die voor staat) in CSV of XLSX, of JSON zoals { "Artikelnr": "ExternalID" }.',
    ),
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

/** Names but those that were dropped; what is for all kinds of sheets stays. */
const without = (names: readonly HeaderName[], dropped: readonly DroppedHeader[]): HeaderName[] =>
  names.filter(
    (name) =>
      !dropped.some(
        ({ header, resource }) =>
          resource === name.resource && normaliseHeader(header) === normaliseHeader(name.header),
      ),
  );

/** The user's own headers as a run knows them. */
export interface KnownHeaders {
  readonly names: readonly HeaderName[];
  /** Those of this run's map: one that stands in no sheet gets a note. */
  readonly given: readonly HeaderName[];
  /** Those of this run's map, else those remembered: what another map replaces. */
  readonly own: readonly HeaderName[];
  /** Those remembered, where this run has no map. */
  readonly remembered: readonly HeaderName[];
  /** Headers that the user said before are not used, or refused to take: nobody is asked about them again. */
  readonly unused: readonly DroppedHeader[];
  /**
   * Remembers the map for the profile's next import, with what was taken; what was taken without one too.
   * What was dropped is forgotten, and remembered as not used.
   */
  remember(taken?: readonly HeaderName[], dropped?: readonly DroppedHeader[]): Promise<void>;
}

/**
 * The profile's headers, and over them those of `map`, else those remembered for the profile. Throws
 * StopError with EXIT.usage for headers that can't be used.
 */
export async function knownHeaders(
  { resources, ledger, serviceKey }: Context,
  { map, headers = {}, profile }: HeaderSources,
): Promise<KnownHeaders> {
  const fact = profile === undefined ? 'headers that were taken' : `headers of profile ${profile}`;
  const base = headerNames(headers, resources, `headers of profile ${profile ?? 'default'}`);
  const kept = (await ledger.findFact(serviceKey, fact)) ?? '[]';
  const rememberAll = async (names: readonly HeaderName[]): Promise<void> => {
    const now = JSON.stringify(names);
    if (now !== kept) await ledger.rememberFact(serviceKey, fact, now);
  };
  const unused = await unusedOf({ ledger, serviceKey }, fact);
  const found = JSON.parse(kept) as HeaderName[];
  const forget = map === 'none';
  const given =
    map === undefined || forget
      ? []
      : typeof map === 'string'
        ? await readMapFile(map, resources)
        : headerNames(map, resources, 'the map of headers');
  const own = map === undefined ? found : given;
  const remember: KnownHeaders['remember'] = async (taken = [], dropped = []) => {
    const counts = map === undefined || profile !== undefined || forget || taken.length > 0;
    if (counts) await rememberAll(layered(without(own, dropped), taken));
    await unused.remember(taken, dropped);
  };
  // Forgotten at once: without these headers the file may hold nothing to import.
  if (forget) await Promise.all([rememberAll([]), unused.forget()]);
  const remembered = map === undefined ? found : [];
  return {
    names: layered(base, own),
    given,
    own,
    remembered,
    unused: forget ? [] : unused.headers,
    remember,
  };
}
