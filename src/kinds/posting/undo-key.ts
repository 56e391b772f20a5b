/** The members of a mutation that an undo makes up: when it is posted, and why (interface 2.6). */
export const [UNDO_MOMENT, UNDO_REASON] = ['DatumTijd', 'MutatieReden'] as const;

/** Where a row stood that is taken back. */
interface Place {
  readonly sheet: string;
  readonly row: number;
}

/**
 * The `#key` of a mutation that takes back what a row of a run posted: of that row of that run alone, so that it is posted
 * at most once, however often the run is undone.
 */
export const undoKey = (run: string, { sheet, row }: Place): string => `undo ${run} ${sheet}!${row}`;

const UNDO_KEY = /^undo \d{8}-\d{6}-[a-z0-9]{4} .+!\d+$/;

/** Whether a `#key` is that of a mutation that takes another one back. */
export const isUndoKey = (key: string): boolean => UNDO_KEY.test(key);
