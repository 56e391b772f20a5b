import type { BigNumber } from 'bignumber.js';
import { sideBySide } from '../core/batches.ts';
import { ZERO } from '../core/codecs/number.ts';
import { type Language, t } from '../core/language.ts';
import type { PlannedRow } from '../core/plan.ts';
import { eventLists } from '../kinds/event-reads.ts';
import { tripLists } from '../kinds/trip.ts';
import type { Posting } from '../ledger/ledger.ts';
import type { LinkLists } from '../lists/lists.ts';
import { momentIn, numberIn } from '../records/existing-record.ts';
import { isDeleted, type OtherDays, periodRecords } from '../records/listing.ts';
import { referredId } from '../records/references.ts';
import type { Context } from '../run/context.ts';
import { type AnswerRecord, memberAt } from '../schema/answer.ts';
import type { FinanceDefinition } from '../schema/finance-definition.ts';
import { idIn } from '../template/record-names.ts';
import type { TableFeed } from '../xlsx/write/write-book.ts';
import type { WrittenRow } from '../xlsx/write/written-book.ts';
import { amountOf, type FinanceFigures, GROUPS, productOf } from './figures.ts';
import { type BesideRecord, type financeRows, groupIn } from './finance-rows.ts';
import type { exportedRecords, FinanceScope, TableSheet } from './record-changes.ts';

/** A finance export under way. */
export interface FinanceWork {
  readonly context: Context;
  readonly definition: FinanceDefinition;
  readonly scope: FinanceScope;
  readonly language: Language;
  /** It is a CSV of the bookings, and no workbook. */
  readonly csv: boolean;
  /** The sheets that rows are written to. */
  readonly feeds: Readonly<Record<TableSheet, TableFeed>>;
  readonly rows: ReturnType<typeof financeRows>;
  readonly figures: FinanceFigures;
  readonly records: ReturnType<typeof exportedRecords>;
  /** What became of the lists of arrangements. */
  readonly links: LinkLists;
  /** Records of other days that came with the lists. */
  readonly otherDays: Readonly<Record<'events' | 'trips', OtherDays>>;
}

/** Fills the sheets as the lists come. Trips come first: an event's row holds the sum of its own. */
export async function fillFinance(work: FinanceWork): Promise<void> {
  await fillEvents(work, await fillTrips(work));
  await fillMutations(work);
}

/** Lines of the bookings by event, as JSON: a fraction of the memory that as many objects take. */
type TripBookings = ReadonlyMap<number | null, readonly string[]>;

/** A line of the bookings, without what its event tells. */
type Booking = BesideRecord & { readonly total: BigNumber | null };

/** What an arrangement or a trip is booked as. */
function bookingOf(
  { definition: { bookings }, language }: FinanceWork,
  of: keyof typeof SOURCES,
  record: AnswerRecord,
  total: BigNumber | null,
): Booking {
  const told = Object.entries(bookings.of[of]).map(([name, path]) => [
    name,
    memberAt(record, path.split('.')),
  ]);
  return { ...Object.fromEntries(told), total, of: SOURCES[of][language] };
}

const unpacked = (booking: string): Booking => {
  const told = JSON.parse(booking) as BesideRecord;
  return { ...told, total: amountOf(told.total) };
};

const SOURCES = { lines: t('Arrangement', 'Arrangement'), trips: t('Trip', 'Rit') } as const;

/** Returns what the trips are booked as, once their events are known. */
async function fillTrips(work: FinanceWork): Promise<TripBookings> {
  const bookings = new Map<number | null, string[]>();
  const { context, definition, scope, figures, records, otherDays } = work;
  const { trips } = definition;
  const rowOf = work.rows.of('trips');
  const written = rowBuffer(work.feeds.trips);
  const ofTrips = { ...context, resource: trips.resource };
  for await (const listed of periodRecords(ofTrips, tripLists(ofTrips), scope, otherDays.trips)) {
    context.signal?.throwIfAborted();
    for (const record of listed) {
      if (isDeleted(record)) {
        figures.marked.deleted++;
        continue;
      }
      const paid = amountOf(record[trips.price]);
      const event = idIn(record[trips.event]);
      const own = bookings.get(event) ?? [];
      own.push(JSON.stringify(bookingOf(work, 'trips', record, paid)));
      if (event !== null) bookings.set(event, own);
      figures.trips.price.add(paid);
      figures.trips.cost.add(amountOf(record[trips.cost]));
      figures.trips.distance.add(amountOf(record[trips.distance]));
      figures.tripsByEvent.add(event, paid ?? ZERO);
      records.add('trips', String(numberIn(record, trips.resource.id)), record, paid);
      await written.add(await rowOf(record, { label: memberAt(record, trips.eventLabel.split('.')) }));
    }
    tellProgress(work);
  }
  await written.flush();
  return bookings;
}

function tellProgress({ context, figures }: FinanceWork): void {
  const done = figures.trips.price.count + figures.events.count;
  context.onProgress?.({ stage: 'reading', of: RECORDS, done, total: null });
}

const RECORDS = t('trips and events', 'ritten en evenementen');

/** Rows of a batch: the first batch sets the widths of columns, however few records the first list has. */
const BATCH = 200;

/** Collects rows into batches. */
function rowBuffer(feed: TableFeed) {
  const rows: WrittenRow[] = [];

  async function add(row: WrittenRow): Promise<void> {
    if (rows.push(row) >= BATCH) await flush();
  }

  async function flush(): Promise<void> {
    await feed.add(rows.splice(0));
  }

  return { add, flush };
}

/**
 * The events of the period, each with the sums of its arrangements and trips, its arrangement lines, and what
 * both are booked as where they count as revenue.
 */
async function fillEvents(work: FinanceWork, trips: TripBookings): Promise<void> {
  const { context, definition, scope, feeds, figures, records, rows } = work;
  const { events, lines } = definition;
  const { resource } = events;
  const [eventRow, lineRow, bookingRow] = [rows.of('events'), rows.of('lines'), rows.of('bookings')];
  const read = async (event: AnswerRecord, signal: AbortSignal) => {
    const id = idIn(event[resource.id]);
    const linked = id === null ? [] : work.links.of(id, signal);
    const [links] = await Promise.all([linked, rows.ask('events', event), rows.ask('bookings', event)]);
    return { event, id, links };
  };
  const [eventRows, lineRows] = [rowBuffer(feeds.events), rowBuffer(feeds.lines)];
  const bookingRows = rowBuffer(feeds.bookings);
  const ofEvents = { ...context, resource };
  const lists = eventLists(ofEvents, !scope.all);
  for await (const listed of periodRecords(ofEvents, lists, scope, work.otherDays.events)) {
    for await (const { event, id, links } of sideBySide(listed, context.concurrency, read)) {
      context.signal?.throwIfAborted();
      // The event was deleted meanwhile.
      if (links === null) continue;
      let arrangements = ZERO;
      const bookings: Booking[] = [];
      for (const line of links) {
        const total = productOf(amountOf(line[lines.price]), amountOf(line[lines.quantity]));
        arrangements = arrangements.plus(total ?? ZERO);
        figures.lines.add(total);
        bookings.push(bookingOf(work, 'lines', line, total));
        records.add('lines', `${id}/${numberIn(line, lines.resource.child)}`, line, total);
        await lineRows.add(await lineRow(line, { 'line-total': total, label: event[events.label] }));
      }
      const sums = countEvent(work, event, id, arrangements);
      if (id !== null) for (const booking of trips.get(id) ?? []) bookings.push(unpacked(booking));
      if (event[events.noRevenue] !== true)
        for (const booking of bookings) {
          figures.bookings.add(booking.total);
          await bookingRows.add(await bookingRow(event, booking));
        }
      await eventRows.add(await eventRow(event, { ...sums, arrangements, lines: links.length }));
      tellProgress(work);
    }
  }
  for (const written of [lineRows, eventRows, bookingRows]) await written.flush();
}

/** Counts an event with its lines; returns what its row shows of that. */
function countEvent(work: FinanceWork, event: AnswerRecord, id: number | null, arrangements: BigNumber) {
  const { definition, figures, records } = work;
  const { resource, noRevenue, notInvoiced } = definition.events;
  const { count, amount: trips } = id === null ? NO_TRIPS : figures.tripsByEvent.of(id);
  figures.ownTrips.add(trips, count);
  const all = arrangements.plus(trips);
  const excluded = event[noRevenue] === true;
  const revenue = excluded ? ZERO : all;
  if (excluded) figures.noRevenue.add(all);
  if (event[notInvoiced] === true) figures.marked.notInvoiced++;
  const month = momentIn(event, resource.date)?.slice(0, 7) ?? null;
  figures.events.add(revenue);
  figures.months.add(month, revenue);
  for (const group of GROUPS) figures[group].add(groupIn(event[definition.events[group].member]), revenue);
  records.add('events', String(id), event, revenue, arrangements.toFixed(), trips.toFixed());
  return { month, 'trip-count': count, trips, revenue };
}

const NO_TRIPS = { count: 0, amount: ZERO };

/** Postings read at once: the ledger looks through all of a kind for each page of them. */
const POSTINGS = 5000;
/** Rows of a plan read at once. */
const PLANNED = 500;

/** The stock mutations that this program sent on these days by this machine's clock; lost answers included. */
async function fillMutations(work: FinanceWork): Promise<void> {
  const { context, definition, scope, figures, records, language, rows } = work;
  const { resources } = definition.mutations;
  const names = resources.map(({ name }) => name);
  // As text, moments of the last day sort after the day alone and before the day with a `~`.
  const days = { from: scope.from, before: `${scope.to}~`, limit: POSTINGS };
  const rowOf = rows.of('mutations');
  const written = rowBuffer(work.feeds.mutations);
  const plannedFor = planReader(context);
  let page: readonly Posting[] = [];
  do {
    const after: Posting | null = page.at(-1) ?? null;
    page = await context.ledger.listPostings(context.serviceKey, names, { ...days, after });
    const sent = [];
    for (const posting of page) {
      const planned = await plannedFor(posting);
      const resource = resources.find(({ name }) => name === planned?.resource);
      const body = planned?.steps.find(({ purpose }) => purpose === 'post')?.body;
      // Where the run's plan is gone, nothing more is known.
      if (planned === undefined || resource === undefined) sent.push({ posting, record: {}, beside: {} });
      else if (body !== undefined) {
        const { sheet, row } = planned;
        const record = { ...body, [resource.product]: await referredId(context, body[resource.product]) };
        sent.push({ posting, record, beside: { sheet, row, kind: KINDS[resource.kind][language] } });
      }
      // A count that was told and posted nothing is no mutation.
    }
    await Promise.all(sent.map(({ record }) => rows.ask('mutations', record)));
    for (const { posting, record, beside } of sent) {
      context.signal?.throwIfAborted();
      const { id, at, run, seq, state } = posting;
      figures.mutations.add(ZERO);
      if (state !== 'done') figures.marked.unknown++;
      records.add('mutations', `${run} ${seq}`, record, null, state);
      await written.add(await rowOf(record, { id, at, run, state: STATES[state][language], ...beside }));
    }
  } while (page.length === POSTINGS);
  await written.flush();
}

/** Reads the planned rows of postings, which come by run and row; undefined for one that is gone. */
function planReader({ ledger }: Context): (posting: Posting) => Promise<PlannedRow | undefined> {
  let rows: readonly PlannedRow[] = [];
  let rowsOf = '';
  return async ({ run, seq }) => {
    if (rowsOf !== run || seq > (rows.at(-1)?.seq ?? -1)) {
      const read = await ledger.readRows(run, { after: seq - 1, limit: PLANNED });
      [rowsOf, rows] = [run, read.map(({ planned }) => planned)];
    }
    return rows.find((planned) => planned.seq === seq);
  };
}

const KINDS = {
  count: t('count', 'telling'),
  posting: t('mutation', 'mutatie'),
} as const;

const STATES = {
  done: t('sent', 'verstuurd'),
  sending: t('unknown: no answer came', 'onbekend: er kwam geen antwoord'),
} as const;
