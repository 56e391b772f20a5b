import type { TableFeed } from '../../../workbook/write/write-book.ts';
import type { WrittenRow } from '../../../workbook/write/written-sheet.ts';
import { isDeleted, numberIn } from '../lists/record-members.ts';
import { tripsOn } from '../lists/trips.ts';
import { amountOf, Exact } from './exact.ts';
import { fillEvents } from './fill-events.ts';
import { askNames, financeRows } from './finance-rows.ts';
import { contentOf, type FinanceFeeds, type FinanceWork, tellProgress } from './finance-work.ts';
import { idIn } from './name-book.ts';
import { sentMutations } from './sent-mutations.ts';

/** Fills the sheets as the lists come, a batch of rows at a time. Trips come first, as the row of an event has those of its own. */
export async function fillFinance(work: FinanceWork, feeds: FinanceFeeds): Promise<void> {
  await fillTrips(work, feeds.trips);
  await fillEvents(work, feeds.events, feeds.lines);
  await fillMutations(work, feeds.mutations);
}

async function fillTrips(work: FinanceWork, feed: TableFeed): Promise<void> {
  const { context, definition, kind, figures, trail, lists } = work;
  const { trips } = definition;
  const { resource, event, price, cost, distance } = trips;
  const rowOf = financeRows('trips', trips, work.setup);
  for await (const records of tripsOn(context, resource, kind, lists.otherTrips)) {
    context.signal?.throwIfAborted();
    const rows: WrittenRow[] = [];
    for (const record of records) {
      if (isDeleted(record)) {
        figures.trips.deleted++;
        continue;
      }
      const paid = amountOf(record[price]);
      figures.trips.count++;
      figures.trips.price.add(paid);
      figures.trips.cost.add(amountOf(record[cost]));
      figures.trips.distance.add(amountOf(record[distance]));
      figures.trips.byEvent.add(idIn(record[event]), paid ?? Exact.ZERO);
      trail.add('trips', String(numberIn(record, resource.id)), contentOf(trips, record), paid);
      rows.push(await rowOf(record));
    }
    await feed.add(rows);
    tellProgress(work, figures.trips.count);
  }
}

async function fillMutations(work: FinanceWork, feed: TableFeed): Promise<void> {
  const { context, definition, kind, figures, trail, setup } = work;
  const rowOf = financeRows('mutations', definition.mutations, setup);
  for await (const sent of sentMutations(context, definition.mutations.resources, kind)) {
    context.signal?.throwIfAborted();
    await Promise.all(sent.map(({ record }) => askNames(definition.mutations, record, setup.names)));
    const rows: WrittenRow[] = [];
    for (const { posting, record, place } of sent) {
      figures.mutations.count++;
      if (posting.state !== 'done') figures.mutations.unknown++;
      const { id, at, run, state } = posting;
      const kind = place === null ? null : KINDS[place.kind][setup.language];
      const told = { ...{ id, at, run, ...place }, state: STATES[state][setup.language], kind };
      trail.add(
        'mutations',
        `${run} ${posting.seq}`,
        [state, ...contentOf(definition.mutations, record)],
        null,
      );
      rows.push(await rowOf(record, { told }));
    }
    await feed.add(rows);
  }
}

const KINDS = {
  count: { en: 'count', nl: 'telling' },
  posting: { en: 'mutation', nl: 'mutatie' },
} as const;

const STATES = {
  done: { en: 'sent', nl: 'verstuurd' },
  sending: { en: 'unknown: no answer came', nl: 'onbekend: er kwam geen antwoord' },
} as const;
