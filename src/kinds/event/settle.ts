import type { Context } from '../../run/context.ts';
import type { EventResource } from '../../schema/resource.ts';
import { claimRecord, exactWallClock } from '../claim-record.ts';
import type { Doubt, Verdict } from '../kind.ts';
import { monthsAround, periodOf, runsOf } from './months.ts';
import { readEvent, readPeriod } from './read-events.ts';
import { holds } from './same-event.ts';

/** How far this machine's clock and the service's may be apart, ms. */
const CLOCKS = 10 * 60_000;

/** Whether a request took effect, told by the events themselves. */
export async function tookEffect(context: Context, resource: EventResource, doubt: Doubt): Promise<Verdict> {
  try {
    return doubt.step.purpose === 'create'
      ? await findCreated(context, resource, doubt)
      : await lookAt(context, resource, doubt);
  } catch (error) {
    context.log.warn(
      { resource: resource.name, row: doubt.planned.row, error: String(error) },
      'cannot tell whether it took effect',
    );
    return null;
  }
}

/** An update that shows nothing a read returns is as good as not sent: it may be sent any number of times. */
async function lookAt(context: Context, resource: EventResource, { id, body }: Doubt): Promise<Verdict> {
  const existing = id === null ? null : await readEvent(context, resource, id);
  if (existing === null) return null;
  const seen = Object.keys(body).some((name) => {
    const reads = resource.fields[name]?.reads;
    return name !== resource.id && name !== resource.external && (reads === 'both' || reads === 'detail');
  });
  return seen && holds(resource, existing, body, 'detail') ? { id } : 'no';
}

/**
 * A create: among the events around its day the one with its ExternalID, else one with the same content and no
 * ExternalID that was written since and is nobody's yet.
 */
async function findCreated(context: Context, resource: EventResource, doubt: Doubt): Promise<Verdict> {
  const { planned, body, since } = doubt;
  const day = body[resource.date];
  if (typeof day !== 'string') return null;
  const runs = runsOf(monthsAround(day, context.dialect.eventMargin));
  const lists = await Promise.all(runs.map((run) => readPeriod(context, resource, periodOf(run))));
  const around = lists.flat();
  const { external } = planned;
  const keyed = external === null ? undefined : around.find((existing) => existing.external === external);
  if (keyed !== undefined) return { id: keyed.id };
  const from = exactWallClock(new Date(since.getTime() - CLOCKS));
  const same = around.filter(
    (existing) =>
      existing.external === null &&
      (existing.lmt === null || existing.lmt >= from) &&
      holds(resource, existing, body, 'list'),
  );
  return await claimRecord(
    context,
    resource,
    doubt,
    same.flatMap(({ id }) => id ?? []),
  );
}
