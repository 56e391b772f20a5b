type Cell = string | number | boolean | null;

/** The columns of `eventRows`. */
const EVENT_HEADER = [
  'ExternalID',
  'PartijOmschrijving',
  'RelatieID',
  'ContactpersoonID',
  'Datum',
  'Starttijd',
  'Eindtijd',
  'AantalGasten',
] as const;

/** Rows of events in one month under their header, with ExternalIDs from `first` on. */
export function eventRows(count: number, first = 81_000, month = '2027-05'): Cell[][] {
  const rows = Array.from({ length: count }, (_, index): Cell[] => {
    const day = `${month}-${String((index % 28) + 1).padStart(2, '0')}`;
    const times = [`${day} 12:00:00`, `${day} 17:30:00`];
    const relation = (index % 8) + 1;
    return [first + index, `Lunch ${first + index}`, relation, relation, day, ...times, 20 + (index % 80)];
  });
  return [[...EVENT_HEADER], ...rows];
}

/** The same rows with another value in one column. */
export function changed(rows: readonly Cell[][], column: string, value: Cell, from = 1): Cell[][] {
  const at = rows[0]?.indexOf(column) ?? -1;
  return rows.map((row, index) =>
    index < from ? row : row.map((cell, place) => (place === at ? value : cell)),
  );
}
