import type { Row } from '../../core/cell.ts';
import { type StopError, usageStop } from '../../core/errors.ts';
import { shorten } from '../../core/issue.ts';
import { type Bilingual, composed, type Language, t, withFlag } from '../../core/language.ts';
import type { Resource } from '../../schema/resource.ts';
import type { Workbook } from '../../workbook/read-workbook.ts';
import { HEADER_SEARCH_ROWS, type HeaderRow } from './header-row.ts';

/** Says of a sheet that is meant to be imported that no header of it is known. `header` is the row that looks like one. */
export function noHeader(
  sheet: string,
  { fields }: Resource,
  header: HeaderRow | undefined,
  top: Top,
): Bilingual {
  const some = Object.keys(fields).slice(0, 6).join(', ');
  const what =
    header === undefined
      ? t(
          `Sheet ${sheet} has no header row: none of its first ${HEADER_SEARCH_ROWS} rows names a column such as ${some}`,
          `Werkblad ${sheet} heeft geen kopregel: geen van de eerste ${HEADER_SEARCH_ROWS} rijen noemt een kolom zoals ${some}`,
        )
      : t(
          `Row ${header.headerRow} of sheet ${sheet} names no column such as ${some}`,
          `Rij ${header.headerRow} van werkblad ${sheet} noemt geen kolom zoals ${some}`,
        );
  return joined([what, ownHeaders(top)]);
}

/** Texts that are one. */
export const joined = (all: readonly Bilingual[]): Bilingual =>
  composed(all, (...texts) => {
    const of = (language: Language): string => texts.map((one) => one[language]).join('');
    return t(of('en'), of('nl'));
  });

/** The first rows of a sheet, and the file they are in. */
interface Top {
  readonly top: readonly Row[];
  readonly workbook: Pick<Workbook, 'delimiter'>;
}

/** The row of `--header-row` holds no header of the sheet. */
export const noHeaderInRow = (sheet: string, row: number): StopError =>
  usageStop(
    t(`Row ${row} of sheet ${sheet} names no column.`, `Rij ${row} van werkblad ${sheet} noemt geen kolom.`),
    withFlag(
      t('Choose the row that holds the headers.', 'Kies de rij waarin de koppen staan.'),
      '--header-row',
    ),
  );

/** A number alone, which is no header: of a CSV each cell is a text. */
const NUMBER = /^\s*[€$£]?\s*-?\d[\d.,]*\s*$/;

/** Texts of a row that are quoted. */
const QUOTED = 6;

/** Ends a message on a sheet without known columns: a row that may hold its headers, and a CSV's delimiter. */
export function ownHeaders({ top, workbook: { delimiter } }: Top): Bilingual {
  const row = top.find(({ cells }) => cells.length > 2 && cells.every(({ type }) => type === 'text'));
  const mark = delimiter === '\t' ? 'tab' : delimiter;
  const quoted = row?.cells.slice(0, QUOTED).map(({ value }) => shorten(`${value}`)) ?? [];
  const list = [...quoted, ...((row?.cells.length ?? 0) > QUOTED ? ['…'] : [])].join(', ');
  const isRecord = mark !== undefined && row?.cells.some(({ value }) => NUMBER.test(`${value}`)) === true;
  const { en, nl } = t(`; row ${row?.number} holds ${list}`, `; rij ${row?.number} bevat ${list}`);
  const own = isRecord
    ? withFlag(
        t(
          `${en}, which are no headers: name the columns`,
          `${nl}, en dat zijn geen koppen: noem de kolommen`,
        ),
        '--columns',
      )
    : withFlag(t(`${en}: say what your headers stand for`, `${nl}: zeg waar je koppen voor staan`), '--map');
  const cut = withFlag(
    t(`; read as separated by ${mark}`, `; gelezen als gescheiden door ${mark}`),
    '--delimiter',
  );
  return joined([...(row === undefined ? [] : [own]), ...(mark === undefined ? [] : [cut])]);
}
