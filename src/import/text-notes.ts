import { basename, extname } from 'node:path';
import { type Bilingual, t } from '../core/language.ts';
import type { Workbook } from '../workbook/read-workbook.ts';

/** Endings of workbooks that are not text. */
const BOOK_ENDING = /^\.(?:xls[xmb]?|xlt[xm]?|ods|ots|numbers)$/i;

/** Says of a text how it was read where its name or its lines say otherwise. */
export function textNotes({ file, format, delimiter = '', quotedLines }: Workbook): Bilingual[] {
  if (format !== 'csv') return [];
  const notes: Bilingual[] = [];
  const name = basename(file);
  const by = delimiter === '\t' ? t('tabs', 'tabs') : t(delimiter, delimiter);
  if (BOOK_ENDING.test(extname(file)))
    notes.push(
      t(
        `${name} is text separated by ${by.en}, not a workbook; it was read as that`,
        `${name} is tekst, gescheiden door ${by.nl}, en geen werkmap; zo is het ook gelezen`,
      ),
    );
  if (quotedLines === true)
    notes.push(
      t(
        'Each line stands as a whole between quotes; it was read without them',
        'Elke regel staat in zijn geheel tussen aanhalingstekens; die zijn weggelaten bij het lezen',
      ),
    );
  return notes;
}
