import type { Cell, Row } from '../../schema/cell.ts';
import { issueAt } from '../../schema/issue.ts';
import { addressOf, type MappedRow } from './map-row.ts';
import { isReadable } from './readable.ts';
import type { SheetMapping } from './sheet-mapping.ts';
import { createSums } from './sums.ts';

/** Why a row below the header is no record: it explains or repeats the header, adds up other rows, or is a text on its own. */
export type NoRecord = 'explanation' | 'header' | 'total' | 'sums' | 'remark';

/** A word for a total at the begin of a text; "Totaalpakket" is another word. */
const TOTAL = /^(?:(?:sub|eind|grand|generaal|algemeen)[\s-]?)?(?:totaal|totalen|totals?)(?![\p{L}\p{N}-])/iu;
const NUMBERS = /^[\s€$£%'’.,\d+()=:-]*$/;

const isBlank = (cell: Cell): boolean => cell.type === 'text' && cell.value.trim() === '';
const isWords = (cell: Cell): cell is Cell & { type: 'text' } =>
  cell.type === 'text' && !NUMBERS.test(cell.value);

/** Nothing but the word, perhaps with a number: "Totaal:", "Subtotaal 12". */
const isTotal = (text: string): boolean => TOTAL.test(text) && NUMBERS.test(text.replace(TOTAL, ''));

/**
 * Tells, row by row, which are no records. Only a row that names no record and asks for nothing can be passed over: it
 * could not be sent in any case; `repeats` says that it is the headers once more. What looks like a total and names a record all the same gets an issue.
 */
export function createRowJudge(
  mapping: SheetMapping,
): (row: Row, mapped: MappedRow, repeats: boolean) => NoRecord | null {
  const sums = createSums();
  const set = new Set(mapping.set.map(({ field }) => field));
  // A value for all rows names none of them.
  const keys = mapping.resource.keys.filter((key) => !set.has(key));
  const label = 'label' in mapping.resource ? mapping.resource.label : null;
  return (row, mapped, repeats) => {
    const found = repeats ? 'header' : judge(row, mapped);
    if (found === null) sums.add(row);
    else sums.passOver();
    return found;
  };

  function judge(row: Row, mapped: MappedRow): NoRecord | null {
    if (mapping.explanations.has(row.number)) return 'explanation';
    if (mapped.action !== 'auto' || mapped.reference !== null) return null;
    if (namesRecord(mapped, keys)) {
      if (label !== null) questionTotal(mapped, label);
      return null;
    }
    const cells = ownCells(row);
    const words = cells.filter(isWords);
    if (words.length === 0) return sums.areIn(cells) ? 'sums' : null;
    if (words.every((cell) => isTotalIn(cell, mapping))) return 'total';
    return cells.length === 1 && set.size === 0 && isRemark(words, mapping) ? 'remark' : null;
  }

  /** What an earlier result says of a row is not what stands in it. */
  function ownCells(row: Row): Cell[] {
    return row.cells.filter((cell) => !isBlank(cell) && !mapping.outputColumns.has(cell.column));
  }
}

/** Whether a row's own cells name a record by one of these fields. */
function namesRecord({ values, names }: MappedRow, keys: readonly string[]): boolean {
  for (const key of keys) if (values[key] !== undefined) return true;
  return names.some(({ field, name }) => keys.includes(field) && !TOTAL.test(name));
}

/** The words of a total, in a place where they can't be a record's name unless they are nothing but those words. */
function isTotalIn(cell: Cell & { type: 'text' }, { readers }: SheetMapping): boolean {
  const text = cell.value.trim();
  return isTotal(text) || (TOTAL.test(text) && readers[cell.column]?.field?.codec.type !== 'text');
}

/** A text where its column takes none, such as a heading between the rows or a note below them. */
function isRemark([only]: readonly (Cell & { type: 'text' })[], { readers }: SheetMapping): boolean {
  const field = only === undefined ? null : (readers[only.column]?.field ?? null);
  if (only === undefined || field === null || field.lookup !== undefined) return false;
  return field.codec.type !== 'text' && /^[^#].*\p{L}{3}/u.test(only.value) && !isReadable(only, field);
}

/** A record may be called "Totaal", but more likely a sum stands where its key should be. */
function questionTotal(mapped: MappedRow, label: string): void {
  const name = mapped.values[label];
  if (typeof name !== 'string' || !isTotal(name)) return;
  const address = addressOf(mapped.mapping, label, mapped.row);
  mapped.issues.push(issueAt({ code: 'total-or-record', found: name }, { field: label, address }));
}
