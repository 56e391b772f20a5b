import type { Cell } from '../../schema/cell.ts';
import { evidentLocale } from '../../schema/codecs/parse-number.ts';
import { plainText } from '../../schema/codecs/plain-text.ts';
import type { Finding } from '../../schema/issue.ts';
import type { Locale } from '../../schema/value.ts';
import type { ColumnWatch } from './column-watch.ts';
import type { SheetMapping } from './sheet-mapping.ts';

/** The columns whose numbers are evidently written as another locale than the sheet's writes them: a text that shows it, by column number. */
export type OtherNumbers = ReadonlyMap<number, string>;

/** What was seen of one column. */
interface Evidence {
  /** A number that only the sheet's locale reads. */
  own: boolean;
  /** The first number that only the other locale reads. */
  other: string | null;
  /** Numbers that both read, each its own way. */
  open: boolean;
}

/**
 * Watches for numbers in text that only another locale reads, such as 0.125 in a Dutch sheet: beside them `1.125` is no
 * thousand. A column that holds both ways gives no evidence.
 */
export function watchNumbers(
  mapping: SheetMapping,
  locale: Locale,
): ColumnWatch & { others(): OtherNumbers } {
  const seen = new Map<number, Evidence>();
  return {
    columns: decimalColumns(mapping),
    note: (cell) => note(cell, locale, seen),
    isOpen: () => [...seen.values()].some(({ own, other, open }) => open && !own && other === null),
    others: () =>
      new Map(
        [...seen].flatMap(([column, { own, other }]) => (own || other === null ? [] : [[column, other]])),
      ),
  };
}

/** Where the first numbers are numbers, text among the others is rare, and looking for it takes time. */
function decimalColumns({ readers, textual }: SheetMapping): ReadonlySet<number> {
  const columns = readers.flatMap((reader, column) =>
    reader?.field?.codec.type === 'decimal' && textual.has(column) ? [column] : [],
  );
  return new Set(columns);
}

function note(cell: Cell, locale: Locale, seen: Map<number, Evidence>): void {
  if (cell.type !== 'text') return;
  const evident = evidentLocale(plainText(cell.value));
  if (evident === undefined) return;
  const evidence = seen.get(cell.column) ?? { own: false, other: null, open: false };
  seen.set(cell.column, evidence);
  if (evident === null) evidence.open = true;
  else if (evident === locale) evidence.own = true;
  else evidence.other ??= cell.value.trim();
}

/** That a number which reads two ways stands in a column that is evidently written the other way, as `shows` does. */
export function otherNumber(
  { code, found }: Finding,
  locale: Locale,
  shows: string | undefined,
): Finding | undefined {
  if (code !== 'number-grouping' || shows === undefined) return undefined;
  const way = locale === 'nl' ? 'en' : 'nl';
  const hint = {
    en: `the column holds "${shows}" too: --locale ${way} reads both as they are meant there`,
    nl: `in de kolom staat ook "${shows}": --locale ${way} leest beide zoals ze daar bedoeld zijn`,
  };
  return { code: 'number-other-locale', found, hint };
}
