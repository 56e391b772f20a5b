import { dirname, join } from 'node:path';
import type { ResultSheet, ShownOutcome } from '../../../src/files/result-sheet.ts';
import type { PlacedFile } from '../../../src/files/write-aside.ts';
import { writeResult } from '../../../src/workbook/write-result.ts';
import { madeUp } from './rewrite-fixture.ts';

let count = 0;

/** Whether a made-up outcome leaves work to do. */
const wants = ({ cells }: ShownOutcome): boolean =>
  ['invalid', 'failed', 'conflict', 'unknown', 'not sent'].includes(String(cells[0]));

/**
 * A result in which only rows that need work are to be seen, beside its input: of the sheet named each row has the status that
 * `statuses` gives it, created where it gives none; null stands for none.
 */
export async function withOnlyProblems(
  file: string,
  name: string,
  statuses: Readonly<Record<number, string | null>>,
  more: Partial<ResultSheet> = {},
  only = true,
): Promise<{ target: string; notes: string[]; written: PlacedFile }> {
  const target = join(dirname(file), `uit-${count++}.xlsx`);
  const sheets = await madeUp(
    file,
    (row) => ({
      cells: [statuses[row] === undefined ? 'created' : (statuses[row] ?? null), row, null, null, null],
      tone: 'bad',
    }),
    more,
  );
  const chosen = sheets
    .filter((sheet) => sheet.name === name)
    .map((sheet) => ({ ...sheet, ...(only ? { shown: { wants, lastRow: 0 } } : {}) }));
  const written = await writeResult(target, chosen, { source: file });
  return { target, written, notes: written.notes.map(({ en }) => en) };
}
