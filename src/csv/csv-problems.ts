import { basename } from 'node:path';
import { EXIT, StopError } from '../core/errors.ts';
import { type Bilingual, t, withFlag } from '../core/language.ts';

/** What can be wrong on a line of a CSV: the rest of a sentence, and what to do. */
const PROBLEMS = {
  /** Files whose writing was cut off end in many. */
  nulCharacter: [
    (line) =>
      t(
        `line ${line} holds a NUL character, which no text does: the file is damaged or in another encoding`,
        `staat op regel ${line} een NUL-teken, wat in geen tekst hoort: het bestand is beschadigd of heeft een andere tekenset`,
      ),
    withFlag(
      t(
        'Take the character out there or save the file again; for UTF-16, choose that encoding.',
        'Haal het teken daar weg of sla het bestand opnieuw op; is het UTF-16, kies dan die tekenset.',
      ),
      '--encoding utf-16',
    ),
  ],
  endlessRow: [
    (line) =>
      t(
        `the row on line ${line} is longer than any real one`,
        `is de rij op regel ${line} langer dan een echte rij kan zijn`,
      ),
    t(
      'Check that the file is CSV, with one row to a line.',
      'Kijk of het bestand CSV is, met één rij per regel.',
    ),
  ],
  wideRow: [
    (line) =>
      t(
        `the row on line ${line} has more fields than a sheet has columns`,
        `heeft de rij op regel ${line} meer velden dan een werkblad kolommen heeft`,
      ),
    withFlag(t('Choose its separator.', 'Kies het scheidingsteken.'), '--delimiter'),
  ],
  mixedEncodings: [
    (line) =>
      t(
        `line ${line} is in another encoding than the rest, which is UTF-8`,
        `heeft regel ${line} een andere tekenset dan de rest, die UTF-8 is`,
      ),
    withFlag(
      t(
        'Correct the letters there and save the file as CSV UTF-8, or choose the encoding windows-1252.',
        'Verbeter de letters daar en sla het bestand op als CSV UTF-8, of kies de tekenset windows-1252.',
      ),
      '--encoding windows-1252',
    ),
  ],
} as const satisfies Readonly<Record<string, readonly [(line: number) => Bilingual, Bilingual]>>;

/** What is wrong with a CSV that can't be read on. */
export type CsvProblem = keyof typeof PROBLEMS;

/** The StopError (EXIT.file) for a CSV that can't be read on from a line. */
export function csvProblem(what: CsvProblem, file: string, line: number): StopError {
  const [sentence, next] = PROBLEMS[what];
  const name = basename(file);
  const { en, nl } = sentence(line);
  return new StopError(EXIT.file, t(`In ${name} ${en}.`, `In ${name} ${nl}.`), { next });
}

/** The StopError for text that is not in the encoding it was said to have. */
export function otherEncoding(file: string, encoding: string, cause: unknown): StopError {
  const name = basename(file);
  const text = t(
    `The file ${name} is not in the encoding ${encoding}.`,
    `Het bestand ${name} heeft niet de tekenset ${encoding}.`,
  );
  const next = t(
    'Leave the encoding to be found, or: Save the file again as CSV UTF-8 from the spreadsheet program.',
    'Laat de tekenset zoeken, of: Sla het bestand opnieuw op als CSV UTF-8 vanuit het spreadsheetprogramma.',
  );
  return new StopError(EXIT.file, text, { next, cause });
}
