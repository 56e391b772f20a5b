import { t } from '../core/language.ts';
import { eventsOn } from '../kinds/event/event-list.ts';
import { type LinkedResources, linksTo } from '../kinds/link/link-list.ts';
import { tripsOn } from '../kinds/trip/trip-list.ts';
import { isDeleted, momentIn, numberIn, sideBySide } from '../records/listing.ts';
import type { AnswerRecord } from '../schema/answer.ts';
import type { TableFeed } from '../xlsx/write/write-book.ts';
import type { WrittenRow } from '../xlsx/write/written-book.ts';
import { amountOf, Decimal, productOf } from './decimal.ts';
import { NO_AMOUNT } from './figures.ts';
import { askNames, financeRows } from './finance-rows.ts';
import { contentOf, type FinanceFeeds, type FinanceWork } from './finance-work.ts';
import { groupIn, idIn } from './name-lookup.ts';
import { sentMutations } from './sent-mutations.ts';

/** Fills the sheets as the lists come. Trips come first: an event's row holds the sum of its own. */
export async function fillFinance(work: FinanceWork, feeds: FinanceFeeds): Promise<void> {
  await fillTrips(work, feeds.trips);
  await fillEvents(work, feeds.events, feeds.lines);
  await fillMutations(work, feeds.mutations);
}

async function fillTrips(work: FinanceWork, feed: TableFeed): Promise<void> {
  const { context, definition, scope, figures, snapshot, lists } = work;
  const { trips } = definition;
  const { resource, event, price, cost, distance } = trips;
  const rowOf = financeRows('trips', trips, work.setup);
  for await (const records of tripsOn(context, resource, scope, lists.otherTrips)) {
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
      figures.trips.byEvent.add(idIn(record[event]), paid ?? Decimal.ZERO);
      snapshot.add('trips', String(numberIn(record, resource.id)), contentOf(trips, record), paid);
      rows.push(await rowOf(record));
    }
    await feed.add(rows);
    tellProgress(work);
  }
}

function tellProgress({ context, figures }: FinanceWork): void {
  const done = figures.trips.count + figures.events.count;
  context.onProgress?.({ stage: 'reading', done, total: null });
}

/** Rows of a batch: the first batch sets the widths of columns. */
const BATCH = 200;

/** Collects rows into batches. */
class RowBuffer {
  private readonly feed: TableFeed;
  private rows: WrittenRow[] = [];

  constructor(feed: TableFeed) {
    this.feed = feed;
  }

  async add(rows: readonly WrittenRow[]): Promise<void> {
    this.rows.push(...rows);
    if (this.rows.length >= BATCH) await this.flush();
  }

  async flush(): Promise<void> {
    await this.feed.add(this.rows.splice(0));
  }
}

/** An event with its arrangement lines. */
interface EventLines {
  readonly event: AnswerRecord;
  readonly lines: readonly AnswerRecord[];
}

/** The events of the period, each with the sums of its arrangements and trips, and its arrangement lines. */
async function fillEvents(work: FinanceWork, events: TableFeed, lines: TableFeed): Promise<void> {
  const { context, definition, scope, lists, setup } = work;
  const { resource } = definition.events;
  const of: LinkedResources = { links: definition.lines.resource, parents: resource };
  const eventRow = financeRows('events', definition.events, setup);
  const lineRow = financeRows('lines', definition.lines, setup);
  const read = async (event: AnswerRecord, signal: AbortSignal) => {
    const id = idIn(event[resource.id]);
    const linked = id === null ? [] : linksTo(context, of, id, { lists: lists.links, signal });
    const [lines] = await Promise.all([linked, askNames(definition.events, event, setup.names)]);
    return { event, lines };
  };
  const [eventRows, lineRows] = [new RowBuffer(events), new RowBuffer(lines)];
  const listed = eventsOn(context, resource, scope, {
    definitive: !scope.all,
    otherDays: lists.otherEvents,
  });
  for await (const records of listed) {
    for await (const { event, lines } of sideBySide(records, context.concurrency, read)) {
      context.signal?.throwIfAborted();
      // The event was deleted meanwhile.
      if (lines === null) continue;
      const found = { event, lines };
      const { amount, rows } = await linesOf(work, found, lineRow);
      await lineRows.add(rows);
      await eventRows.add([await eventOf(work, found, { amount, row: eventRow })]);
      tellProgress(work);
    }
  }
  await lineRows.flush();
  await eventRows.flush();
}

type RowOf = ReturnType<typeof financeRows>;

async function linesOf(
  { definition, figures, snapshot }: FinanceWork,
  { event, lines }: EventLines,
  rowOf: RowOf,
): Promise<{ readonly amount: Decimal; readonly rows: readonly WrittenRow[] }> {
  const { events, lines: sheet } = definition;
  const { resource, price, quantity } = sheet;
  const label = event[events.label];
  let amount = Decimal.ZERO;
  const rows: WrittenRow[] = [];
  for (const line of lines) {
    const [each, many] = [amountOf(line[price]), amountOf(line[quantity])];
    const total = productOf(each, many);
    const tooLarge = each === null || many === null ? null : `${line[quantity]} × ${line[price]}`;
    if (total !== null) amount = amount.plus(total);
    figures.lines.add(total);
    const key = `${idIn(event[events.resource.id])}/${numberIn(line, resource.child)}`;
    snapshot.add('lines', key, contentOf(sheet, line), total);
    rows.push(await rowOf(line, { worked: { 'line-total': total ?? tooLarge }, told: { label } }));
  }
  return { amount, rows };
}

async function eventOf(
  work: FinanceWork,
  { event, lines }: EventLines,
  { amount, row }: { readonly amount: Decimal; readonly row: RowOf },
): Promise<WrittenRow> {
  const { definition, figures, snapshot } = work;
  const { resource, noRevenue, notInvoiced } = definition.events;
  const id = idIn(event[resource.id]);
  const { count, amount: trips } = id === null ? NO_AMOUNT : figures.trips.byEvent.take(id);
  const all = amount.plus(trips);
  const excluded = event[noRevenue] === true;
  const revenue = excluded ? Decimal.ZERO : all;
  if (excluded) figures.noRevenue.add(all);
  if (event[notInvoiced] === true) figures.events.notInvoiced++;
  const month = momentIn(event, resource.date)?.slice(0, 7) ?? null;
  await countRevenue(work, event, month, revenue);
  const content = [...contentOf(definition.events, event), amount.text, trips.text];
  snapshot.add('events', String(id), content, revenue);
  const worked = {
    month,
    lines: Decimal.of(lines.length),
    'trip-count': Decimal.of(count),
    ...{ arrangements: amount, trips, revenue },
  };
  return await row(event, { worked });
}

async function countRevenue(
  { definition, figures, setup }: FinanceWork,
  event: AnswerRecord,
  month: string | null,
  revenue: Decimal,
): Promise<void> {
  const { location, type, manager } = definition.events;
  figures.events.count++;
  figures.events.revenue.add(revenue);
  figures.months.add(month, revenue);
  figures.addToMatrix(groupIn(event[location.member]), month, revenue);
  for (const [name, group] of [
    ['locations', location],
    ['types', type],
    ['managers', manager],
  ] as const) {
    const key = groupIn(event[group.member]);
    figures[name].add(key, revenue);
    if (key !== null && !figures.names[name].has(key))
      figures.names[name].set(key, group.names === null ? null : await setup.names.nameOf(group.names, key));
  }
}

async function fillMutations(work: FinanceWork, feed: TableFeed): Promise<void> {
  const { context, definition, scope, figures, snapshot, setup } = work;
  const { mutations: sheet } = definition;
  const { language, names } = setup;
  const rowOf = financeRows('mutations', sheet, setup);
  for await (const sent of sentMutations(context, sheet.resources, scope)) {
    context.signal?.throwIfAborted();
    await Promise.all(sent.map(({ record }) => askNames(sheet, record, names)));
    const rows: WrittenRow[] = [];
    for (const { posting, record, place } of sent) {
      const { id, at, run, seq, state } = posting;
      figures.mutations.count++;
      if (state !== 'done') figures.mutations.unknown++;
      const kind = place === null ? null : KINDS[place.kind][language];
      const told = { ...{ id, at, run, ...place }, state: STATES[state][language], kind };
      snapshot.add('mutations', `${run} ${seq}`, [state, ...contentOf(sheet, record)], null);
      rows.push(await rowOf(record, { told }));
    }
    await feed.add(rows);
  }
}

const KINDS = {
  count: t('count', 'telling'),
  posting: t('mutation', 'mutatie'),
} as const;

const STATES = {
  done: t('sent', 'verstuurd'),
  sending: t('unknown: no answer came', 'onbekend: er kwam geen antwoord'),
} as const;
