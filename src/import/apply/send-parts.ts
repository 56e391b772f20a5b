import type { StopError } from '../../core/errors.ts';
import { settledStatus } from '../../core/plan.ts';
import type { Ledger, StoredResult } from '../../ledger/ledger.ts';
import type { Part, Team } from '../../ledger/team.ts';
import type { Context } from '../../run/context.ts';
import { caughtStop } from '../../run/stop.ts';
import type { SentPlan } from '../plan/saved-plan.ts';
import { addressesIn, mayHaveWritten } from './apply-plan.ts';
import { createPlaces } from './places.ts';
import { type Blame, createRowChains, recordName } from './row-chains.ts';
import { createSender, type Sender } from './send-row.ts';
import { createSendings } from './sending.ts';

/** Rows at work beyond those whose requests are in flight: while one writes to the ledger, another sends. */
const AHEAD = 16;
/** Rows of a part that are read from the ledger at once. */
const PAGE = 500;

/**
 * Sends parts of a plan beside other programs until none is left: as `applyPlan` does, but for rows in doubt,
 * and those behind them. Whoever sends the run alone after that settles them, as only then no row of another
 * program can be taken for theirs. Answers what ended it early, else null.
 */
export async function sendParts(context: Context, plan: SentPlan, team: Team): Promise<StopError | null> {
  const { run } = plan;
  const { service, concurrency } = context;
  const places = createPlaces(() => Math.min(concurrency, service.stats.limit) + AHEAD);
  const { aside } = places;
  const sendings = createSendings(context, { ...plan, addressOf: addressesIn(plan), aside, leaves: true });
  const written = createWritten();
  const sender = createSender({ context, run, sendings }, 0, written.has);
  const under = new Set<Promise<void>>();
  const failed = await caughtStop(async () => {
    while (sender.stopped() === null) {
      const part = await team.take();
      if (part === undefined) break;
      const rows = await rowsOf(context.ledger, run, part);
      written.add(rows);
      const work = sendRows(context, rows, sender, places).then(async (isWhole) => {
        written.forget(rows);
        if (isWhole) await team.done(part);
      });
      const watched = work.finally(() => under.delete(watched));
      under.add(watched);
      // The next part is begun as places are free: no place waits for the last row of this one.
      await Promise.race([watched, roomIn(places)]);
    }
    await Promise.all(under);
  });
  if (failed !== null) await Promise.allSettled(under);
  return sender.stopped() ?? failed;
}

/** Resolves when rows that wait have all begun. */
async function roomIn(places: ReturnType<typeof createPlaces>): Promise<void> {
  do await places.freed();
  while (places.counts().waiting > 0);
}

/** Sends the rows of a part that have no outcome; tells whether all of them were taken up. */
async function sendRows(
  context: Context,
  rows: readonly StoredResult[],
  sender: Sender,
  places: ReturnType<typeof createPlaces>,
): Promise<boolean> {
  const chain = createRowChains(places.run, context);
  const works: Promise<Blame>[] = [];
  for (const result of rows) {
    const { planned, outcome } = result;
    if (outcome !== null || settledStatus(planned.action) !== null) continue;
    works.push(chain(planned, (blame) => sender.send(result, blame)));
  }
  await Promise.all(works);
  return sender.stopped() === null;
}

/** The rows of a part, with what became of them so far. */
async function rowsOf(
  ledger: Pick<Ledger, 'readRows'>,
  run: string,
  { places }: Part,
): Promise<StoredResult[]> {
  const found: StoredResult[] = [];
  for (const [first, last] of places)
    for (let next = first; next <= last; ) {
      const limit = Math.min(PAGE, last - next + 1);
      const rows = await ledger.readRows(run, { after: next - 1, limit });
      const own = rows.filter(({ planned }) => planned.seq <= last);
      found.push(...own);
      next = (own.at(-1)?.planned.seq ?? last) + 1;
    }
  return found;
}

/**
 * The records of the parts at hand that an earlier try of the run wrote, or may have: that they changed since
 * the plan read them is this run's own doing. Other parts name none of them.
 */
function createWritten() {
  const writers = new Map<string, Set<number>>();
  return {
    add(rows: readonly StoredResult[]): void {
      for (const row of rows) {
        const { planned } = row;
        if (!mayHaveWritten(row)) continue;
        const name = recordName(planned);
        if (name !== null) writers.set(name, (writers.get(name) ?? new Set()).add(planned.seq));
      }
    },
    forget(rows: readonly StoredResult[]): void {
      for (const { planned } of rows) writers.delete(recordName(planned) ?? '');
    },
    has(row: StoredResult['planned']): boolean {
      const rows = writers.get(recordName(row) ?? '');
      return rows !== undefined && (rows.size > 1 || !rows.has(row.seq));
    },
  };
}
