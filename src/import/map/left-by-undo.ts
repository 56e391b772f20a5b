import { type Bilingual, t } from '../../core/language.ts';
import { isUndone } from '../../core/own-sheets.ts';
import { textsOf } from '../../files/baseline-sheet.ts';
import type { Workbook } from '../../workbook/read-workbook.ts';

/** Rows of a run that the workbook of its undo leaves: how many, and the first of them. Plain data. */
export interface LeftByUndo {
  readonly count: number;
  readonly rows: readonly { readonly sheet: string; readonly row: string; readonly why: string }[];
}

/** So many are told; the workbook names them all. */
const MOST_TOLD = 100;

/** Reads what the workbook of an undo says that it can't take back. */
export async function readLeftByUndo({ sheets }: Pick<Workbook, 'sheets'>): Promise<LeftByUndo> {
  const left: LeftByUndo['rows'][number][] = [];
  let count = 0;
  for (const { name, rows } of sheets) {
    let isList: boolean | undefined;
    for await (const one of rows) {
      const [sheet = '', row = '', why = ''] = textsOf(one);
      isList ??= isUndone(name, [sheet, row, why]);
      if (!isList) break;
      if (why === '' || isUndone(name, [sheet, row, why])) continue;
      if (count++ < MOST_TOLD) left.push({ sheet, row, why });
    }
  }
  return { count, rows: left };
}

/** Says that rows of a run are not taken back. */
export const leftText = ({ count }: LeftByUndo, run: string): Bilingual =>
  count === 1
    ? t(
        `1 row of run ${run} is not taken back by this file`,
        `1 rij van run ${run} draait dit bestand niet terug`,
      )
    : t(
        `${count} rows of run ${run} are not taken back by this file`,
        `${count} rijen van run ${run} draait dit bestand niet terug`,
      );
