import type { ReportHead, ReportRow } from '../report-row.ts';

/** Which rows are wanted: with every word of a text, of one sheet, with one outcome; null and '' take any. */
export interface RowWish {
  readonly text: string;
  readonly sheet: number | null;
  /** An outcome's number in the head, or `remarks` for the rows of which something is said. */
  readonly outcome: number | 'remarks' | null;
}

/** A text as it is searched: without case and accents, with plain blanks. */
export function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ');
}

const ROW = /^#\d+$/;

/** The row numbers (`#12`) and the folded words of a search. */
export function searchWords(text: string): {
  readonly numbers: readonly number[];
  readonly parts: readonly string[];
} {
  const words = fold(text).split(' ');
  return {
    numbers: words.filter((word) => ROW.test(word)).map((word) => Number(word.slice(1))),
    parts: words.filter((word) => word !== '' && !ROW.test(word)),
  };
}

/** Finds rows; the searched text of each is made once, when first needed. */
export function rowSearch(
  rows: readonly ReportRow[],
  head: ReportHead,
): (wish: RowWish) => readonly ReportRow[] {
  const texts: string[] = [];
  const textOf = (at: number, row: ReportRow): string => {
    texts[at] ??= fold(searchedText(row, head));
    return texts[at];
  };
  return ({ text, sheet, outcome }) => {
    const { numbers, parts } = searchWords(text);
    return rows.filter(
      (row, at) =>
        (sheet === null || row[0] === sheet) &&
        (outcome === null || (outcome === 'remarks' ? row[6] !== '' : row[2] === outcome)) &&
        numbers.every((number) => row[1] === number) &&
        (parts.length === 0 || parts.every((part) => textOf(at, row).includes(part))),
    );
  };
}

/** Everything that a row shows. */
function searchedText(row: ReportRow, { sheets, outcomes, fields }: ReportHead): string {
  const [sheet, number, outcome, id, key, name, message, changes] = row;
  const changed = changes.map(([field, from, to]) => `${fields[field]}: ${from ?? ''} → ${to}`);
  const ids = `${id === null ? '' : `id ${id}`} ${key}`;
  const place = `${sheets[sheet]} ${number} ${outcomes[outcome]?.text}`;
  return [place, ids, name, message, ...changed].join('\n');
}
