import type { SheetReadDocument } from '../../../../import/sheets-document.ts';
import type { Sheets } from '../../../contract/answers.ts';
import type { ChosenReading } from '../../../contract/asked.ts';

/** What a file is taken for, and how something else is chosen: with all that was chosen before. */
export interface Reading {
  readonly sheets: Sheets;
  readonly choose: (chosen: ChosenReading) => void;
}

type SheetChoice = ChosenReading['choices'][number];

/** What was chosen of a sheet so far. */
export const choiceOf = (sheets: Sheets, sheet: string): SheetChoice =>
  sheets.chosen.choices.find((one) => one.sheet === sheet) ?? { sheet };

/** All that was chosen, with another choice on one sheet. */
function withChoice(sheets: Sheets, choice: SheetChoice): ChosenReading {
  const chosen = sheets.chosen;
  const others = chosen.choices.filter(({ sheet }) => sheet !== choice.sheet);
  return { ...chosen, choices: [...others, choice] };
}

/** Takes a sheet for another kind, or leaves it out: what was said of its columns goes. */
export function chooseKind(sheets: Sheets, sheet: string, as: string | null): ChosenReading {
  const { headerRow } = choiceOf(sheets, sheet);
  return withChoice(sheets, { sheet, as, ...(headerRow === undefined ? {} : { headerRow }) });
}

/** Takes another row for the headers; columns are matched by them anew. */
export function chooseHeader(sheets: Sheets, sheet: string, headerRow: number): ChosenReading {
  const { columns: _, ...kept } = choiceOf(sheets, sheet);
  return withChoice(sheets, { ...kept, headerRow });
}

/** Takes a column for a field; null leaves it out. */
export function chooseField(
  sheets: Sheets,
  sheet: string,
  column: number,
  field: string | null,
): ChosenReading {
  const choice = choiceOf(sheets, sheet);
  const others = (choice.columns ?? []).filter((one) => one.column !== column);
  return withChoice(sheets, { ...choice, columns: [...others, { column, field }] });
}

/** Gives a field one value for all rows; an empty one takes that back. */
export function chooseValue(sheets: Sheets, field: string, value: string): ChosenReading {
  const chosen = sheets.chosen;
  const { [field]: _, ...others } = chosen.set;
  return { ...chosen, set: value === '' ? others : { ...others, [field]: value } };
}

/** How many proposals there are to accept. */
export function proposalsIn({ sheets }: Sheets): number {
  const columns = sheets.flatMap(proposedColumns).length;
  return columns + sheets.filter(({ resourceWhy }) => resourceWhy === 'proposed').length;
}

const proposedColumns = ({ columns }: SheetReadDocument) => columns.filter(({ why }) => why === 'proposed');

/** Accepts everything that is proposed, as the server says how. */
export function acceptedAll(sheets: Sheets): ChosenReading {
  let { chosen } = sheets;
  for (const { accept } of sheets.sheets)
    if (accept !== null)
      chosen = withChoice(
        { ...sheets, chosen },
        { ...accept, columns: accept.columns?.map((one) => ({ ...one })) },
      );
  return chosen;
}
