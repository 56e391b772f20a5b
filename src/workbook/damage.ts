import { basename } from 'node:path';
import { EXIT, StopError } from '../errors.ts';
import { DamagedPart } from './damaged-part.ts';

const NEXT = 'Open it in the spreadsheet program, save it again as .xlsx and use that file.';

/** A DamagedPart of the file as a whole as the StopError that names the file; any other error as it is. */
export function fileProblem(file: string, cause: unknown): unknown {
  if (!(cause instanceof DamagedPart)) return cause;
  return new StopError(EXIT.file, `The file ${basename(file)} ${cause.message}.`, { next: NEXT, cause });
}

/** A DamagedPart met while reading a sheet as the StopError that names sheet and file; any other error as it is. */
export function sheetProblem(file: string, sheet: string, cause: unknown): unknown {
  if (!(cause instanceof DamagedPart)) return cause;
  return new StopError(EXIT.file, `The sheet ${printable(sheet)} of ${basename(file)} ${cause.message}.`, {
    next: NEXT,
    cause,
  });
}

/** A name from a foreign file without what could move a terminal's cursor. */
function printable(name: string): string {
  return name.replace(/\p{Cc}/gu, '?');
}
