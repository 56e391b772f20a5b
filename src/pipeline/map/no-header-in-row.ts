import { EXIT, StopError } from '../../errors.ts';
import type { Row } from '../../schema/cell.ts';
import type { Bilingual } from '../../schema/value.ts';
import type { HeaderRow } from './header-row.ts';

/** The row that `--header-row` names holds no header of the sheet; `found` is the one that would have been taken. */
export function noHeaderInRow(sheet: string, row: number, found: HeaderRow | undefined): StopError {
  const names = found?.cells.flatMap(({ field }) => field ?? []).slice(0, 3) ?? [];
  const next =
    found === undefined
      ? {
          en: 'Name the row that holds the headers, or one sheet with --sheet.',
          nl: 'Noem de rij waarin de koppen staan, of één werkblad met --sheet.',
        }
      : {
          en: `Row ${found.first} names ${names.join(', ')}: leave --header-row out, or name one sheet with --sheet.`,
          nl: `Rij ${found.first} noemt ${names.join(', ')}: laat --header-row weg, of noem één werkblad met --sheet.`,
        };
  return new StopError(
    EXIT.usage,
    {
      en: `--header-row ${row}: row ${row} of sheet ${sheet} names no column.`,
      nl: `--header-row ${row}: rij ${row} van werkblad ${sheet} noemt geen kolom.`,
    },
    { next },
  );
}

/** So many of a row's texts are quoted. */
const QUOTED = 6;
const shorten = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, 30);

/**
 * What to say of a sheet none of whose columns are known, to go on behind another sentence: the first row of several
 * texts, which may be headers of the user's own, and how a CSV was cut. Empty where there is nothing of either.
 */
export function ownHeaders(top: readonly Row[], delimiter: string | undefined): Bilingual {
  const row = top.find(({ cells }) => cells.length > 2 && cells.every(({ type }) => type === 'text'));
  const mark = delimiter === '\t' ? 'tab' : delimiter;
  const cut =
    mark === undefined
      ? { en: '', nl: '' }
      : {
          en: `; read as separated by ${mark}, --delimiter names another`,
          nl: `; gelezen als gescheiden door ${mark}, --delimiter noemt een ander`,
        };
  if (row === undefined) return cut;
  const list = row.cells
    .slice(0, QUOTED)
    .map(({ value }) => shorten(`${value}`))
    .join(', ');
  const more = row.cells.length > QUOTED ? ', …' : '';
  return {
    en: `; row ${row.number} holds ${list}${more}: --map says what headers of your own stand for${cut.en}`,
    nl: `; rij ${row.number} bevat ${list}${more}: --map zegt waar uw eigen koppen voor staan${cut.nl}`,
  };
}
