import { t } from '../../core/language.ts';
import type { Outcome } from '../../core/plan.ts';
import { eachRow, type Ledger, type StoredResult } from '../../ledger/ledger.ts';
import { tellText } from '../../records/posting-doubt.ts';
import { createdAllTheSameText, doubtText, lookedForAgainText } from './apply-texts.ts';

/**
 * A run's rows with what became of them by now. One that was sent, and whose answer is missing as the run was
 * ended or cut off, is `unknown`: it may be on the service.
 */
export async function* rowsNow(
  ledger: Ledger,
  run: string,
  filter?: { readonly sheet: string },
): AsyncGenerator<StoredResult, undefined> {
  for await (const row of eachRow(ledger, run, filter)) yield { ...row, outcome: outcomeNow(run, row) };
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
