import { momentIn, numberIn } from '../../records/existing-record.ts';
import { type Days, newestOf } from '../../records/listing.ts';
import { inFewerDays } from '../../records/period-list.ts';
import type { ContextOf } from '../../records/planning.ts';
import type { AnswerRecord } from '../../schema/answer.ts';
import type { EventResource } from '../../schema/resource.ts';
import { listRecords } from '../../service/list-records.ts';

type EventContext = ContextOf<EventResource>;

/** The member that says when an event was last written (interface 2.7). */
export const MODIFIED = 'LMT';

/** The events of some days, as they came. */
export function eventsOfDays(
  { service, dialect, resource: { requests, id } }: EventContext,
  days: Days,
  signal?: AbortSignal,
): Promise<AnswerRecord[]> {
  const more = { id, ...(signal && { signal }) };
  return inFewerDays(days, ({ from: DatumVan, to: DatumTot }) => {
    const body = { EnkelEvenement: dialect.enkelEvenement, DatumVan, DatumTot };
    return listRecords(service, requests.all, { body, ...more });
  });
}

/** The events of some days, each as it was last written. */
export const readDays = async (
  context: EventContext,
  days: Days,
  signal?: AbortSignal,
): Promise<AnswerRecord[]> =>
  newestOf(await eventsOfDays(context, days, signal), context.resource.id, MODIFIED);

/** The definitive events of some days, with what their own list leaves out (interface 2.7). */
export async function readDefinitive(
  context: EventContext,
  days: Days,
  signal?: AbortSignal,
): Promise<AnswerRecord[]> {
  const { service, dialect, resource } = context;
  const { id, date, listed, requests } = resource;
  const more = { id, ...(signal && { signal }) };
  const came = await inFewerDays(days, ({ from: DatumVan, to: DatumTot }) => {
    const body = { EnkelEvent: dialect.enkelEvenement, DatumVan, DatumTot };
    return listRecords(service, requests.allDefinitive, { body, ...more });
  });
  const definitive = newestOf(came, id, MODIFIED);
  const left = Object.keys(listed).filter((name) => definitive.every((one) => one[name] === undefined));
  const on = definitive.flatMap((record) => momentIn(record, date)?.slice(0, 10) ?? []).sort();
  const [from, to] = [on[0], on.at(-1)];
  if (left.length === 0 || from === undefined || to === undefined) return definitive;
  const all = await readDays(context, { from, to }, signal);
  const known = new Map(all.map((record) => [numberIn(record, id), record]));
  return definitive.map((record) => {
    const other = known.get(numberIn(record, id)) ?? {};
    const more = left.filter((name) => other[name] !== undefined).map((name) => [name, other[name]]);
    return { ...record, ...Object.fromEntries(more) };
  });
}

/** Those of some days that were written since a moment, to the minute. */
export async function changedSince(
  { service, dialect, resource: { requests, id } }: EventContext,
  moment: string,
  days: Days,
): Promise<AnswerRecord[]> {
  const fixed = { EnkelEvenement: dialect.enkelEvenement, LMT: moment.slice(0, 16) };
  const records = await inFewerDays(days, ({ from: DatumVan, to: DatumTot }) =>
    listRecords(service, requests.allByLmt, { body: { ...fixed, DatumVan, DatumTot }, id }),
  );
  return newestOf(records, id, MODIFIED);
}
