import type { SheetReadDocument } from '../../../import/sheets-document.ts';
import type { Sheets } from '../../contract/answers.ts';
import type { ChosenReading } from '../../contract/asked.ts';

/** What is said of a sheet. */
export type SheetChoice = ChosenReading['choices'][number];

/** What a file is taken for, and how something else is chosen: with all that was chosen before. */
export interface Reading {
  readonly sheets: Sheets;
  choose(changed: Partial<ChosenReading>): void;
}

/** What each part of a sheet is given. */
export interface SheetProps {
  readonly sheet: SheetReadDocument;
  readonly reading: Reading;
}

/** What was chosen of a sheet so far. */
export const choiceOf = ({ sheet, reading: { sheets } }: SheetProps): SheetChoice =>
  sheets.chosen.choices.find((one) => one.sheet === sheet.sheet) ?? { sheet: sheet.sheet };

/** The choices with others in the place of those on the same sheets. */
export const withChoices = (all: readonly SheetChoice[], own: readonly SheetChoice[]): SheetChoice[] => [
  ...all.filter(({ sheet }) => own.every((one) => one.sheet !== sheet)),
  ...own,
];

/** Chooses otherwise on one sheet. Another kind or other headers match its columns anew: what was said of them goes. */
export function chooseFor(props: SheetProps, changed: Omit<SheetChoice, 'sheet'>): void {
  const { sheets, choose } = props.reading;
  const choice = { ...choiceOf(props), columns: undefined, ...changed };
  choose({ choices: withChoices(sheets.chosen.choices, [choice]) });
}

type Column = SheetReadDocument['columns'][number];

/** Whether nobody said yet what a column is, nor that it is not used: either can be said, and is kept. */
export const isUnsaid = ({ field, why }: Column): boolean => field === null && why === null;

/** The same of a column with values. */
export const isUnused = (column: Column): boolean =>
  isUnsaid(column) && column.samples.length > 0 && !column.shownOnly;
