import { basename } from 'node:path';
import { EXIT, StopError } from '../errors.ts';
import { DamagedPart } from './damaged-part.ts';

const NEXT = {
  en: 'Open it in the spreadsheet program, save it again as .xlsx and use that file.',
  nl: 'Open het in het spreadsheetprogramma, sla het opnieuw op als .xlsx en gebruik dat bestand.',
};

/** A DamagedPart of the file as a whole as the StopError that names the file; any other error as it is. */
export function fileProblem(file: string, cause: unknown): unknown {
  if (!(cause instanceof DamagedPart)) return cause;
  const name = basename(file);
  const { en, nl } = cause.text;
  return new StopError(
    EXIT.file,
    { en: `The file ${name} ${en}.`, nl: `Het bestand ${name} ${nl}.` },
    { next: cause.next ?? NEXT, cause },
  );
}

/** A DamagedPart met while reading a sheet as the StopError that names sheet and file; any other error as it is. */
export function sheetProblem(file: string, sheet: string, cause: unknown): unknown {
  if (!(cause instanceof DamagedPart)) return cause;
  const [name, book] = [printable(sheet), basename(file)];
  const { en, nl } = cause.text;
  return new StopError(
    EXIT.file,
    { en: `The sheet ${name} of ${book} ${en}.`, nl: `Het werkblad ${name} van ${book} ${nl}.` },
    { next: cause.next ?? NEXT, cause },
  );
}

const LONGEST_NAME = 60;

/** A name from a foreign file without what could move a terminal's cursor or fill its screen. */
function printable(name: string): string {
  const plain = name.replace(/\p{C}/gu, '?');
  return plain.length > LONGEST_NAME ? `${plain.slice(0, LONGEST_NAME)}…` : plain;
}
