/** What a part of a workbook may cost; counted while reading, whatever the file claims. */
export interface ReadLimits {
  /** Bytes of a part after inflating. */
  readonly partBytes: number;
  /** The same for a part kept in memory, such as the shared texts. */
  readonly keptBytes: number;
  /** Inflated bytes for each packed byte, checked past `ratioFrom`. */
  readonly ratio: number;
  /** Inflated bytes below which the ratio is not checked. */
  readonly ratioFrom: number;
  /** Bytes of a tag or text, and characters of a CSV record. */
  readonly tokenBytes: number;
  /** Files in the zip. */
  readonly entries: number;
}

/** Room for a million rows by twenty columns, not for a zip bomb. */
export const DEFAULT_LIMITS: ReadLimits = {
  partBytes: 8 * 2 ** 30,
  keptBytes: 512 * 2 ** 20,
  ratio: 250,
  ratioFrom: 16 * 2 ** 20,
  tokenBytes: 4 * 2 ** 20,
  entries: 100_000,
};

/** The last column of an Excel sheet. */
export const LAST_COLUMN = 16_384;
/** The last row of an Excel sheet. */
export const LAST_ROW = 1_048_576;
