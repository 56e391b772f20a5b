import { type Counts, countedAs, noCounts, plannedAs } from '../../core/counts.ts';
import type { StopError } from '../../core/errors.ts';
import type { Bilingual } from '../../core/language.ts';
import { type PlannedRow, type RowResult, settledStatus } from '../../core/plan.ts';
import { type SheetCounts, totalCounts } from '../../core/plan-report.ts';
import { kindOf } from '../../kinds/kinds.ts';
import { eachRow, type Ledger, rowPages } from '../../ledger/ledger.ts';
import { type Context, wallClock } from '../../run/context.ts';
import { correctedStop, rememberAtWork } from '../../run/runs.ts';
import { caughtStop } from '../../run/stop.ts';
import type { SentPlan } from '../plan/saved-plan.ts';
import { rowsNow } from './outcomes.ts';
import { type Blame, createLastDeletes, createPlaces, createRowChains, type Places } from './row-chains.ts';
import { createSender } from './send-row.ts';
import { createSendings } from './sending.ts';

/** What became of a plan. */
export interface Applied {
  readonly counts: Counts;
  readonly sheets: readonly SheetCounts[];
  readonly notes: readonly Bilingual[];
  /** Why the run ended before its end; null when it did not. */
  readonly stopped: StopError | null;
  /** Others send it still: a row that is out waits for its answer there. */
  readonly busy?: boolean;
}

/** Most rows that wait for a free place, or behind those that have one. */
const WAITING = 500;
/** Most rows in doubt, and behind such. */
const IN_DOUBT = 20_000;

/**
 * Sends a plan's rows: side by side up to the concurrency, rows on one record in file order, rows that need a
 * record of another sheet after it, deletes of what others refer to last. Rows that have an outcome are left
 * alone, so that an interrupted run goes on. When this returns, the outcome of every row sent is in the
 * ledger. Whatever ends the run early is in `stopped`, never an exception.
 */
export async function applyPlan(context: Context, plan: SentPlan): Promise<Applied> {
  const { run } = plan;
  const places = createPlaces(context);
  const sendings = createSendings(context, plan, places.aside, false);
  const planned = totalCounts(plan.sheets);
  const toSend = planned.created + planned.updated + planned.deleted;
  // Those of a run that goes on which have an outcome stand among them.
  const sender = createSender({ context, run, sendings }, toSend, await context.ledger.countEnded(run));
  await rememberTold(context, plan);
  const last = createLastDeletes(context, run);
  /** Sends the rows of one round that have no outcome yet; `blameOf`: the row for which another one is not sent. */
  const round = async (
    isOf: (row: PlannedRow) => boolean,
    blameOf: (row: PlannedRow) => Blame = () => null,
  ): Promise<void> => {
    const chain = createRowChains(places.run, context);
    const waiting = new Set<Promise<unknown>>();
    for await (const result of eachRow(context.ledger, run, { pending: true })) {
      const row = result.planned;
      if (sender.stopped() !== null) break;
      if (settledStatus(row.action) !== null || !isOf(row)) continue;
      const work = chain(row, (blame) => sender.send(result, blame ?? blameOf(row))).finally(() =>
        waiting.delete(work),
      );
      waiting.add(work);
      while (isFull(places, waiting.size)) await places.freed();
    }
    await Promise.all(waiting);
  };
  await round((row) => !last.waits(row));
  if (sender.stopped() === null && last.rounds().length > 0) {
    const blameOf = await last.findBlame();
    for (const resource of last.rounds()) await round((row) => row.resource === resource, blameOf);
  }
  // What ends the looks after it must not keep a run from being written down.
  const cut = await caughtStop(async () => {
    if (sender.stopped() === null) await sendings.learn();
  });
  const stopped = sender.stopped() ?? cut;
  const sheets: SheetCounts[] = [];
  for (const { sheet, resource, counts } of plan.sheets) {
    const now = await countNow(context.ledger, run, { sheet });
    // As the plan has it, so that missing rows show.
    sheets.push({ sheet, resource, counts: { ...now, read: counts.read } });
  }
  const counts = totalCounts(sheets);
  const state = stopped === null ? 'done' : 'interrupted';
  const unwritten = await caughtStop(() => context.ledger.updateRun(run, { state, counts }));
  return { counts, sheets, notes: sendings.notes(), stopped: stopped ?? unwritten };
}

/** The fact that says which user of the machine sent a run, the last one where it was continued. */
export const whoSent = (run: string): string => `who sent ${run}`;

const SENDABLE = ['planned', 'applying', 'interrupted', 'done'] as const;

/**
 * Writes down that a plan is sent from now on, before the first of it is. Throws StopError (usage) where it was
 * corrected on the page, or planned anew, since it was opened: nobody saw what it would send now.
 */
export async function beginSending(
  { ledger, serviceKey, exclusive, user }: Context,
  { run }: SentPlan,
): Promise<void> {
  if (!(await ledger.updateRun(run, { state: 'applying' }, SENDABLE))) throw correctedStop(run);
  if (user !== undefined) await ledger.rememberFact(serviceKey, whoSent(run), user);
  if (exclusive) await rememberAtWork(ledger, run);
}

/** Remembers what rows tell whatever becomes of them, such as a count that equals the total. */
export async function rememberTold(context: Context, { run, sheets }: SentPlan): Promise<void> {
  const { ledger, serviceKey, resources, time } = context;
  for (const { name } of resources.filter((one) => kindOf(one).tells === true))
    for (const { sheet } of sheets.filter(({ resource }) => resource === name))
      for await (const page of rowPages(ledger, run, { sheet })) {
        const told = page.map(async ({ planned: { action, seq, fact, posted = [] } }) => {
          // A fact that an earlier run told, and a count that it told or posted, stays as it is.
          if (fact !== undefined && (await ledger.findFact(serviceKey, fact[0])) === undefined)
            await ledger.rememberFact(serviceKey, ...fact);
          const [fingerprint, ...also] = posted;
          if (action !== 'unchanged' || fingerprint === undefined) return;
          const own = { fingerprint, run, seq, at: wallClock(time.now()), id: null };
          await ledger.claimPosting(serviceKey, name, { ...own, state: 'done' }, also);
        });
        await Promise.all(told);
      }
}

/** Whether no more rows are to be begun: those in doubt, and those behind them, leave room for others. */
function isFull(places: Places, waiting: number): boolean {
  const { busy, aside } = places.counts();
  return waiting >= IN_DOUBT || (aside === 0 ? waiting : busy) >= WAITING;
}

/** What became of a run's rows by now, or of those of one sheet. */
export async function countNow(
  ledger: Ledger,
  run: string,
  filter?: Parameters<typeof rowsNow>[2],
): Promise<Counts> {
  const counts = noCounts();
  for await (const row of rowsNow(ledger, run, filter)) {
    counts.read++;
    counts[countOf(row)]++;
  }
  return counts;
}

/** The count that a row belongs to: by what became of it by now, or in a dry run by what would. */
export function countOf({ planned, outcome }: RowResult, dryRun = false): Exclude<keyof Counts, 'read'> {
  if (dryRun && outcome === null) return plannedAs(planned.action);
  return countedAs(outcome?.status ?? settledStatus(planned.action) ?? 'not sent');
}
