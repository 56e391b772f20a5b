/** What a part of a workbook may cost; counted while reading, whatever the file claims. */
export interface ReadLimits {
  /** Bytes of a part after inflating. */
  readonly partBytes: number;
  /** The same for a small part that is kept in memory to be changed. */
  readonly keptBytes: number;
  /** Inflated bytes for each packed byte, checked past `ratioFrom`. */
  readonly ratio: number;
  /** Inflated bytes below which the ratio is not checked. */
  readonly ratioFrom: number;
  /** Bytes of a tag or text, and characters of a CSV record. */
  readonly tokenBytes: number;
  /** Files in the zip. */
  readonly entries: number;
  /** Inflated bytes of all parts for each byte of the file, checked past `wholeFrom`. */
  readonly wholeRatio: number;
  /** Inflated bytes of all parts below which that ratio is not checked. */
  readonly wholeFrom: number;
}

/** Room for a million rows by twenty columns, not for a zip bomb. */
export const DEFAULT_LIMITS: ReadLimits = {
  partBytes: 8 * 2 ** 30,
  keptBytes: 32 * 2 ** 20,
  ratio: 250,
  ratioFrom: 16 * 2 ** 20,
  tokenBytes: 4 * 2 ** 20,
  entries: 20_000,
  wholeRatio: 60,
  wholeFrom: 256 * 2 ** 20,
};

/** How often what a workbook lists may occur: as the format itself has it, or far more than any real one. */
export const MOST = {
  sheets: 4000,
  relationships: 100_000,
  cellFormats: 65_490,
  merges: 1_048_576,
  drawings: 100_000,
  /** Characters of a cell: four times as many as one holds. */
  cellText: 131_072,
  /** Shared texts, beside one for each packed byte of theirs. */
  texts: 1_000_000,
} as const;

/** The last column of an Excel sheet. */
export const LAST_COLUMN = 16_384;
/** The last row of an Excel sheet. */
export const LAST_ROW = 1_048_576;
