import type { PlannedRow } from '../../core/plan.ts';
import type { UnsettledWrite } from '../../ledger/ledger.ts';
import type { Context } from '../../run/context.ts';
import { recordName } from './row-chains.ts';

/** The wait for earlier writes of a row's record: there were none, it is over, or it was ended. */
type Calm = 'none' | 'over' | 'ended';

interface Unrest {
  readonly until: number;
  /** The record's name in the ledger. */
  readonly resource: string;
  readonly key: string;
  /** What the ledger has of an earlier run, or of an earlier session of this one. */
  readonly earlier: UnsettledWrite | null;
}

/**
 * The writes of records that were given up and may still arrive. They are in the ledger too: a later run
 * waits for those of an earlier one, as its own write would be undone by them.
 */
export function createUnsettledWrites(context: Context, run: string) {
  const { ledger, serviceKey, doubts, clock } = context;
  const unrest = new Map<string, Unrest>();
  const loading = new Map<string, Promise<void>>();
  const load = async (resource: string): Promise<void> => {
    for (const earlier of await ledger.findUnsettled(serviceKey, resource)) {
      const { key, at } = earlier;
      const name = recordName({ resource, key });
      // Nobody knows how our clock was set since: it has its whole time from this session's start on.
      const until = doubts.ofEarlier(new Date(at));
      if (until === 0) await ledger.forgetUnsettled(serviceKey, resource, key);
      else if (name !== null && !unrest.has(name)) unrest.set(name, { until, resource, key, earlier });
    }
  };
  const loaded = (resource: string): Promise<void> => {
    const known = loading.get(resource) ?? load(resource);
    loading.set(resource, known);
    return known;
  };
  const forget = async (name: string, known: Unrest): Promise<void> => {
    // Another one may have come meanwhile.
    if (unrest.get(name) !== known) return;
    unrest.delete(name);
    await ledger.forgetUnsettled(serviceKey, known.resource, known.key);
  };
  return {
    /** Takes a write that may still arrive until then; `id`: that of its record. */
    async add(planned: PlannedRow, id: number | null, until: number): Promise<void> {
      const { resource, seq } = planned;
      const name = recordName(planned);
      if (planned.key === null || name === null) return;
      // A later run knows a record that this one created by its id.
      const key = planned.key.startsWith('external:') && id !== null ? `id:${id}` : planned.key;
      const latest = Math.max(until, unrest.get(name)?.until ?? 0);
      unrest.set(name, { until: latest, resource, key, earlier: null });
      await ledger.rememberUnsettled(serviceKey, resource, { key, run, seq, at: clock().toISOString() });
    },
    /** Waits until no earlier write of a row's record can arrive any more. */
    async calm(planned: PlannedRow, aside: <T>(work: () => Promise<T>) => Promise<T>): Promise<Calm> {
      const { resource, seq } = planned;
      const name = recordName(planned) ?? '';
      await loaded(resource);
      const known = unrest.get(name);
      if (known === undefined) return 'none';
      const { until, earlier } = known;
      // What the row itself sent is sent again.
      if (earlier?.run === run && earlier.seq === seq) return 'none';
      if (!(await aside(() => doubts.passed(until)))) return 'ended';
      await forget(name, known);
      return 'over';
    },
    /** To be called at a run's end: what can no longer arrive is no later run's concern. */
    async forgetPassed(): Promise<void> {
      for (const [name, known] of unrest)
        if (known.earlier === null && known.until <= performance.now()) await forget(name, known);
    },
  };
}
