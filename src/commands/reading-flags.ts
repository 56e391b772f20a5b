import type { Argv } from 'yargs';
import { wholeNumber } from './usage.ts';

/** How a file is read, where that is not found out by itself. */
export interface ReadingFlags {
  readonly map: string | undefined;
  readonly headerRow: number | undefined;
  readonly encoding: string | undefined;
  readonly delimiter: string | undefined;
}

/** The last row of a worksheet. */
const LAST_ROW = 1_048_576;

/** Adds the flags for the commands that read a sheet. */
export function readingFlags<Flags>(argv: Argv<Flags>): Argv<Flags> {
  return argv
    .option('map', {
      type: 'string',
      describe: 'File that says what your headers stand for; none forgets the one remembered for the profile',
    })
    .option('header-row', { type: 'number', describe: 'Row that holds the headers (found by itself)' })
    .option('encoding', {
      type: 'string',
      describe: 'Encoding of a CSV, such as windows-1252 (found by itself)',
    })
    .option('delimiter', { type: 'string', describe: 'Separator of a CSV, or tab (found by itself)' })
    .check((flags) => {
      wholeNumber('header-row', flags['header-row'] as number | undefined, 1, LAST_ROW);
      return true;
    }) as unknown as Argv<Flags>;
}
