import type { Row } from '../../core/cell.ts';
import { type StopError, usageStop } from '../../core/errors.ts';
import { type Bilingual, composed, same, t } from '../../core/language.ts';
import type { Resource } from '../../schema/resource.ts';
import type { Workbook } from '../../workbook/read-workbook.ts';
import { HEADER_SEARCH_ROWS, type HeaderRow } from './header-row.ts';

/** Says of a sheet that is meant to be imported that no row of it names a column. */
export function noHeader(
  sheet: string,
  resource: Resource,
  top: readonly Row[],
  { delimiter }: Workbook,
): { readonly problem: Bilingual; readonly plain: Bilingual } {
  const own = ownHeaders(top, delimiter);
  const some = Object.keys(resource.fields).slice(0, 6).join(', ');
  const plain = t(
    `Sheet ${sheet} has no header row: none of its first ${HEADER_SEARCH_ROWS} rows names a column such as ${some}`,
    `Werkblad ${sheet} heeft geen kopregel: geen van de eerste ${HEADER_SEARCH_ROWS} rijen noemt een kolom zoals ${some}`,
  );
  const problem = composed([own], ({ en, nl }) => t(`${plain.en}${en}`, `${plain.nl}${nl}`));
  return { problem, plain };
}

/** The row of `--header-row` holds no header of the sheet; `found` is the one that would have been taken. */
export function noHeaderInRow(sheet: string, row: number, found: HeaderRow | undefined): StopError {
  const names = found?.headers.flatMap(({ field }) => field ?? []).slice(0, 3) ?? [];
  const next =
    found === undefined
      ? t(
          'Name the row that holds the headers, or one sheet with --sheet.',
          'Noem de rij waarin de koppen staan, of één werkblad met --sheet.',
          t('Choose the row that holds the headers.', 'Kies de rij waarin de koppen staan.'),
        )
      : t(
          `Row ${found.firstHeaderRow} names ${names.join(', ')}: leave --header-row out, or name one sheet with --sheet.`,
          `Rij ${found.firstHeaderRow} noemt ${names.join(', ')}: laat --header-row weg, of noem één werkblad met --sheet.`,
          t(
            `Row ${found.firstHeaderRow} names ${names.join(', ')}: choose that one.`,
            `Rij ${found.firstHeaderRow} noemt ${names.join(', ')}: kies die.`,
          ),
        );
  const message = t(
    `--header-row ${row}: row ${row} of sheet ${sheet} names no column.`,
    `--header-row ${row}: rij ${row} van werkblad ${sheet} noemt geen kolom.`,
    t(`Row ${row} of sheet ${sheet} names no column.`, `Rij ${row} van werkblad ${sheet} noemt geen kolom.`),
  );
  return usageStop(message, next);
}

/** Texts of a row that are quoted. */
const QUOTED = 6;
const shorten = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, 30);

/**
 * Ends a message on a sheet without known columns: a row that may hold its headers, and a CSV's delimiter.
 */
export function ownHeaders(top: readonly Row[], delimiter: string | undefined): Bilingual {
  const row = top.find(({ cells }) => cells.length > 2 && cells.every(({ type }) => type === 'text'));
  const mark = delimiter === '\t' ? 'tab' : delimiter;
  const cut =
    mark === undefined
      ? same('')
      : t(
          `; read as separated by ${mark}, --delimiter names another`,
          `; gelezen als gescheiden door ${mark}, --delimiter noemt een ander`,
          t(`; read as separated by ${mark}`, `; gelezen als gescheiden door ${mark}`),
        );
  if (row === undefined) return cut;
  const list = row.cells
    .slice(0, QUOTED)
    .map(({ value }) => shorten(`${value}`))
    .join(', ');
  const more = row.cells.length > QUOTED ? ', …' : '';
  return composed([cut], ({ en, nl }) =>
    t(
      `; row ${row.number} holds ${list}${more}: --map says what headers of your own stand for${en}`,
      `; rij ${row.number} bevat ${list}${more}: --map zegt waar je eigen koppen voor staan${nl}`,
      t(`; row ${row.number} holds ${list}${more}${en}`, `; rij ${row.number} bevat ${list}${more}${nl}`),
    ),
  );
}
