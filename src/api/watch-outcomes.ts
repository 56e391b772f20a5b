import { type Language, onPage } from '../core/language.ts';
import type { Outcome } from '../core/plan.ts';
import { aboutText, messageText, needsWork } from '../core/row-text.ts';
import type { Ledger, RowState } from '../ledger/ledger.ts';
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

/** Hears of a row that was sent: what it came to, and its problem where it has one. */
export type OnOutcome = (status: string, problem: RowProblem | null) => void;

/** A session that tells of a run's outcomes as soon as they are in the ledger. */
export function watchOutcomes(session: Session, run: string, tell: OnOutcome): Session {
  const { ledger } = session.context;
  const language = session.settings.lang;
  const watched: Ledger = Object.assign(Object.create(ledger) as Ledger, {
    async saveRow(of: string, seq: number, now: RowState): Promise<void> {
      await ledger.saveRow(of, seq, now);
      if (of !== run || !now.outcome) return;
      tell(now.outcome.status, await problemIn(ledger, run, now.outcome, language));
    },
  });
  return { ...session, context: { ...session.context, ledger: watched } };
}

async function problemIn(
  ledger: Ledger,
  run: string,
  outcome: Outcome,
  language: Language,
): Promise<RowProblem | null> {
  const { seq, status } = outcome;
  if (!needsWork(status)) return null;
  const [{ planned } = {}] = await ledger.readRows(run, { after: seq - 1, limit: 1 });
  if (planned === undefined) return null;
  const message = messageText({ planned, outcome }, language, onPage);
  const { sheet, row } = planned;
  return { sheet, row, status, about: aboutText(planned), message };
}
