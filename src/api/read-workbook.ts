import { z } from 'zod';
import { DEFAULT_LIMITS, type ReadLimits } from '../files/limits.ts';
import { OPTIONS } from '../options/option-table.ts';
import { checkShape } from '../options/options.ts';
import { type ReadOptions, readWorkbook as read, type Workbook } from '../workbook/read-workbook.ts';

const limitNames = Object.keys(DEFAULT_LIMITS) as (keyof ReadLimits)[];
// A zod number is finite; Infinity lifts a limit.
const limit = z.union([z.number().min(0), z.literal(Number.POSITIVE_INFINITY)]).optional();

const SHAPE = {
  delimiter: OPTIONS.delimiter.type,
  encoding: OPTIONS.encoding.type,
  columns: OPTIONS.columns.type,
  signal: OPTIONS.signal.type,
  limits: z.strictObject(Object.fromEntries(limitNames.map((name) => [name, limit]))),
};

/**
 * Opens an XLSX or CSV file, told apart by content, and lists its sheets; rows are read when iterated. Throws
 * StopError with EXIT.file for what can't be read, with EXIT.usage for wrong options.
 */
export async function readWorkbook(file: string, options: ReadOptions = {}): Promise<Workbook> {
  const given = checkShape('readWorkbook', SHAPE, options, { file }) as ReadOptions;
  return await read(file, given);
}
