import { cellAddress } from '../../core/cell.ts';
import { cellText } from '../../core/codec.ts';
import { isBlankText } from '../../core/codecs/text.ts';
import { type Finding, issueAt } from '../../core/issue.ts';
import { type Bilingual, t } from '../../core/language.ts';
import { isSameText } from '../../files/shown-rows.ts';
import { addressOf, type MappedRow } from '../../records/mapped-row.ts';
import type { Baseline } from '../../records/planning.ts';
import { ONLY_READ } from '../../records/unsent-fields.ts';
import { namedHeaders } from '../map/listed-columns.ts';
import { listedText } from '../map/sheet-notes.ts';

/** Most cells named; the rest is counted. */
const SHOWN = 5;

/** Tells which cells of columns that are only shown were changed, and in the end which were emptied. */
interface UnsentCells {
  readonly check: NonNullable<Baseline['unsent']>;
  notes(sheet: string): Bilingual[];
}

/** `headersOf`: the headers of the columns of a kind of records, in the order of a record's cells. */
export function unsentCells(headersOf: (resource: string) => readonly string[]): UnsentCells {
  const places = new Map<string, ReadonlyMap<string, number>>();
  const placesOf = (resource: string): ReadonlyMap<string, number> => {
    const known = places.get(resource) ?? new Map(headersOf(resource).map((header, at) => [header, at]));
    places.set(resource, known);
    return known;
  };
  /** By sheet, and by the number of the column. */
  const tallies = new Map<string, { readonly filled: true[]; readonly emptied: number[][] }>();
  return {
    check(row, { shown, values: was }, strict) {
      if (shown === undefined || row.action === 'skip' || row.action === 'delete') return;
      const { told = [], mapping } = row;
      const tally = tallies.get(mapping.sheet) ?? { filled: [], emptied: [] };
      tallies.set(mapping.sheet, tally);
      const placeOf = placesOf(mapping.resource.name);
      // A name beside an id that was changed is another one: the result of an earlier import has it so.
      const others = namedHeaders(mapping.resource).flatMap(({ header, id }) =>
        row.values[id] === undefined || row.values[id] === (was[id] ?? null) ? [] : [header],
      );
      let next = 0;
      for (const [column, { header, instead }] of mapping.told ?? []) {
        const before = shown[placeOf.get(header) ?? -1];
        const cell = told[next]?.cell;
        if (cell?.column !== column) {
          const rows = tally.emptied[column] ?? [];
          tally.emptied[column] = rows;
          if (before !== undefined && !isBlankText(before) && !others.includes(header)) rows.push(row.row);
          continue;
        }
        next++;
        tally.filled[column] = true;
        const text = cellText(cell);
        if (before === undefined || isSameText(before, text) || others.includes(header)) continue;
        const found = `${before} → ${text}`.trim();
        const finding: Finding = { code: 'cell-not-sent', found, hint: wayOut(row, instead) };
        row.issues.push(issueAt(finding, { field: header, address: cellAddress(column, row.row) }, strict));
      }
    },
    notes(sheet) {
      // A column that was emptied as a whole is to be left alone.
      const { filled = [], emptied = [] } = tallies.get(sheet) ?? {};
      const cells = emptied.flatMap((rows, column) =>
        filled[column] === true ? rows.map((row) => cellAddress(column, row)) : [],
      );
      if (cells.length === 0) return [];
      const { en, nl } = listedText(cells.slice(0, SHOWN), cells.length);
      return [
        t(
          `cells that were emptied in columns that are only shown: ${en}; nothing of it is sent`,
          `cellen die leeggemaakt zijn in kolommen die alleen getoond worden: ${nl}; daarvan wordt niets verstuurd`,
        ),
      ];
    },
  };
}

function wayOut(row: MappedRow, instead: string | null): Bilingual {
  if (instead === null) return ONLY_READ;
  const address = addressOf(row.mapping, instead, row.row);
  const where = address === null ? instead : `${instead}, ${address}`;
  return t(`fill in ${where}`, `vul ${where} in`);
}
