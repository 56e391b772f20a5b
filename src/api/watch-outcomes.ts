import { type Language, onPage } from '../core/language.ts';
import type { Outcome, PlannedRow } from '../core/plan.ts';
import { aboutText, messageText, needsWork } from '../core/row-text.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { atLeisure } from '../queue/look.ts';
import type { AtWorkers } from '../queue/queued-runs.ts';
import type { QueueState } from '../queue/run-queue.ts';
import type { Session } from '../session/open-session.ts';

/** A row that needs work, as it came out while it was sent. */
export interface RowProblem {
  readonly sheet: string;
  readonly row: number;
  readonly status: string;
  /** The record's name and its keys. */
  readonly about: string;
  readonly message: string;
}

/** Hears of rows that were sent: how many came to what, and the problems among them. */
export type OnOutcomes = (counts: Readonly<Record<string, number>>, problems: readonly RowProblem[]) => void;

/** A session that tells of a run's outcomes as soon as they are in the ledger. */
export function watchOutcomes(session: Session, run: string, tell: OnOutcomes): Session {
  const { ledger } = session.context;
  const language = session.settings.lang;
  const watched: Ledger = Object.assign(Object.create(ledger) as Ledger, {
    async saveOutcomes(of: string, outcomes: readonly Outcome[]): Promise<void> {
      await ledger.saveOutcomes(of, outcomes);
      if (of === run) tell(countsOf(outcomes), await problemsIn(ledger, run, outcomes, language));
    },
  });
  return { ...session, context: { ...session.context, ledger: watched } };
}

/** Places whose rows are read together, and how often at most, ms. */
const [BLOCK, EVERY] = [500, 1000];

/**
 * Tells of a run that workers send, each time that it is looked at: where it is, and its outcomes from the
 * first on. What came of a row may become something else, such as one in doubt: counts go down too.
 */
export function watchWorkers(
  { context: { ledger }, settings }: Session,
  run: string,
  tell: { readonly outcomes: OnOutcomes; readonly where: (at: AtWorkers) => void },
): (now: QueueState) => Promise<void> {
  const marks = new Map<number, string>();
  const counted = new Map<number, Readonly<Record<string, number>>>();
  const told = new Set<number>();
  const readBlock = async (block: number): Promise<void> => {
    const rows = await ledger.readRows(run, { after: block * BLOCK - 1, limit: BLOCK });
    const outcomes = rows.flatMap(({ planned, outcome }) =>
      outcome === null || planned.seq >= (block + 1) * BLOCK ? [] : [outcome],
    );
    const counts = countsOf(outcomes);
    const changes: Record<string, number> = { ...counts };
    for (const [status, count] of Object.entries(counted.get(block) ?? {}))
      changes[status] = (changes[status] ?? 0) - count;
    counted.set(block, counts);
    const fresh = outcomes.filter(({ seq, status }) => needsWork(status) && !told.has(seq));
    for (const { seq } of fresh) told.add(seq);
    tell.outcomes(changes, await problemsIn(ledger, run, fresh, settings.lang));
  };
  const readChanged = atLeisure(EVERY, async () => {
    for (const { block, ...numbers } of await ledger.countBegun(run, BLOCK)) {
      const mark = JSON.stringify(numbers);
      // Rows in doubt and at work may come to something else before the numbers do.
      const isSettled = numbers.begun <= numbers.ended && (counted.get(block)?.unknown ?? 0) === 0;
      if (marks.get(block) === mark && isSettled) continue;
      marks.set(block, mark);
      await readBlock(block);
    }
  });
  return async (now) => {
    if (now.state === 'waiting') tell.where('waiting');
    if (now.state === 'sending') tell.where('working');
    if (now.state === 'failed' && now.again) tell.where('again');
    await readChanged(now.state === 'sent' || now.state === 'withdrawn' || now.state === 'failed');
  };
}

function countsOf(outcomes: readonly Outcome[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of outcomes) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

async function problemsIn(
  ledger: Ledger,
  run: string,
  outcomes: readonly Outcome[],
  language: Language,
): Promise<RowProblem[]> {
  const odd = outcomes.filter(({ status }) => needsWork(status));
  if (odd.length === 0) return [];
  const bySeq = new Map<number, PlannedRow>();
  for (const row of await ledger.rowsAt(
    run,
    odd.map(({ seq }) => seq),
  ))
    bySeq.set(row.seq, row);
  return odd.flatMap((outcome) => {
    const planned = bySeq.get(outcome.seq);
    if (planned === undefined) return [];
    const message = messageText({ planned, outcome }, language, onPage);
    const { sheet, row } = planned;
    return [{ sheet, row, status: outcome.status, about: aboutText(planned), message }];
  });
}
