import type { PlannedRow } from '../../core/plan.ts';
import type { UnsettledWrite } from '../../ledger/ledger.ts';
import { momentOf } from '../../records/sent-before.ts';
import { askedOnce } from '../../records/shared-reading.ts';
import type { Context } from '../../run/context.ts';
import type { Places } from './places.ts';
import { recordName } from './row-chains.ts';

interface LateWrite extends UnsettledWrite {
  readonly resource: string;
  readonly until: number;
}

/**
 * The updates and deletes that were given up, or repeated, and may still arrive, by their records: rows on
 * such a record wait, as they would be undone. They are in the ledger too, for later runs.
 */
export function createLateWrites(context: Context, run: string, aside: Places['aside']) {
  const { ledger, serviceKey, doubts, time } = context;
  const late = new Map<string, LateWrite>();
  const load = askedOnce(async (resource: string): Promise<void> => {
    const known = [
      ...(await ledger.recall(serviceKey, resource, 'unsettled')).values(),
      ...(await cutOff(context, run, resource)),
    ];
    for (const write of known) {
      const { key, at } = write;
      const name = recordName({ resource, key }) ?? '';
      // Nobody knows how our clock was set since: it has its whole time from this session's start on.
      const until = doubts.ofEarlier(new Date(at));
      if (until === 0) await ledger.remember(serviceKey, resource, 'unsettled', key, null);
      else if (!late.has(name)) late.set(name, { ...write, resource, until });
    }
  });
  const forget = async (name: string, { resource, key }: LateWrite): Promise<void> => {
    late.delete(name);
    await ledger.remember(serviceKey, resource, 'unsettled', key, null);
  };
  return {
    /** Takes a write that may still arrive until then; `id`: that of its record. */
    async add(planned: PlannedRow, id: number | null, until: number): Promise<void> {
      const { resource, seq } = planned;
      const [name, key] = [recordName(planned), keyLater(planned, id)];
      if (key === null || name === null) return;
      const write = { key, run, seq, at: new Date(time.now()).toISOString() };
      late.set(name, { ...write, resource, until: Math.max(until, late.get(name)?.until ?? 0) });
      await ledger.remember(serviceKey, resource, 'unsettled', key, write);
    },
    /**
     * Waits until no earlier write of a row's record can arrive any more; answers the row as it is sent then,
     * null where the wait was ended.
     */
    async passed(planned: PlannedRow): Promise<PlannedRow | null> {
      const { resource, seq, id } = planned;
      const name = recordName(planned) ?? '';
      await load(resource);
      const known = late.get(name);
      // What the row itself sent is sent again.
      if (known === undefined || (known.run === run && known.seq === seq)) return planned;
      if (!(await aside(() => doubts.passed(known.until)))) return null;
      if (late.get(name) === known) await forget(name, known);
      // Its LMT may be that of the late write: the values tell what others changed. A link has them in its place.
      return id === null ? planned : { ...planned, lmt: null };
    },
    /** To be called at a run's end: what can no longer arrive is no later run's concern. */
    async forgetPassed(): Promise<void> {
      for (const [name, known] of late) if (known.until <= time.steady()) await forget(name, known);
    },
  };
}

/** How a later run knows the record: one that this run created by its id. */
const keyLater = ({ key }: PlannedRow, id: number | null): string | null =>
  key?.startsWith('external:') === true && id !== null ? `id:${id}` : key;

/** The updates and deletes of other runs that were out when their program ended. */
async function cutOff(
  { ledger, serviceKey }: Context,
  but: string,
  resource: string,
): Promise<UnsettledWrite[]> {
  return (await ledger.findCutOff(serviceKey)).flatMap(({ run, planned, progress }) => {
    const purpose = planned.steps[progress?.done ?? 0]?.purpose;
    const key = keyLater(planned, progress?.id ?? null);
    if (run === but || planned.resource !== resource || progress?.sendingSince == null) return [];
    if (key === null || (purpose !== 'update' && purpose !== 'delete')) return [];
    return { key, run, seq: planned.seq, at: momentOf(progress.sendingSince).toISOString() };
  });
}
