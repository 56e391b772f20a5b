import { eachOf } from '../../core/batches.ts';
import { t } from '../../core/language.ts';
import type { Outcome } from '../../core/plan.ts';
import { type Ledger, rowPages, type StoredResult } from '../../ledger/ledger.ts';
import { tellText } from '../../records/posting-doubt.ts';
import { createdAllTheSameText, doubtText, lookedForAgainText } from './apply-texts.ts';

/**
 * A run's rows with what became of them by now. One that was sent, and whose answer is missing as the run was
 * ended or cut off, is `unknown`: it may be on the service.
 */
export const rowsNow = (...of: Parameters<typeof pagesNow>) => eachOf(pagesNow(...of));

/**
 * The same in pages, none empty. `busy`: a program sends it now, and a row that waits for an answer, or for its next
 * request, is no more than not done yet.
 */
export async function* pagesNow(
  ledger: Ledger,
  run: string,
  { sheet, busy = false }: { readonly sheet?: string | undefined; readonly busy?: boolean | undefined } = {},
): AsyncGenerator<StoredResult[], undefined> {
  for await (const rows of rowPages(ledger, run, sheet === undefined ? {} : { sheet }))
    yield rows.map((row) => rowNow(run, row, busy));
}

/** A row of a run with what became of it by now. */
export function rowNow(run: string, row: StoredResult, busy: boolean): StoredResult {
  return busy ? row : { ...row, outcome: outcomeNow(run, row) };
}

function outcomeNow(run: string, { planned, outcome, progress }: StoredResult): Outcome | null {
  if (outcome !== null || progress === null) return outcome;
  const { done, sendingSince } = progress;
  const id = progress.id ?? planned.id;
  const left = { seq: planned.seq, id, issues: [] } as const;
  if (sendingSince !== null) {
    const at = sendingSince.slice(0, SECOND);
    // What became of a posting no look tells.
    const isPost = planned.steps[done]?.purpose === 'post';
    const next = isPost ? tellText(run, planned, null) : lookedForAgainText(run);
    return { ...left, status: 'unknown', at, message: doubtText(at, next) };
  }
  if (done === 0 || planned.steps[0]?.purpose !== 'create') return null;
  return { ...left, status: 'not sent', at: null, message: createdAllTheSameText(id, NOT_YET) };
}

/** The length of a moment to the second. */
const SECOND = 19;

const NOT_YET = t('it was not sent yet', 'dat is nog niet verstuurd');
