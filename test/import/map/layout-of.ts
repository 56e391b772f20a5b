import type { Row } from '../../../src/core/cell.ts';
import { makeSheet, newLayout, type SheetLayout } from '../../../src/files/sheet.ts';
import type { HeaderName } from '../../../src/import/map/header-names.ts';
import { newReading, readRows } from '../../../src/import/map/read-rows.ts';
import { recogniseSheets } from '../../../src/import/map/recognise.ts';
import type { SheetChoice } from '../../../src/import/map/sheet-choices.ts';
import type { SetValue } from '../../../src/import/map/sheet-mapping.ts';
import { sheetNotes, unknownTexts } from '../../../src/import/map/sheet-notes.ts';
import type { MappedRow } from '../../../src/records/mapped-row.ts';
import { resources } from '../../../src/resources/registry.ts';
import type { Workbook } from '../../../src/workbook/read-workbook.ts';
import { type Line, toCells } from './sheet-of.ts';

/** The lines of a sheet; null, or nothing in it, where a row is blank. */
export type Grid = readonly (Line | null)[];

/** A workbook of one sheet from a grid. */
export function bookOf(
  grid: Grid,
  name = 'Pakketten',
  row: (number: number) => Partial<Row> = () => ({}),
  layout: Partial<SheetLayout> = {},
): Workbook {
  const rows = grid.flatMap((cells, at): Row[] =>
    cells === null || cells === '' ? [] : [{ number: at + 1, cells: toCells(cells), ...row(at + 1) }],
  );
  const read = async function* () {
    if (rows.length > 0) yield rows;
  };
  const sheet = makeSheet(name, false, read, { ...newLayout(), ...layout });
  return { file: 'week12.xlsx', format: 'xlsx', sheets: [sheet], [Symbol.iterator]: () => [sheet].values() };
}

/** What a sheet was taken for. */
export interface Layout {
  readonly resource: string;
  /** The header's rows, such as `1` or `1-2`. */
  readonly header: string;
  /** Field or mark by column letter. */
  readonly columns: Readonly<Record<string, string>>;
  readonly records: readonly MappedRow[];
  /** Row numbers by why they are no records. */
  readonly passedOver: Readonly<Record<string, readonly number[]>>;
  /** How many rows are no records. */
  readonly count: number;
  readonly notes: readonly string[];
  readonly unknown: readonly string[];
  /** Columns that only the user can decide: `Prijs (C): Verkoopprijs`. */
  readonly undecided: readonly string[];
}

interface Wishes {
  readonly headerRow?: number;
  readonly names?: readonly HeaderName[];
  readonly set?: readonly SetValue[];
  readonly choices?: readonly SheetChoice[];
}

/** Reads the first sheet of a workbook down to its records. */
export async function layoutOf(workbook: Workbook, wishes: Wishes = {}): Promise<Layout> {
  const [entry] = await recogniseSheets(workbook, { resources, only: [], set: [], ...wishes });
  if (entry?.kind !== 'import') throw new Error(`not imported: ${JSON.stringify(entry)}`);
  const { mapping } = entry;
  const reading = newReading();
  const records: MappedRow[] = [];
  for await (const batch of readRows(entry.sheet, mapping, { locale: 'nl', strict: false }, reading))
    records.push(...batch.filter(({ message }) => message === undefined));
  const { firstHeaderRow: first, headerRow: last } = mapping;
  return {
    resource: mapping.resource.name,
    header: first === last ? `${last}` : `${first}-${last}`,
    columns: Object.fromEntries(
      mapping.readers.flatMap((reader) => (reader ? [[reader.letters, reader.name]] : [])),
    ),
    records,
    passedOver: Object.fromEntries(Object.entries(reading.passedOver).map(([why, { rows }]) => [why, rows])),
    count: Object.values(reading.passedOver).reduce((sum, { count }) => sum + count, 0),
    notes: sheetNotes(entry, reading).map(({ en }) => en),
    unknown: unknownTexts(entry, 'en'),
    undecided: (entry.proposal?.columns ?? []).flatMap(({ header, column, fields, isOpen }) =>
      isOpen ? `${header} (${column}): ${fields.join(', ')}` : [],
    ),
  };
}

/** What became of each row: why it is no record, or `record` and what is wrong with it, as `2 record, 4 header`. */
export function fatesOf({ records, passedOver }: Layout): string {
  const read = records.map(({ row, issues }): [number, string] => [
    row,
    ['record', ...issues.map(({ code, hint }) => (typeof hint === 'string' ? `${code} ${hint}` : code))].join(
      ' ',
    ),
  ]);
  const none = Object.entries(passedOver).flatMap(([why, rows]) =>
    rows.map((row): [number, string] => [row, why]),
  );
  return [...read, ...none]
    .sort(([one], [other]) => one - other)
    .map(([row, fate]) => `${row} ${fate}`)
    .join(', ');
}
