import type { DataValidation } from 'exceljs';
import type { CellCheck } from './template-book.ts';

/** What Excel accepts in a message, in characters. */
const LONGEST = { title: 32, prompt: 255, error: 225 } as const;

type Check = Pick<DataValidation, 'operator' | 'formulae'> & {
  readonly type: DataValidation['type'] | 'any';
};

const LARGEST = 999_999_999_999;

function typed(check: CellCheck): Check {
  switch (check.type) {
    case 'whole':
      return { type: 'whole', operator: 'greaterThanOrEqual', formulae: [0] };
    case 'decimal':
      return { type: 'decimal', operator: 'between', formulae: [-LARGEST, LARGEST] };
    case 'date':
      return { type: 'date', operator: 'greaterThanOrEqual', formulae: [new Date(Date.UTC(1900, 2, 1))] };
    case 'time':
      // A day may stand before the time.
      return { type: 'decimal', operator: 'greaterThanOrEqual', formulae: [0] };
    case 'list':
      return { type: 'list', formulae: [listFormula(check)] };
    case 'any':
      return { type: 'any', formulae: [] };
  }
}

/** A few words stand in the formula itself; longer lists have a name. */
function listFormula({ list = [] }: CellCheck): string {
  return 'name' in list ? list.name : `"${list.join(',')}"`;
}

/** A check as exceljs writes it; blank cells always pass. */
export function dataValidation(header: string, check: CellCheck): DataValidation {
  const title = clipped(header, LONGEST.title);
  const refuses = check.type !== 'any';
  return {
    ...typed(check),
    allowBlank: true,
    showInputMessage: true,
    promptTitle: title,
    prompt: clipped(check.prompt, LONGEST.prompt),
    showErrorMessage: refuses,
    ...(refuses
      ? { errorStyle: check.style, errorTitle: title, error: clipped(check.error, LONGEST.error) }
      : {}),
  } as DataValidation;
}

function clipped(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
}
