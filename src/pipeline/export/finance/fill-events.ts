import type { AnswerRecord } from '../../../schema/answer.ts';
import type { TableFeed } from '../../../workbook/write/write-book.ts';
import type { WrittenRow } from '../../../workbook/write/written-sheet.ts';
import { eventsOn } from '../lists/events.ts';
import { type LinksOf, linksTo } from '../lists/link-lists.ts';
import { momentIn, numberIn } from '../lists/record-members.ts';
import { sideBySide } from '../lists/side-by-side.ts';
import { amountOf, Exact, product } from './exact.ts';
import { askNames, financeRows } from './finance-rows.ts';
import { contentOf, type FinanceWork, tellProgress } from './finance-work.ts';
import { groupIn, idIn } from './name-book.ts';
import { RowBuffer } from './row-buffer.ts';
import { NOTHING } from './tally.ts';

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
export async function fillEvents(work: FinanceWork, events: TableFeed, lines: TableFeed): Promise<void> {
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
): Promise<{ readonly amount: Exact; readonly rows: readonly WrittenRow[] }> {
  const { events, lines: sheet } = definition;
  const { resource, price, quantity } = sheet;
  const label = event[events.label];
  let amount = Exact.ZERO;
  const rows: WrittenRow[] = [];
  for (const line of lines) {
    const [each, many] = [amountOf(line[price]), amountOf(line[quantity])];
    const total = product(each, many);
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
  { amount, row }: { readonly amount: Exact; readonly row: RowOf },
): Promise<WrittenRow> {
  const { definition, figures, trail } = work;
  const { resource, noRevenue, notInvoiced } = definition.events;
  const id = idIn(event[resource.id]);
  const { count, amount: trips } = id === null ? NOTHING : figures.trips.byEvent.take(id);
  const all = amount.plus(trips);
  const excluded = event[noRevenue] === true;
  const revenue = excluded ? Exact.ZERO : all;
  if (excluded) figures.noRevenue.add(all);
  if (event[notInvoiced] === true) figures.events.notInvoiced++;
  const month = momentIn(event, resource.date)?.slice(0, 7) ?? null;
  await addUp(work, event, month, revenue);
  const content = [...contentOf(definition.events, event), amount.text, trips.text];
  trail.add('events', String(id), content, revenue);
  const worked = {
    month,
    lines: Exact.of(lines.length),
    'trip-count': Exact.of(count),
    ...{ arrangements: amount, trips, revenue },
  };
  return await row(event, { worked });
}

async function addUp(
  { definition, figures, setup }: FinanceWork,
  event: AnswerRecord,
  month: string | null,
  revenue: Exact,
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
