import { cellAddress } from '../core/cell.ts';
import { type Bilingual, t } from '../core/language.ts';
import { type CellLoss, type CellOptions, safeCell } from '../import/map/safe-cell.ts';
import { type ExportColumn, type ExportedRecord, firstOf } from '../records/listing.ts';
import { type AnswerRecord, type Members, memberAt } from '../schema/answer.ts';
import type { WrittenRow } from '../xlsx/write/written-book.ts';
import type { ColumnNames, NestedList } from './export-columns.ts';

/** What a row does not hold as the record does, or no row holds. */
const LOSSES = {
  deleted: t(
    'deleted, without a row; NDJSON holds them, with DEL',
    'verwijderd, zonder rij; NDJSON bevat ze, met DEL',
  ),
  misshapen: t(
    'not as the interface describes it; its cells are empty, and NDJSON holds what came',
    'niet zoals de interface het beschrijft; de cellen ervan zijn leeg, en NDJSON bevat wat er kwam',
  ),
  'too-long': t(
    'longer than a cell holds (32,767 characters); the cell is empty, an import leaves the field alone, and a CSV or NDJSON holds it in full',
    'langer dan een cel kan bevatten (32.767 tekens); de cel is leeg, een import laat het veld met rust, en een CSV of NDJSON bevat de hele tekst',
  ),
  refused: t(
    'a value that the field does not take; an import of this workbook leaves it alone unless it is changed, one of a CSV refuses it',
    'een waarde die het veld niet aanneemt; een import van deze werkmap laat hem met rust zolang hij niet wordt gewijzigd, een van een CSV weigert hem',
  ),
  misread: t(
    'a value that an import would take for something else; the cell is empty, an import leaves the field alone, and NDJSON holds it',
    'een waarde die een import voor iets anders zou aanzien; de cel is leeg, een import laat het veld met rust, en NDJSON bevat hem',
  ),
  controls: t(
    'with control characters; a CSV shows those as signs such as ␛, and NDJSON holds them',
    'met besturingstekens; een CSV toont die als tekens zoals ␛, en NDJSON bevat ze',
  ),
} as const satisfies Readonly<Record<CellLoss | 'deleted' | 'misshapen', Bilingual>>;

/** Places of a loss that are kept: more than a note names. */
const KEPT = 50;

/** Counts the values that cells could not hold, and the records without a row. */
export class CellLosses {
  private readonly tallies = new Map<string, { count: number; readonly places: string[] }>();

  /** Counts what is lost of a column, a member or a sheet; `place` gives the cell's address or the record's name. */
  lose(why: keyof typeof LOSSES, what: string, place: () => string): void {
    const key = `${why} ${what}`;
    const known = this.tallies.get(key) ?? { count: 0, places: [] };
    this.tallies.set(key, known);
    if (known.count++ < KEPT) known.places.push(place());
  }

  notes(): Bilingual[] {
    return [...this.tallies].map(([key, { count, places }]) => {
      const [why, what] = [key.slice(0, key.indexOf(' ')), key.slice(key.indexOf(' ') + 1)];
      const { en, nl } = LOSSES[why as keyof typeof LOSSES];
      const all = firstOf(places);
      return t(`${what}: ${count} × ${en} (${all})`, `${what}: ${count} × ${nl} (${all})`);
    });
  }
}

/** How rows are made, and the counter of their losses. */
interface RowOptions extends CellOptions {
  readonly losses: CellLosses;
  /** The names in place of ids; null for numbers. */
  readonly names: ColumnNames | null;
}

/** A listed record. */
export interface ReadRecord {
  readonly record: AnswerRecord;
  /** As an import knows it; null where an import would not find it, and it has no row. */
  readonly known: ExportedRecord | null;
}

/** Leaves out malformed nested records, such as a text in place of an object: no cell can hold them. */
export function readableRecords(
  members: Members,
  misshapen: (path: string, whole: AnswerRecord) => void,
): (record: AnswerRecord, whole?: AnswerRecord) => AnswerRecord {
  const readers = Object.entries(members).flatMap(([name, member]) => {
    if (typeof member === 'string') return [];
    const tell = (path: string, whole: AnswerRecord): void => misshapen(`${name}.${path}`, whole);
    const inside = 'one' in member ? readableRecords(member.one, tell) : (inner: AnswerRecord) => inner;
    return [{ name, inside, many: 'many' in member }];
  });
  return (record, whole = record) => {
    let readable = record;
    for (const { name, inside, many } of readers) {
      const value = record[name];
      if (value === null || value === undefined) continue;
      if (many && Array.isArray(value) && value.every(isRecord)) continue;
      const kept = isRecord(value) ? inside(value, whole) : null;
      if (kept === value) continue;
      if (kept === null) misshapen(name, whole);
      readable = { ...readable, [name]: kept };
    }
    return readable;
  };
}

const isRecord = (value: unknown): value is AnswerRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Makes the rows of records, in order from the first below the header. */
export function recordRows(
  columns: readonly ExportColumn[],
  options: RowOptions,
): (records: readonly { readonly record: AnswerRecord; readonly known: ExportedRecord }[]) => WrittenRow[] {
  const cellsOf = rowMaker(columns, options);
  return (records) =>
    cellsOf(
      records.map(({ record, known: { values } }) =>
        columns.map(({ field, header, path }) =>
          field === null ? memberAt(record, path) : (values[header] ?? null),
        ),
      ),
    );
}

/** Makes the rows of the records nested in a member of records: of each none, one or several. */
export function nestedRows(
  { path: place, columns }: NestedList,
  options: RowOptions,
): (records: readonly AnswerRecord[]) => WrittenRow[] {
  const cellsOf = rowMaker(columns, { ...options, names: null });
  return (records) =>
    cellsOf(
      records.flatMap((record) =>
        [memberAt(record, place) ?? []]
          .flat()
          .map((nested) =>
            columns.map(({ header, path }) => (path.length === 0 ? record[header] : memberAt(nested, path))),
          ),
      ),
    );
}

function rowMaker(
  columns: readonly ExportColumn[],
  options: RowOptions,
): (rows: readonly (readonly unknown[])[]) => WrittenRow[] {
  let row = 1;
  return (rows) =>
    rows.map((values) => {
      row++;
      return columns.map(
        (column, at) =>
          options.names?.textOf(column.header, values[at]) ??
          safeCell(values[at], column, options, (why) =>
            options.losses.lose(why, column.header, () => cellAddress(at + 1, row)),
          ),
      );
    });
}
