import { EXIT, StopError } from '../../errors.ts';
import { INPUT_MARKS, normaliseHeader } from '../../schema/header.ts';
import { nearest } from '../../schema/nearest.ts';
import type { Resource } from '../../schema/resource.ts';
import type { Bilingual } from '../../schema/value.ts';

/**
 * The user's own headers and the columns they stand for: for all sheets (`{ "Artikelnr": "ExternalID" }`), or by what a
 * sheet holds (`{ "packages": { "Artikelnr": "ExternalID" } }`).
 */
export type HeaderTable = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

/** One header of the user's own. Plain data. */
export interface HeaderName {
  readonly header: string;
  /** The resource's field, or the program's own `#action` or `#key`. */
  readonly field: string;
  /** The resource it is for; null for all. */
  readonly resource: string | null;
}

/** Where headers are from, for messages: `--map koppen.csv`. */
type Source = string;

/** What stands for a header of the user's own in a sheet of this resource, by the normalised header. */
export function namesFor(resource: Resource, names: readonly HeaderName[]): ReadonlyMap<string, string> {
  const targets: ReadonlySet<string> = new Set([...Object.keys(resource.fields), ...INPUT_MARKS]);
  const general = names.filter((name) => name.resource === null && targets.has(name.field));
  const own = names.filter((name) => name.resource === resource.name);
  return new Map([...general, ...own].map(({ header, field }) => [normaliseHeader(header), field]));
}

/** Headers over others: one that says something else of the same header or field takes its place. */
export function layered(base: readonly HeaderName[], over: readonly HeaderName[]): HeaderName[] {
  const replaced = (one: HeaderName): boolean =>
    over.some(
      ({ header, field, resource }) =>
        (resource === null || resource === one.resource) &&
        (field === one.field || normaliseHeader(header) === normaliseHeader(one.header)),
    );
  return [...base.filter((one) => !replaced(one)), ...over];
}

/** Whether a name, such as a sheet's, is the resource's own. */
export function isNamed(resource: Resource, name: string): boolean {
  return [resource.sheet, resource.name].some((own) => normaliseHeader(own) === normaliseHeader(name));
}

/**
 * A table of headers as a list, every field spelled as the interface does. Throws StopError with EXIT.usage for a field
 * or resource that is not known, and for two headers that stand for one field.
 */
export function headerNames(
  table: HeaderTable,
  resources: readonly Resource[],
  source: Source,
): HeaderName[] {
  const names = Object.entries(table).flatMap(([key, value]): HeaderName[] => {
    if (typeof value === 'string') return [{ header: key, field: value, resource: null }];
    const resource = resources.find((one) => isNamed(one, key));
    if (resource === undefined) throw unknownResource(source, key, resources);
    return Object.entries(value).map(([header, field]) => ({ header, field, resource: resource.name }));
  });
  return checkedNames(names, resources, source);
}

/** The same for a list of headers. Throws StopError with EXIT.usage. */
export function checkedNames(
  names: readonly HeaderName[],
  resources: readonly Resource[],
  source: Source,
): HeaderName[] {
  const checked: HeaderName[] = [];
  for (const one of names) {
    const known = fieldsOf(one.resource, resources);
    const field = known.find((name) => normaliseHeader(name) === normaliseHeader(one.field));
    if (field === undefined) throw unknownField(source, one, known);
    const twin = checked.find((other) => other.resource === one.resource && clash(other, { ...one, field }));
    if (twin !== undefined) throw namedTwice(source, twin, { ...one, field });
    checked.push({ ...one, field });
  }
  return checked;
}

const clash = (one: HeaderName, other: HeaderName): boolean =>
  (one.field === other.field) !== (normaliseHeader(one.header) === normaliseHeader(other.header));

function fieldsOf(name: string | null, resources: readonly Resource[]): string[] {
  const chosen = resources.filter((resource) => name === null || resource.name === name);
  return [...new Set([...chosen.flatMap(({ fields }) => Object.keys(fields)), ...INPUT_MARKS])];
}

const stop = (message: Bilingual, next: Bilingual): StopError => new StopError(EXIT.usage, message, { next });

function unknownField(source: Source, { header, field }: HeaderName, known: readonly string[]): StopError {
  const near = nearest(field, known).join(', ');
  const swapped = known.some((name) => normaliseHeader(name) === normaliseHeader(header));
  const next = swapped
    ? {
        en: 'Your own header comes first, the column it stands for second.',
        nl: 'Eerst komt uw eigen kop, dan de kolom waar die voor staat.',
      }
    : near === ''
      ? {
          en: 'Use a column as the interface spells it, #action or #key.',
          nl: 'Gebruik een kolom zoals de interface hem spelt, #action of #key.',
        }
      : { en: `Columns that look like it: ${near}.`, nl: `Kolommen die erop lijken: ${near}.` };
  return stop(
    {
      en: `${source}: "${header}" is to stand for ${field}, and there is no such column.`,
      nl: `${source}: "${header}" zou voor ${field} staan, en zo’n kolom is er niet.`,
    },
    next,
  );
}

function namedTwice(source: Source, one: HeaderName, other: HeaderName): StopError {
  const message =
    one.field === other.field
      ? {
          en: `${source}: "${one.header}" and "${other.header}" both stand for ${one.field}.`,
          nl: `${source}: "${one.header}" en "${other.header}" staan allebei voor ${one.field}.`,
        }
      : {
          en: `${source}: "${one.header}" stands for both ${one.field} and ${other.field}.`,
          nl: `${source}: "${one.header}" staat voor zowel ${one.field} als ${other.field}.`,
        };
  return stop(message, {
    en: 'Keep one of them, or tell them apart by what the sheet holds, such as { "packages": { … } }.',
    nl: 'Houd er één, of onderscheid ze naar wat het werkblad bevat, zoals { "packages": { … } }.',
  });
}

function unknownResource(source: Source, key: string, resources: readonly Resource[]): StopError {
  const names = resources.map(({ name }) => name).join(', ');
  return stop(
    {
      en: `${source}: there is no kind of sheet called ${key}.`,
      nl: `${source}: er is geen soort werkblad dat ${key} heet.`,
    },
    { en: `Use one of ${names}.`, nl: `Gebruik een van ${names}.` },
  );
}
