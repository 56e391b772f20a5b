import { cellAddress } from '../core/cell.ts';
import { type Bilingual, t } from '../core/language.ts';
import { type CellLoss, type CellOptions, safeCell } from '../import/map/safe-cell.ts';
import { type ExportColumn, type ExportedRecord, firstOf } from '../records/listing.ts';
import { type AnswerRecord, type Members, memberAt } from '../schema/answer.ts';
import type { WrittenRow } from '../xlsx/write/written-book.ts';
import type { ColumnNames } from './column-names.ts';
import type { NestedList } from './listed-columns.ts';

/** One kind of loss in one column: how often, and where first. */
interface LossTally {
  readonly why: CellLoss;
  readonly header: string;
  count: number;
  readonly first: string;
}

/** Counts the values that cells could not hold, and the records without a row. */
export class CellLosses {
  private readonly tallies = new Map<string, LossTally>();
  private readonly rowless: string[] = [];
  private readonly misshapen = new Map<string, string[]>();

  /** A deleted record, which has no row: an import would not find it. */
  leave(name: string): void {
    this.rowless.push(name);
  }

  /** A malformed nested record in a record of this name. */
  misshape(path: string, name: string): void {
    const names = this.misshapen.get(path) ?? [];
    this.misshapen.set(path, names);
    names.push(name);
  }

  /** `address` gives the cell's place, and is called for the first loss of its kind only. */
  lose(why: CellLoss, header: string, address: () => string): void {
    const known = this.tallies.get(`${why} ${header}`);
    if (known !== undefined) known.count++;
    else this.tallies.set(`${why} ${header}`, { why, header, count: 1, first: address() });
  }

  /** Notes on them: deleted records, nested records, cells. */
  notes(): Bilingual[] {
    const shapes = [...this.misshapen].map(([path, names]) => misshapenText(path, names));
    const cells = [...this.tallies.values()].map((tally) => TEXTS[tally.why](tally));
    return [...(this.rowless.length === 0 ? [] : [deletedText(this.rowless)]), ...shapes, ...cells];
  }
}

const deletedText = (names: readonly string[]): Bilingual =>
  t(
    `${names.length} deleted, without a row (NDJSON holds them, with DEL): ${firstOf(names)}`,
    `${names.length} verwijderd, zonder rij (NDJSON bevat ze, met DEL): ${firstOf(names)}`,
  );

const misshapenText = (path: string, names: readonly string[]): Bilingual =>
  t(
    `${path}: not as the interface describes it in ${times(names.length, 'record', 'records')}; its cells are empty, and NDJSON holds it as it came: ${firstOf(names)}`,
    `${path}: niet zoals de interface het beschrijft in ${times(names.length, 'record', 'records')}; de cellen ervan zijn leeg, en NDJSON bevat wat er kwam: ${firstOf(names)}`,
  );

const TEXTS: Readonly<Record<CellLoss, (loss: LossTally) => Bilingual>> = {
  'too-long': ({ header, count, first }) =>
    t(
      `${header}: ${times(count, 'text', 'texts')} longer than a cell holds (32,767 characters), first in ${first}; the cell is empty, an import leaves the field alone, and a CSV or NDJSON holds it in full`,
      `${header}: ${times(count, 'tekst', 'teksten')} langer dan een cel kan bevatten (32.767 tekens), de eerste in ${first}; de cel is leeg, een import laat het veld met rust, en een CSV of NDJSON bevat de hele tekst`,
    ),
  refused: ({ header, count, first }) =>
    t(
      `${header}: ${times(count, 'value', 'values')} that the field does not take, first in ${first}, as the service has them: an import of this workbook leaves them alone unless they are changed; of a CSV it refuses them`,
      `${header}: ${times(count, 'waarde', 'waarden')} die het veld niet aanneemt, de eerste in ${first}, zoals het systeem ze heeft: een import van deze werkmap laat ze met rust zolang ze niet worden gewijzigd; van een CSV weigert hij ze`,
    ),
  misread: ({ header, count, first }) =>
    t(
      `${header}: ${times(count, 'value', 'values')} that an import would take for something else, first in ${first}; the cell is empty, an import leaves the field alone, and NDJSON holds the value`,
      `${header}: ${times(count, 'waarde', 'waarden')} die een import voor iets anders zou aanzien, de eerste in ${first}; de cel is leeg, een import laat het veld met rust, en NDJSON bevat de waarde`,
    ),
  controls: ({ header, count, first }) =>
    t(
      `${header}: ${times(count, 'text', 'texts')} with control characters, first in ${first}; a CSV shows those as signs such as ␛, and NDJSON holds them`,
      `${header}: ${times(count, 'tekst', 'teksten')} met besturingstekens, de eerste in ${first}; een CSV toont die als tekens zoals ␛, en NDJSON bevat ze`,
    ),
};

const times = (count: number, one: string, more: string): string => `${count} ${count === 1 ? one : more}`;

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

/**
 * The columns in the order of a workbook: behind those that are seen stand what other records say, which have
 * columns of their own here or a sheet, and what the first records lack. So they make one group that opens.
 */
export function seenFirst(
  columns: readonly ExportColumn[],
  records: readonly ReadRecord[],
): readonly ExportColumn[] {
  const isSeen = ({ imported, field, header, path }: ExportColumn): boolean =>
    imported ||
    (path.length <= 1 &&
      records.some(({ record, known }) => {
        const value = field === null ? memberAt(record, path) : known?.values[header];
        return value !== null && value !== undefined && value !== '';
      }));
  const seen = columns.filter(isSeen);
  return [...seen, ...columns.filter((one) => !seen.includes(one))];
}

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
