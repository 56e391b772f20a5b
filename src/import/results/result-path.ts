import { existsSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { freeName } from '../../files/write-aside.ts';

const CSV_ENDINGS: ReadonlySet<string> = new Set(['.csv', '.txt', '.tsv']);
/** What workbooks with macros are named by; spreadsheet programs refuse one that is named otherwise. */
const MACRO_ENDINGS: ReadonlySet<string> = new Set(['.xlsm', '.xltm']);
/** The end of a result's own name: `NAME.result`, `NAME.result-2`, … */
const RESULT = /^(.+)\.result(?:-(\d{1,9}))?$/;

/**
 * Where the result goes: `--out`, else beside the input as `NAME.result.xlsx` (`.xlsm` where it has macros); a result that is imported in its turn
 * has its own result at the next number, `NAME.result-2.xlsx`.
 */
export function resultPath(input: string, out: string | undefined, onlyProblems = false): string {
  if (out !== undefined) return out;
  const ending = extname(input);
  const stem = basename(input, ending);
  const [, name = stem, number = '1'] = RESULT.exec(stem) ?? [];
  const tail = name === stem ? '' : `-${Number(number) + 1}`;
  return join(dirname(input), `${name}.result${tail}${endingFor(input, onlyProblems)}`);
}

function endingFor(input: string, onlyProblems: boolean): string {
  if (CSV_ENDINGS.has(extname(input).toLowerCase())) return '.csv';
  // A list of what needs work is a workbook of its own, without the macros.
  return hasMacros(input) && !onlyProblems ? '.xlsm' : '.xlsx';
}

/** Whether a workbook has macros, by its name. */
export function hasMacros(file: string): boolean {
  return MACRO_ENDINGS.has(extname(file).toLowerCase());
}

/** Whether a result is written as CSV, which holds one sheet. */
export function isCsv(target: string): boolean {
  return extname(target).toLowerCase() === '.csv';
}

/** Where the result of a plan goes whose file is not what it was: never over an earlier result, which may be all that is left of that file. */
export function planResultPath(input: string, out: string | undefined, onlyProblems = false): string {
  if (out !== undefined) return out;
  const target = resultPath(input, undefined, onlyProblems).replace(/\.xlsm$/i, '.xlsx');
  return existsSync(target) ? freeName(target) : target;
}
