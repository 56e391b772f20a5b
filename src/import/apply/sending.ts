import pLimit from 'p-limit';
import { EXIT, StopError } from '../../core/errors.ts';
import { issueAt } from '../../core/issue.ts';
import { type Bilingual, t } from '../../core/language.ts';
import type { Outcome, PlannedRow, Step } from '../../core/plan.ts';
import type { Values } from '../../core/value.ts';
import { kindOf } from '../../kinds/kinds.ts';
import { createLastApplied } from '../../records/last-applied.ts';
import { addressOf } from '../../records/mapped-row.ts';
import { createConflictKeeper } from '../../records/plan-on-baseline.ts';
import { NOTHING_READ } from '../../records/planning.ts';
import { sentRow } from '../../records/sent-before.ts';
import type { Context } from '../../run/context.ts';
import { FROM_PROXIES } from '../../service/failure.ts';
import { interruption, type RequestError } from '../../service/request-error.ts';
import { resourceNamed } from '../map/sheet-by-headers.ts';
import type { SentPlan } from '../plan/saved-plan.ts';
import { createLateWrites, type Places } from './row-chains.ts';

/** One step of a row, about to be sent. */
export interface Attempt {
  readonly planned: PlannedRow;
  readonly step: Step;
  /** Its place among the row's steps. */
  readonly at: number;
  readonly id: number | null;
  /** When an earlier try sent it without an answer; null when it was not sent before. */
  readonly doubt: string | null;
  /** Others may have changed its record since the plan: it is looked at right before it is sent. */
  readonly fresh: boolean;
}

/** It went through, or what became of the row. */
export type Sent = { readonly id: number | null; readonly body: Values } | { readonly ending: Ending };

/** What became of a row, but for its place and time. */
export type Ending = Pick<Outcome, 'status' | 'id' | 'message' | 'issues' | 'unfinished'>;

/** What sending works with, by resource. */
type Sendings = ReturnType<typeof createSendings>;

/** What sending the rows of one resource works with. */
export type Sending = ReturnType<Sendings['of']>;

/** Prepares one Sending a resource; all share one breaker, as they share one service. */
export function createSendings(
  context: Context,
  { run, sources, columns, locale }: SentPlan,
  aside: Places['aside'],
  /** What is in doubt is left as it is, to who sends the run after this program. */
  leaves: boolean,
) {
  const breaker = createBreaker(context);
  // Writes of records that may still arrive.
  const late = createLateWrites(context, run, aside);
  // Looks whether requests in doubt took effect, so many at once.
  const looking = pLimit(context.concurrency);
  /** Where a field of a row stands in the user's file; null when it has no column. */
  const addressIn = ({ sheet, row }: PlannedRow, field: string): string | null => {
    const own = columns.get(sheet);
    return own === undefined ? null : addressOf(own, field, row);
  };
  const shared = { context, run, addressOf: addressIn, locale, leaves, aside, breaker, late, looking };
  const make = (name: string) => {
    const resource = resourceNamed(context, name);
    const summary = sources.get(name) ?? NOTHING_READ;
    return {
      ...shared,
      resource,
      creates: createsUnderWay(),
      guard: kindOf(resource).guard({ ...context, resource, run, summary }),
      applied: createLastApplied({ ...context, resource }),
      conflicts: createConflictKeeper(context, name, run),
      /** Whether the service empties what an update does not send (`known`); one row at a time finds out. */
      whole: { known: undefined as boolean | undefined, turn: pLimit(1), notes: [] as Bilingual[] },
    };
  };
  const made = new Map<string, ReturnType<typeof make>>();
  return {
    breaker,
    late,
    of(name: string) {
      const sending = made.get(name) ?? make(name);
      made.set(name, sending);
      return sending;
    },
    /** What the user should know of the service, said once. */
    notes: (): Bilingual[] =>
      [...made.values()].flatMap(({ guard, whole }) => [
        ...(guard.notes?.() ?? []),
        ...whole.notes.splice(0),
      ]),
    /** To be called when all is sent: reads back what was written, and says on rows what was not kept of them. */
    async learn(): Promise<void> {
      await late.forgetPassed();
      for (const { guard, applied } of made.values()) {
        const losses = guard.readBack === undefined ? [] : await applied.readBack(guard.readBack);
        for (const [seq, findings] of losses) {
          const row = await sentRow(context, { run, seq });
          if (row?.outcome == null) continue;
          const issues = findings.map(({ field, ...finding }) =>
            issueAt(finding, { field, address: addressIn(row.planned, field) }),
          );
          const outcome = { ...row.outcome, issues: [...row.outcome.issues, ...issues] };
          await context.ledger.saveRow(run, seq, { outcome });
        }
      }
    },
  };
}

/** So many creates of a run are looked for in a list that is to be whole. */
const WITNESSES = 20;

/** The creates of a resource that are under way, and what was answered. */
function createsUnderWay() {
  const out = new Set<Promise<unknown>>();
  const made = new Set<number | null>();
  const first: { id: number | null; body: Values; at: number }[] = [];
  return {
    /** Takes what a create answered. */
    made(id: number | null, body: Values, at: number): void {
      made.add(id);
      if (first.length < WITNESSES) first.push({ id, body, at });
    },
    /** The ledger has it. */
    saved: (id: number | null): void => void made.delete(id),
    /** Takes the sending of a create. */
    begun(sent: Promise<unknown>): void {
      const over = sent.then(nothing, nothing).finally(() => out.delete(over));
      out.add(over);
    },
    async answered() {
      await Promise.all(out);
      return { ids: new Set(made), first };
    },
    /** The searches for those without an answer. */
    sought: new Set<Promise<unknown>>(),
  };
}

const nothing = (): void => {};

/** Nothing came back, or only that it is too busy; any other answer tells that the service is there. */
function away({ kind, status }: RequestError): boolean {
  if (kind === 'unreachable' || kind === 'busy') return true;
  return kind === 'lost' && (status === null || FROM_PROXIES.has(status));
}

/** How long a service must turn away what is not tried again by itself before a run ends, ms. */
const TURNED_AWAY = 2000;

/** A write that was turned away, and is in doubt all the same. */
export const isTurnedAway = (error: RequestError | null): boolean =>
  error?.status === 503 && error.mayHaveTakenEffect;

/** Ends a run that is interrupted, or in which so many rows in a row could not reach the service. */
function createBreaker({ concurrency, doubts, signal, time }: Context) {
  const limit = Math.max(8, concurrency);
  let rows = 0;
  let since = 0;
  let stop: StopError | null = null;
  const halt = (reason: StopError): void => {
    stop ??= reason;
    doubts.end();
  };
  return {
    /** The reason to stop, once there is one. */
    stop: (): StopError | null => stop ?? (signal?.aborted === true ? interruption(signal) : null),
    /** Ends the run for what a row found. */
    halt,
    /** Takes every row's end; null for one that went through. */
    note(error: RequestError | null): void {
      rows = error !== null && away(error) ? rows + 1 : 0;
      if (rows === 1) since = time.steady();
      if (rows < limit || (isTurnedAway(error) && time.steady() - since < TURNED_AWAY)) return;
      const message = t(
        `The service could not be reached for ${rows} rows in a row; the rest was not sent.`,
        `Het systeem was ${rows} rijen achter elkaar niet bereikbaar; de rest is niet verstuurd.`,
      );
      const next = t('Check the connection.', 'Kijk de verbinding na.');
      halt(new StopError(EXIT.service, message, { next }));
    },
  };
}
