import { t } from '../core/language.ts';
import { eventsOn } from '../kinds/event/event-list.ts';
import { type LinksOf, linksTo } from '../kinds/link/link-list.ts';
import { tripsOn } from '../kinds/trip/trip-list.ts';
import { isDeleted, momentIn, numberIn, sideBySide } from '../records/listing.ts';
import type { AnswerRecord } from '../schema/answer.ts';
import type { TableFeed } from '../xlsx/write/write-book.ts';
import type { WrittenRow } from '../xlsx/write/written-book.ts';
import { amountOf, Decimal, productOf } from './decimal.ts';
import { NO_AMOUNT } from './figures.ts';
import { askNames, financeRows } from './finance-rows.ts';
import { contentOf, type FinanceFeeds, type FinanceWork, tellProgress } from './finance-work.ts';
import { groupIn, idIn } from './name-book.ts';
import { sentMutations } from './sent-mutations.ts';

/** The first rows that a sheet gets tell how wide its columns are. */
const BATCH = 200;

/** Hands rows on when there are enough of them. */
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

/** An event with what is linked to it. */
interface EventLines {
  readonly event: AnswerRecord;
  readonly lines: readonly AnswerRecord[];
}

/** An event that was read; without lines where it was taken away meanwhile. */
interface ReadEvent {
  readonly event: AnswerRecord;
  readonly lines: readonly AnswerRecord[] | null;
}

/** The events of the period, each with the sum of its arrangements and trips, and their lines. */
async function fillEvents(work: FinanceWork, events: TableFeed, lines: TableFeed): Promise<void> {
  const { context, definition, kind, lists } = work;
  const { resource } = definition.events;
  const of: LinksOf = { links: definition.lines.resource, parents: resource };
  const [eventRow, lineRow] = [
    financeRows('events', definition.events, work.setup),
    financeRows('lines', definition.lines, work.setup),
  ];
  const read = async (event: AnswerRecord, signal: AbortSignal): Promise<ReadEvent> => {
    const id = idIn(event[resource.id]);
    const linked = id === null ? [] : linksTo(context, of, id, { lists: lists.links, signal });
    const [lines] = await Promise.all([linked, askNames(definition.events, event, work.setup.names)]);
    return { event, lines };
  };
  const [eventRows, lineRows] = [new RowBuffer(events), new RowBuffer(lines)];
  const listed = eventsOn(context, resource, kind, { definitive: !kind.all, otherDays: lists.otherEvents });
  for await (const records of listed) {
    for await (const { event, lines } of sideBySide(records, context.concurrency, read)) {
      context.signal?.throwIfAborted();
      if (lines === null) continue;
      const found = { event, lines };
      const { amount, rows } = await linesOf(work, found, lineRow);
      await lineRows.add(rows);
      await eventRows.add([await eventOf(work, found, { amount, row: eventRow })]);
      tellProgress(work, work.figures.trips.count + work.figures.events.count);
    }
  }
  await lineRows.flush();
  await eventRows.flush();
}

type RowOf = ReturnType<typeof financeRows>;

async function linesOf(
  { definition, figures, trail }: FinanceWork,
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
    const untold = each === null || many === null ? null : `${line[quantity]} × ${line[price]}`;
    if (total !== null) amount = amount.plus(total);
    figures.lines.add(total);
    const key = `${idIn(event[events.resource.id])}/${numberIn(line, resource.child)}`;
    trail.add('lines', key, contentOf(sheet, line), total);
    rows.push(await rowOf(line, { worked: { 'line-total': total ?? untold }, told: { label } }));
  }
  return { amount, rows };
}

async function eventOf(
  work: FinanceWork,
  { event, lines }: EventLines,
  { amount, row }: { readonly amount: Decimal; readonly row: RowOf },
): Promise<WrittenRow> {
  const { definition, figures, trail } = work;
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
  trail.add('events', String(id), content, revenue);
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
  figures.events.count++;
  figures.events.revenue.add(revenue);
  figures.months.add(month, revenue);
  for (const [name, group] of [
    ...[['locations', definition.events.location] as const],
    ...[['types', definition.events.type] as const, ['managers', definition.events.manager] as const],
  ]) {
    const key = groupIn(event[group.member]);
    figures[name].add(key, revenue);
    if (name === 'locations') figures.inMatrix(key, month, revenue);
    if (key !== null && !figures.names[name].has(key))
      figures.names[name].set(key, group.names === null ? null : await setup.names.nameOf(group.names, key));
  }
}

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
      figures.trips.byEvent.add(idIn(record[event]), paid ?? Decimal.ZERO);
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
  count: t('count', 'telling'),
  posting: t('mutation', 'mutatie'),
} as const;

const STATES = {
  done: t('sent', 'verstuurd'),
  sending: t('unknown: no answer came', 'onbekend: er kwam geen antwoord'),
} as const;
