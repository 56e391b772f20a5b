/** What one part of a workbook may cost; all are counted while reading, never taken from the file's own word. */
export interface ReadLimits {
  /** Bytes of one part after inflating. */
  readonly partBytes: number;
  /** The same for a part that is kept in memory, such as the shared texts; a sheet's rows are not. */
  readonly keptBytes: number;
  /** Inflated bytes for each compressed byte, judged once a part is past `ratioFrom`. */
  readonly ratio: number;
  /** Inflated bytes below which the ratio is not judged. */
  readonly ratioFrom: number;
  /** Bytes of one tag or one stretch of text, and characters of one CSV record. */
  readonly tokenBytes: number;
  /** Entries in the zip directory. */
  readonly entries: number;
}

/** Generous to a million rows by twenty columns, deadly to a bomb. */
export const DEFAULT_LIMITS: ReadLimits = {
  partBytes: 8 * 2 ** 30,
  keptBytes: 512 * 2 ** 20,
  ratio: 250,
  ratioFrom: 16 * 2 ** 20,
  tokenBytes: 4 * 2 ** 20,
  entries: 100_000,
};

/** The size of an Excel sheet; nothing outside it is a cell. */
export const LAST_COLUMN = 16_384;
/** See `LAST_COLUMN`. */
export const LAST_ROW = 1_048_576;
