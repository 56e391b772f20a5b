import { isWanted, type ResultSheet, type ShownOutcome } from '../files/result-sheet.ts';

/**
 * Whether the rows of a sheet that need nothing are hidden. Not where all would be: a sheet without visible rows would
 * look as if it had lost them.
 */
export async function hidesRows({
  onlyProblems,
  outcomes,
}: Pick<ResultSheet, 'onlyProblems' | 'outcomes'>): Promise<boolean> {
  if (onlyProblems !== true || outcomes === undefined) return false;
  for await (const outcome of outcomes) if (isWanted(outcome)) return true;
  return false;
}

/** Whether a row that was hidden or not is so in the result: never one that needs work. */
export function isHidden(before: boolean, outcome: ShownOutcome | undefined, hides: boolean): boolean {
  if (outcome === undefined) return before;
  if (isWanted(outcome)) return false;
  // A total has no status.
  return before || (hides && (outcome.cells[0] ?? '') !== '');
}
