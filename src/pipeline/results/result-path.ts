import { basename, dirname, extname, join } from 'node:path';

const CSV_ENDINGS: ReadonlySet<string> = new Set(['.csv', '.txt', '.tsv']);
/** The end of a result's own name: `NAME.result`, `NAME.result-2`, … */
const RESULT = /^(.+)\.result(?:-(\d{1,9}))?$/;

/**
 * Where the result goes: `--out`, else beside the input as `NAME.result.xlsx`; a result that is imported in its turn
 * has its own result at the next number, `NAME.result-2.xlsx`.
 */
export function resultPath(input: string, out: string | undefined): string {
  if (out !== undefined) return out;
  const ending = extname(input);
  const stem = basename(input, ending);
  const [, name = stem, number = '1'] = RESULT.exec(stem) ?? [];
  const tail = name === stem ? '' : `-${Number(number) + 1}`;
  return join(
    dirname(input),
    `${name}.result${tail}${CSV_ENDINGS.has(ending.toLowerCase()) ? '.csv' : '.xlsx'}`,
  );
}

/** Whether a result is written as CSV, which holds one sheet. */
export function isCsv(target: string): boolean {
  return extname(target).toLowerCase() === '.csv';
}
