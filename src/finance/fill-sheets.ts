import type { BigNumber } from 'bignumber.js';
import { sideBySide } from '../core/batches.ts';
import { ZERO } from '../core/decimal.ts';
import { t } from '../core/language.ts';
import { eventLists } from '../kinds/event-reads.ts';
import { tripLists } from '../kinds/trip.ts';
import { momentIn, numberIn } from '../records/existing-record.ts';
import { isDeleted, periodRecords } from '../records/listing.ts';
import { type AnswerRecord, memberAt } from '../schema/answer.ts';
import type { TableFeed } from '../xlsx/write/write-book.ts';
import type { WrittenRow } from '../xlsx/write/written-book.ts';
import { amountOf, GROUPS, NO_AMOUNT, productOf } from './figures.ts';
import { askNames, type BesideRecord, financeRows, NONE } from './finance-rows.ts';
import type { FinanceWork } from './finance-work.ts';
import { groupIn, idIn } from './name-lookup.ts';
import { contentOf } from './record-changes.ts';
import { sentMutations } from './sent-mutations.ts';

/** Fills the sheets as the lists come. Trips come first: an event's row holds the sum of its own. */
export async function fillFinance(work: FinanceWork): Promise<void> {
  await fillTrips(work);
  await fillEvents(work);
  await fillMutations(work);
}

async function fillTrips(work: FinanceWork): Promise<void> {
  const { context, scope, figures, snapshot } = work;
  const { trips } = work.definition;
  const rowOf = financeRows('trips', work);
  const written = new RowBuffer(work.feeds.trips);
  const ofTrips = { ...context, resource: trips.resource };
  for await (const records of periodRecords(ofTrips, tripLists(ofTrips), scope, work.otherDays.trips)) {
    context.signal?.throwIfAborted();
    const rows: WrittenRow[] = [];
    for (const record of records) {
      if (isDeleted(record)) {
        figures.trips.deleted++;
        continue;
      }
      const paid = amountOf(record[trips.price]);
      figures.trips.price.add(paid);
      figures.trips.cost.add(amountOf(record[trips.cost]));
      figures.trips.distance.add(amountOf(record[trips.distance]));
      figures.trips.byEvent.add(idIn(record[trips.event]), paid ?? ZERO);
      snapshot.add('trips', String(numberIn(record, trips.resource.id)), contentOf(trips, record), paid);
      rows.push(await rowOf(record, { label: memberAt(record, trips.eventLabel.split('.')) }));
    }
    await written.add(...rows);
    tellProgress(work);
  }
  await written.flush();
}

function tellProgress({ context, figures }: FinanceWork): void {
  const done = figures.trips.price.count + figures.events.revenue.count;
  context.onProgress?.({ stage: 'reading', of: RECORDS, done, total: null });
}

const RECORDS = t('trips and events', 'ritten en evenementen');

/** Rows of a batch: the first batch sets the widths of columns, however few records the first list has. */
const BATCH = 200;

/** Collects rows into batches. */
class RowBuffer {
  private readonly feed: TableFeed;
  private rows: WrittenRow[] = [];

  constructor(feed: TableFeed) {
    this.feed = feed;
  }

  async add(...rows: readonly WrittenRow[]): Promise<void> {
    this.rows.push(...rows);
    if (this.rows.length >= BATCH) await this.flush();
  }

  async flush(): Promise<void> {
    await this.feed.add(this.rows.splice(0));
  }
}

/** The events of the period, each with the sums of its arrangements and trips, and its arrangement lines. */
async function fillEvents(work: FinanceWork): Promise<void> {
  const { context, definition, scope, feeds } = work;
  const { resource } = definition.events;
  const eventRow = financeRows('events', work);
  const lineRow = financeRows('lines', work);
  const read = async (event: AnswerRecord, signal: AbortSignal) => {
    const id = idIn(event[resource.id]);
    const linked = id === null ? [] : work.links.of(id, signal);
    const [lines] = await Promise.all([linked, askNames('events', event, work)]);
    return { event, lines };
  };
  const [eventRows, lineRows] = [new RowBuffer(feeds.events), new RowBuffer(feeds.lines)];
  const ofEvents = { ...context, resource };
  const listed = periodRecords(ofEvents, eventLists(ofEvents, !scope.all), scope, work.otherDays.events);
  for await (const records of listed) {
    for await (const { event, lines } of sideBySide(records, context.concurrency, read)) {
      context.signal?.throwIfAborted();
      // The event was deleted meanwhile.
      if (lines === null) continue;
      let arrangements = ZERO;
      const rows: WrittenRow[] = [];
      for (const line of lines) {
        const { total, beside } = countLine(work, event, line);
        arrangements = arrangements.plus(total ?? ZERO);
        rows.push(await lineRow(line, beside));
      }
      await lineRows.add(...rows);
      await eventRows.add(await eventRow(event, await countEvent(work, event, lines.length, arrangements)));
      tellProgress(work);
    }
  }
  await lineRows.flush();
  await eventRows.flush();
}

/** Counts an arrangement line; returns its total, null for none, and what its row shows beside it. */
function countLine(
  { definition, figures, snapshot }: FinanceWork,
  event: AnswerRecord,
  line: AnswerRecord,
): { total: BigNumber | null; beside: BesideRecord } {
  const { events, lines } = definition;
  const [each, many] = [amountOf(line[lines.price]), amountOf(line[lines.quantity])];
  const total = productOf(each, many);
  const tooLarge = each === null || many === null ? null : `${line[lines.quantity]} × ${line[lines.price]}`;
  figures.lines.add(total);
  const key = `${idIn(event[events.resource.id])}/${numberIn(line, lines.resource.child)}`;
  snapshot.add('lines', key, contentOf(lines, line), total);
  return { total, beside: { 'line-total': total ?? tooLarge, label: event[events.label] } };
}

/** Counts an event with its lines; returns what its row shows beside it. */
async function countEvent(
  work: FinanceWork,
  event: AnswerRecord,
  lines: number,
  arrangements: BigNumber,
): Promise<BesideRecord> {
  const { definition, figures, snapshot } = work;
  const { resource, noRevenue, notInvoiced, location } = definition.events;
  const id = idIn(event[resource.id]);
  const { count, amount: trips } = id === null ? NO_AMOUNT : figures.trips.byEvent.take(id);
  const all = arrangements.plus(trips);
  const excluded = event[noRevenue] === true;
  const revenue = excluded ? ZERO : all;
  if (excluded) figures.noRevenue.add(all);
  if (event[notInvoiced] === true) figures.events.notInvoiced++;
  const month = momentIn(event, resource.date)?.slice(0, 7) ?? null;
  figures.events.revenue.add(revenue);
  figures.months.add(month, revenue);
  figures.addToMatrix(groupIn(event[location.member]), month, revenue);
  await countGroups(work, event, revenue);
  const content = [...contentOf(definition.events, event), arrangements.toFixed(), trips.toFixed()];
  snapshot.add('events', String(id), content, revenue);
  return { month, lines, 'trip-count': count, arrangements, trips, revenue };
}

async function countGroups(
  { definition, figures, names, language }: FinanceWork,
  event: AnswerRecord,
  revenue: BigNumber,
): Promise<void> {
  for (const name of GROUPS) {
    const { member, names: source, called } = definition.events[name];
    const key = groupIn(event[member]);
    const group = figures[name];
    group.add(key, revenue);
    if (group.names.has(key)) continue;
    const found = key === null ? NONE[language] : source && (await names.nameOf(source, key));
    group.names.set(key, found ?? `${called[language]} ${key}`);
  }
}

async function fillMutations(work: FinanceWork): Promise<void> {
  const { context, scope, figures, snapshot, language } = work;
  const { mutations } = work.definition;
  const rowOf = financeRows('mutations', work);
  const written = new RowBuffer(work.feeds.mutations);
  for await (const sent of sentMutations(context, mutations.resources, scope)) {
    context.signal?.throwIfAborted();
    await Promise.all(sent.map(({ record }) => askNames('mutations', record, work)));
    const rows: WrittenRow[] = [];
    for (const { posting, record, place } of sent) {
      const { id, at, run, seq, state } = posting;
      figures.mutations.count++;
      if (state !== 'done') figures.mutations.unknown++;
      const kind = place === null ? null : KINDS[place.kind][language];
      snapshot.add('mutations', `${run} ${seq}`, [state, ...contentOf(mutations, record)], null);
      rows.push(await rowOf(record, { id, at, run, ...place, state: STATES[state][language], kind }));
    }
    await written.add(...rows);
  }
  await written.flush();
}

const KINDS = {
  count: t('count', 'telling'),
  posting: t('mutation', 'mutatie'),
} as const;

const STATES = {
  done: t('sent', 'verstuurd'),
  sending: t('unknown: no answer came', 'onbekend: er kwam geen antwoord'),
} as const;
