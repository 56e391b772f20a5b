import type { FileUse } from '../../../contract/file-uses.ts';
import type { ChosenReading, SheetDocument, SheetsDocument } from '../../../contract/sheets-document.ts';

/** What a file is taken for, and how something else is chosen: with all that was chosen before. */
export interface Reading {
  readonly sheets: SheetsDocument;
  readonly choose: (chosen: ChosenReading) => void;
}

type SheetChoice = ChosenReading['choices'][number];

const NOTHING: ChosenReading = {
  ...{ use: 'import', choices: [], set: {} },
  ...{ locale: null, delimiter: null, encoding: null },
};

/** All that was chosen so far. */
export const chosenIn = ({ chosen }: SheetsDocument): ChosenReading => chosen ?? NOTHING;

const choiceOf = (sheets: SheetsDocument, sheet: string): SheetChoice =>
  chosenIn(sheets).choices.find((one) => one.sheet === sheet) ?? { sheet };

/** All that was chosen, with another choice on one sheet. */
function withChoice(sheets: SheetsDocument, choice: SheetChoice): ChosenReading {
  const chosen = chosenIn(sheets);
  const others = chosen.choices.filter(({ sheet }) => sheet !== choice.sheet);
  return { ...chosen, choices: [...others, choice] };
}

/** Takes the file for something else: what was said of its sheets and columns goes. */
export const chooseUse = (sheets: SheetsDocument, use: FileUse): ChosenReading => ({
  ...chosenIn(sheets),
  ...{ use, choices: [], set: {} },
});

/** Takes a sheet for another kind, or leaves it out: what was said of its columns goes. */
export function chooseKind(sheets: SheetsDocument, sheet: string, as: string | null): ChosenReading {
  const { headerRow } = choiceOf(sheets, sheet);
  return withChoice(sheets, { sheet, as, ...(headerRow === undefined ? {} : { headerRow }) });
}

/** Takes another row for the headers; columns are matched by them anew. */
export function chooseHeader(sheets: SheetsDocument, sheet: string, headerRow: number): ChosenReading {
  const { columns: _, ...kept } = choiceOf(sheets, sheet);
  return withChoice(sheets, { ...kept, headerRow });
}

/** Takes a column for a field; null leaves it out. */
export function chooseField(
  sheets: SheetsDocument,
  sheet: string,
  column: number,
  field: string | null,
): ChosenReading {
  const choice = choiceOf(sheets, sheet);
  const others = (choice.columns ?? []).filter((one) => one.column !== column);
  return withChoice(sheets, { ...choice, columns: [...others, { column, field }] });
}

/** Gives a field one value for all rows; an empty one takes that back. */
export function chooseValue(sheets: SheetsDocument, field: string, value: string): ChosenReading {
  const chosen = chosenIn(sheets);
  const { [field]: _, ...others } = chosen.set;
  return { ...chosen, set: value === '' ? others : { ...others, [field]: value } };
}

/** How many proposals there are to accept. */
export function proposalsIn({ sheets }: SheetsDocument): number {
  const columns = sheets.flatMap(proposedColumns).length;
  return columns + sheets.filter(({ resourceWhy }) => resourceWhy === 'proposed').length;
}

const proposedColumns = ({ columns }: SheetDocument) => columns.filter(({ why }) => why === 'proposed');

/** Accepts everything that is proposed, as the server says how. */
export function acceptedAll(sheets: SheetsDocument): ChosenReading {
  let chosen = chosenIn(sheets);
  for (const { accept } of sheets.sheets) {
    if (accept === null) continue;
    const { sheet, as, headerRow, columns } = accept;
    chosen = withChoice(
      { ...sheets, chosen },
      {
        sheet,
        ...(as === undefined ? {} : { as }),
        ...(headerRow === undefined ? {} : { headerRow }),
        ...(columns === undefined ? {} : { columns: columns.map((one) => ({ ...one })) }),
      },
    );
  }
  return chosen;
}
