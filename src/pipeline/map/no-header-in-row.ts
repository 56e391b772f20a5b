import { EXIT, StopError } from '../../errors.ts';
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
