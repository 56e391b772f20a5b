import type { StopError } from '../../core/errors.ts';
import { settledStatus } from '../../core/plan.ts';
import type { Ledger, StoredResult } from '../../ledger/ledger.ts';
import type { Part, Team } from '../../ledger/team.ts';
import type { Context } from '../../run/context.ts';
import { caughtStop } from '../../run/stop.ts';
import type { SentPlan } from '../plan/saved-plan.ts';
import { addressesIn } from './apply-plan.ts';
import { createPlaces, type Places } from './places.ts';
import { type Blame, createRowChains } from './row-chains.ts';
import { createSender, type Sender } from './send-row.ts';
import { createSendings } from './sending.ts';

/** Rows of a part that are read from the ledger at once. */
const PAGE = 500;

/**
 * Sends parts of a plan beside other programs until none is left: as `applyPlan` does, but for rows in doubt,
 * and those behind them. Whoever sends the run alone after that settles them, as only then no row of another
 * program can be taken for theirs. Answers what ended it early, else null.
 */
export async function sendParts(context: Context, plan: SentPlan, team: Team): Promise<StopError | null> {
  const { run } = plan;
  const places = createPlaces(context);
  const { aside } = places;
  const sendings = createSendings(context, { ...plan, addressOf: addressesIn(plan), aside, leaves: true });
  const sender = createSender({ context, run, sendings }, 0);
  const under = new Set<Promise<void>>();
  const failed = await caughtStop(async () => {
    while (sender.stopped() === null) {
      const part = await team.take();
      if (part === undefined) break;
      const rows = await rowsOf(context.ledger, run, part);
      const work = sendRows(context, rows, sender, places).then(async (isWhole) => {
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
async function roomIn(places: Places): Promise<void> {
  do await places.freed();
  while (places.counts().waiting > 0);
}

/** Sends the rows of a part that have no outcome; tells whether all of them were taken up. */
async function sendRows(
  context: Context,
  rows: readonly StoredResult[],
  sender: Sender,
  places: Places,
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
