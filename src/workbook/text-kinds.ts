import type { Bilingual } from '../schema/value.ts';
import { notWorkbook, type Refusal, SAVE } from './refusal.ts';

const t = (en: string, nl: string): Bilingual => ({ en, nl });

/** How text begins that is no table. */
const BEGINNINGS: readonly (readonly [RegExp, Refusal])[] = [
  [
    /^\s*(<!--((?!-->).)*-->\s*)*<(!doctype html|html|head|body|table|meta|div)\b/is,
    notWorkbook('a web page (HTML)', 'een webpagina (HTML)', SAVE),
  ],
  [
    /^\s*<\?xml.*urn:schemas-microsoft-com:office:spreadsheet/is,
    {
      sentence: t('is an XML Spreadsheet of Excel 2003', 'is een XML-spreadsheet van Excel 2003'),
      next: SAVE,
    },
  ],
  [/^\s*<(\?xml|svg)\b/i, notWorkbook('an XML or web page file', 'een XML-bestand of webpagina', SAVE)],
  [/^MIME-Version:/i, notWorkbook('a saved web page (MHTML)', 'een opgeslagen webpagina (MHTML)', SAVE)],
  [/^\s*(\{\s*("|\}\s*$)|\[\s*[[{"])/, notWorkbook('JSON', 'JSON')],
  [
    /^\[InternetShortcut\]/,
    notWorkbook(
      'a shortcut to a web page',
      'een snelkoppeling naar een webpagina',
      t('Download the workbook and name that file.', 'Download de werkmap en noem dat bestand.'),
    ),
  ],
];

/** Names of workbooks that are not text, whatever is in them. */
const BINARY_NAMES = /^\.(xls[xmb]?|xlt[xm]?|ods|ots|numbers)$/;

/** Why text can't be read as CSV, by how it begins and what its file is called; undefined when it can. */
export function textRefusal(text: string, extension: string): Refusal | undefined {
  const found = BEGINNINGS.find(([pattern]) => pattern.test(text));
  if (found !== undefined) return found[1];
  if (!BINARY_NAMES.test(extension)) return undefined;
  return {
    sentence: t(
      `is plain text, not an Excel workbook, although its name ends in ${extension}`,
      `is gewone tekst, geen Excel-werkmap, al eindigt de naam op ${extension}`,
    ),
    next: t(
      'If it is CSV, rename it to .csv; otherwise ask for the data as .xlsx.',
      'Is het CSV, hernoem het dan naar .csv; vraag anders om de gegevens als .xlsx.',
    ),
  };
}
