import { type Language, onPage } from '../core/language.ts';
import type { Outcome } from '../core/plan.ts';
import { aboutText, messageText, needsWork } from '../core/row-text.ts';
import type { Ledger } from '../ledger/ledger.ts';
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
type OnOutcomes = (counts: Readonly<Record<string, number>>, problems: readonly RowProblem[]) => void;

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
  const problems: RowProblem[] = [];
  for (const outcome of odd) {
    const [{ planned } = {}] = await ledger.readRows(run, { after: outcome.seq - 1, limit: 1 });
    if (planned === undefined) continue;
    const message = messageText({ planned, outcome }, language, onPage);
    const { sheet, row } = planned;
    problems.push({ sheet, row, status: outcome.status, about: aboutText(planned), message });
  }
  return problems;
}
