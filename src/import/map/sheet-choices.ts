import { z } from 'zod';
import { columnLetters } from '../../core/cell.ts';
import { type StopError, usageStop } from '../../core/errors.ts';
import { INPUT_MARKS, normaliseHeader } from '../../core/header.ts';
import { type Bilingual, t } from '../../core/language.ts';
import { nearestText } from '../../core/nearest.ts';
import { LAST_COLUMN, LAST_ROW } from '../../files/limits.ts';
import type { Resource } from '../../schema/resource.ts';
import { type HeaderCell, type HeaderRow, shownHeader, withoutName } from './find-header.ts';
import { type HeaderName, UNUSED } from './header-names.ts';

/** What one column is taken for. */
interface ColumnChoice {
  /** Its number, from 1 (A). */
  readonly column: number;
  /** A field of the sheet's resource, `#action` or `#key`; null for a column that is not used. */
  readonly field: string | null;
}

/** What the user said of one sheet, as plain data: it overrules all that was found there. */
export interface SheetChoice {
  /** The sheet by its name in the file; of a CSV the file's name without its ending. */
  readonly sheet: string;
  /** The name of the resource that it holds; null leaves the sheet out. Found by itself when absent. */
  readonly as?: string | null | undefined;
  /** The row of its headers, from 1; looked for when absent. */
  readonly headerRow?: number | undefined;
  /** What its columns are taken for; a column that is not named stays as it was found. */
  readonly columns?: readonly ColumnChoice[] | undefined;
}

/** Checks choices that come from outside, such as from a page or from JavaScript. */
export const sheetChoices = z
  .array(
    z.strictObject({
      sheet: z.string(),
      as: z.string().nullish(),
      headerRow: z.int().min(1).max(LAST_ROW).optional(),
      columns: z
        .array(
          z
            .strictObject({ column: z.int().min(1).max(LAST_COLUMN), field: z.string().nullable() })
            .readonly(),
        )
        .max(LAST_COLUMN)
        .readonly()
        .optional(),
    }),
  )
  .readonly();

/** What was said of a sheet: by its name as it stands, else as names are compared. */
export function choiceFor(
  sheet: string,
  choices: readonly SheetChoice[] | undefined = [],
): SheetChoice | undefined {
  return choices.find((one) => one.sheet === sheet) ?? choices.find((one) => isSame(one.sheet, sheet));
}

const isSame = (one: string, other: string): boolean => normaliseHeader(one) === normaliseHeader(other);

/** The resource that a choice names; undefined where it names none. Throws StopError with EXIT.usage. */
export function chosenResource(
  { sheet, as }: SheetChoice,
  resources: readonly Resource[],
): Resource | undefined {
  if (as == null) return undefined;
  const found = resources.find(({ name }) => name === as);
  if (found !== undefined) return found;
  const names = resources.map(({ name }) => name);
  throw refused(
    t(
      `Sheet ${sheet} was chosen as ${as}, and there is no such kind of sheet.`,
      `Werkblad ${sheet} is gekozen als ${as}, en zo’n soort werkblad is er niet.`,
    ),
    as,
    names,
  );
}

/**
 * The fields and marks that a choice gives to columns, by column and spelt as the resource does; null for one
 * that is not used. Throws StopError with EXIT.usage for a field that the resource lacks.
 */
export function chosenFields(
  { sheet, columns = [] }: SheetChoice,
  resource: Resource,
): ReadonlyMap<number, string | null> {
  const names = [...Object.keys(resource.fields), ...INPUT_MARKS];
  const found = new Map<number, string | null>();
  for (const { column, field } of columns) {
    const letters = columnLetters(column);
    const name = field === null ? null : names.find((one) => isSame(one, field));
    if (name === undefined)
      throw refused(
        t(
          `Column ${letters} of sheet ${sheet} was chosen as ${field}, and ${resource.sheet} has no such column.`,
          `Kolom ${letters} van werkblad ${sheet} is gekozen als ${field}, en ${resource.sheet} heeft zo’n kolom niet.`,
        ),
        field ?? '',
        names,
      );
    found.set(column, name);
  }
  return found;
}

/**
 * A header with what was chosen: the columns named are taken for that alone, and a column that was found for
 * a field that another was chosen for is not used. A column without a header can be chosen too.
 */
export function withChoice(header: HeaderRow, columns: ReadonlyMap<number, string | null>): HeaderRow {
  if (columns.size === 0) return header;
  const fields = new Set(columns.values());
  const there = new Set(header.headers.map(({ column }) => column));
  const bare = [...columns.keys()].flatMap((column) => (there.has(column) ? [] : [{ column, header: '' }]));
  const headers = [...header.headers, ...bare]
    .map((cell) => chosenCell(cell, columns.get(cell.column), fields))
    .sort((one, other) => one.column - other.column);
  return { ...header, headers };
}

function chosenCell(
  cell: HeaderCell,
  field: string | null | undefined,
  fields: ReadonlySet<string | null>,
): HeaderCell {
  if (field === undefined) return fields.has(cell.name ?? '') ? withoutName(cell) : cell;
  return { ...cell, name: field ?? UNUSED, chosen: true };
}

function refused(message: Bilingual, wanted: string, names: readonly string[]): StopError {
  const all = names.join(', ');
  return usageStop(message, nearestText(wanted, names, t(`Choose one of ${all}.`, `Kies een van ${all}.`)));
}

/**
 * The headers that the user said the meaning of, or left unused, to be remembered for the next file that has them. A
 * field's own header says it by itself; a header that stands there twice tells nothing.
 */
export function chosenNames({ name }: Resource, headers: readonly HeaderCell[]): HeaderName[] {
  return headers.flatMap((cell): HeaderName[] => {
    const { chosen, name: field = UNUSED } = cell;
    const text = normaliseHeader(cell.header);
    if (chosen !== true || text === '' || text === normaliseHeader(field)) return [];
    if (headers.some((one) => one !== cell && normaliseHeader(one.header) === text)) return [];
    const header = shownHeader(cell);
    return [
      field === UNUSED ? { header, field, resource: name } : { header, field, resource: name, taken: true },
    ];
  });
}
