import { eachOf } from '../../core/batches.ts';
import { type Bilingual, t } from '../../core/language.ts';
import type { Outcome, PlannedRow } from '../../core/plan.ts';
import { type Ledger, rowPages, type StoredResult } from '../../ledger/ledger.ts';
import { tellText } from '../../records/posting-doubt.ts';
import { createdAllTheSameText, doubtText, lookedForAgainText } from './apply-texts.ts';

/** Which rows of a run, and whether a program is at it now. */
interface RowsOf {
  readonly sheet?: string | undefined;
  /** A program sends it now: a row that is out waits for its answer, and is no more than not done yet. */
  readonly busy?: boolean;
}

/**
 * A run's rows with what became of them by now. One that was sent, and whose answer is missing as the run was
 * ended or cut off, is `unknown`: it may be on the service.
 */
export const rowsNow = (
  ledger: Ledger,
  run: string,
  which: RowsOf = {},
): AsyncIterableIterator<StoredResult> => eachOf(pagesNow(ledger, run, which));

/** The same in pages, none empty. */
export async function* pagesNow(
  ledger: Ledger,
  run: string,
  { sheet, busy = false }: RowsOf = {},
): AsyncGenerator<StoredResult[], undefined> {
  const isSent = await isBegun(ledger, run);
  const filter = sheet === undefined ? {} : { sheet };
  for await (const rows of rowPages(ledger, run, filter))
    yield rows.map((row) => now(run, { isSent, busy }, row));
}

/** The same of the rows behind a place, at most `limit`. */
export async function rowsNowAfter(
  ledger: Ledger,
  run: string,
  { busy = false, ...page }: { readonly after: number; readonly limit: number; readonly busy?: boolean },
): Promise<StoredResult[]> {
  const isSent = await isBegun(ledger, run);
  return (await ledger.readRows(run, page)).map((row) => now(run, { isSent, busy }, row));
}

async function isBegun(ledger: Ledger, run: string): Promise<boolean> {
  const state = (await ledger.findRun(run))?.state;
  return state !== 'planned' && state !== 'planning';
}

function now(
  run: string,
  { isSent, busy }: { readonly isSent: boolean; readonly busy: boolean },
  row: StoredResult,
): StoredResult {
  const isOut = busy && row.outcome === null && row.progress?.sendingSince != null;
  if (isOut) return row;
  const isOpen = isSent && row.outcome === null && isRepeat(row.planned);
  return { ...row, outcome: isOpen ? repeatOutcome(row.planned, NOT_YET) : outcomeNow(run, row) };
}

/** Whether a row sends nothing because an earlier row writes the same: what becomes of that decides. */
export const isRepeat = ({ action, needs }: PlannedRow): boolean =>
  action === 'unchanged' && needs.length > 0;

/** What becomes of such a row; `why`: why the earlier one did not go through, null where it did. */
export const repeatOutcome = ({ seq, id, message }: PlannedRow, why: Bilingual | null): Outcome => ({
  ...{ seq, id, issues: [], at: null },
  ...(why === null ? { status: 'unchanged', message } : { status: 'not sent', message: why }),
});

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
