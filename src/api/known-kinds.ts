import type { Made } from '../core/counts.ts';
import { saidName } from '../core/header.ts';
import type { Language } from '../core/language.ts';
import { listerOf } from '../lists/lists.ts';
import type { ExportedResource } from '../records/listing.ts';
import { allSheets, resources } from '../resources/registry.ts';
import { holdsNumber } from '../schema/field.ts';
import { madeIn } from '../schema/made.ts';
import { moneyIn } from '../schema/money.ts';
import { kindWords, type Resource } from '../schema/resource.ts';
import { exportedResources, exportName } from './export.ts';
import { resourceNamed } from './resource-named.ts';

/** A kind of sheet that an import reads and a template holds. */
export interface SheetKind {
  /** Such as `packages`. */
  readonly name: string;
  /** The usual name of such a sheet. */
  readonly sheet: string;
  /** What its rows are, in the plural. */
  readonly words: string;
}

/** The kinds of sheets that an import reads, in their order. */
export const sheetKinds = (language: Language): readonly SheetKind[] =>
  resources.map((resource) => ({
    ...{ name: resource.name, sheet: resource.sheet },
    words: kindWords(resource)[language],
  }));

/** What the creates of a kind of sheet are called, such as `posted`; undefined where they make a record. */
export const madeOf: (resource: string) => Made | undefined = madeIn(allSheets);

/** Whether workers can send a kind of sheet: not where it is about files of this machine. */
export const isForWorkers = (resource: string): boolean =>
  allSheets.find(({ name }) => name === resource)?.command === undefined;

const isMoney = moneyIn(resources);

/** The fields of a kind of sheet that are amounts of money. */
export const moneyOf = (resource: string): readonly string[] =>
  Object.keys(resources.find(({ name }) => name === resource)?.fields ?? {}).filter((field) =>
    isMoney(resource, field),
  );

/** The names of the fields of a kind of sheet, as people say them. */
export const fieldNamesOf = (resource: string, language: Language): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(allSheets.find(({ name }) => name === resource)?.fields ?? {}).map(([name, { help }]) => [
      name,
      saidName(help[language]),
    ]),
  );

/** The fields of any sheet that hold a number, and no id that a name may stand for. */
export const numberFields: ReadonlySet<string> = new Set(
  allSheets.flatMap(({ fields }) =>
    Object.entries(fields).flatMap(([name, field]) => (holdsNumber(field) ? [name] : [])),
  ),
);

/** The kinds of sheets by their names; all for none. Throws StopError with EXIT.usage for an unknown one. */
export const sheetsNamed = (names: readonly string[]): readonly Resource[] =>
  names.length === 0 ? resources : names.map((name) => resourceNamed(name, resources));

/** What `export` takes by these names. Throws StopError with EXIT.usage for an unknown one. */
export const exportsNamed = (names: readonly string[]): readonly ExportedResource[] =>
  names.map((name) => resourceNamed(name, exportedResources, exportName));

/** The kinds of records that can be exported, in their order, and how they can be chosen. */
export const exportKinds = (language: Language) =>
  exportedResources.map((kind) => {
    const lister = listerOf(kind);
    return {
      name: exportName(kind),
      words: kindWords(kind)[language],
      takes: [
        ...lister.ways(kind).flatMap((way) => (way === 'all' ? [] : way)),
        ...(lister.declaration === true ? (['declaration'] as const) : []),
      ],
    };
  });
