import { basename } from 'node:path';
import { EXIT, StopError } from '../core/errors.ts';
import { type Bilingual, t } from '../core/language.ts';
import { startOf } from '../core/visible-text.ts';

/** What can be wrong with a part of a workbook: the rest of a sentence that starts with its name. */
export const DAMAGE = {
  missingPart: t(
    'is named in the workbook but missing from the file',
    'staat in de werkmap genoemd, maar ontbreekt in het bestand',
  ),
  beyond: t(
    'holds a cell below the last row or right of the last column',
    'bevat een cel onder de laatste rij of rechts van de laatste kolom die kan bestaan',
  ),
  cutOff: t('is cut off or damaged', 'is afgekapt of beschadigd'),
  encrypted: t('is encrypted', 'is versleuteld'),
  gone: t(
    'can no longer be read: the file is gone or closed to this program',
    'kan niet meer worden gelezen: het bestand is weg of afgesloten voor dit programma',
  ),
  longText: t(
    'holds a piece of text longer than any cell',
    'bevat een stuk tekst dat langer is dan welke cel ook',
  ),
  oddXml: t(
    'is put together in a way no spreadsheet program does',
    'is opgebouwd op een manier die geen spreadsheetprogramma gebruikt',
  ),
  noWorksheet: t('holds no worksheet', 'bevat geen werkblad'),
  noSheets: t('is no workbook: it holds no sheets', 'is geen werkmap: er staan geen werkbladen in'),
} as const;

/** Two parts have one name. */
export const holdsTwice = (name: string): Bilingual => t(`holds ${name} twice`, `bevat ${name} twee keer`);

/** A row occurs twice: some programs show the first, others both in one. */
export const rowTwice = (row: number): Bilingual => placeTwice(t(`row ${row}`, `rij ${row}`));

/** A cell occurs twice with different values. */
export const cellTwice = (address: string): Bilingual => placeTwice(t(`cell ${address}`, `cel ${address}`));

const placeTwice = ({ en, nl }: Bilingual): Bilingual =>
  t(
    `holds ${en} twice, so that nobody can tell which one counts`,
    `bevat ${nl} twee keer, zodat niemand kan zeggen welke telt`,
  );

/** A list of the workbook is longer than the format allows, or any real one. */
const moreThan = (most: number, what: Bilingual): Bilingual => {
  const count = (locale: string): string => most.toLocaleString(locale);
  return t(
    `holds more than ${count('en')} ${what.en}, the most that is read`,
    `bevat meer dan ${count('nl')} ${what.nl}, het meeste dat wordt gelezen`,
  );
};

/** Counts what a workbook lists; the function throws DamagedPart beyond a limit. */
export function counter(most: number, en: string, nl: string): () => void {
  let count = 0;
  return () => {
    if (++count > most) throw new DamagedPart(moreThan(most, t(en, nl)), { next: FEWER });
  };
}

const FEWER = t(
  'Copy the sheets that you need to a new workbook, without formats, and use that file.',
  'Kopieer de werkbladen die je nodig hebt naar een nieuwe werkmap, zonder opmaak, en gebruik dat bestand.',
);

/** A part inflates to more than any real one. */
export const unpacksTo = (megabytes: number): Bilingual =>
  t(
    `unpacks to more than ${megabytes} MB, which no honest workbook does`,
    `wordt uitgepakt groter dan ${megabytes} MB, en dat wordt geen gewone werkmap`,
  );

/**
 * A part of a workbook that can't be read: the rest of a sentence that starts with its name. The caller knows
 * the sheet and file, and makes it a StopError.
 */
export class DamagedPart extends Error {
  readonly text: Bilingual;
  /** What to do, if saving again is not the way. */
  readonly next: Bilingual | undefined;

  constructor(text: Bilingual, options: { cause?: unknown; next?: Bilingual } = {}) {
    super(text.en, options);
    this.name = 'DamagedPart';
    this.text = text;
    this.next = options.next;
  }
}

const NEXT = t(
  'Open it in the spreadsheet program, save it again as .xlsx and use that file.',
  'Open het in het spreadsheetprogramma, sla het opnieuw op als .xlsx en gebruik dat bestand.',
);

/** Makes a DamagedPart the StopError that names the file, and the sheet; other errors stay as they are. */
export function fileProblem(file: string, cause: unknown, sheet?: string): unknown {
  if (!(cause instanceof DamagedPart)) return cause;
  const { text, next = NEXT } = cause;
  const book = basename(file);
  const subject =
    sheet === undefined
      ? t(`The file ${book}`, `Het bestand ${book}`)
      : t(`The sheet ${short(sheet)} of ${book}`, `Het werkblad ${short(sheet)} van ${book}`);
  const sentence = t(`${subject.en} ${text.en}.`, `${subject.nl} ${text.nl}.`);
  return new StopError(EXIT.file, sentence, { next, cause });
}

const LONGEST_NAME = 60;

/** A name from a file, which must not fill the screen. */
function short(name: string): string {
  return name.length > LONGEST_NAME ? `${startOf(name, LONGEST_NAME)}…` : name;
}
