import { isDeepStrictEqual } from 'node:util';
import type { PlannedRow } from '../../core/plan.ts';
import type { UnsettledWrite } from '../../ledger/ledger.ts';
import { momentOf, sentRow } from '../../records/sent-before.ts';
import type { Context } from '../../run/context.ts';
import { recordName } from './row-chains.ts';

/** The wait for an earlier write of a row's record: there was none, it was ended, or it is over. */
type Calm = 'none' | 'ended' | { readonly earlier: PlannedRow | null };

/** `fact`: what the ledger is told when it can arrive no more, of one that was not given up. */
type EarlierWrite = UnsettledWrite & { readonly fact?: string };

interface Unrest {
  readonly until: number;
  /** The record's name in the ledger. */
  readonly resource: string;
  readonly key: string;
  /** What the ledger has of an earlier run, or of an earlier session of this one. */
  readonly earlier: EarlierWrite | null;
}

/**
 * The writes of records that were given up and may still arrive. They are in the ledger too: a later run
 * waits for those of an earlier one, as its own write would be undone by them.
 */
export function createUnsettledWrites(context: Context, run: string) {
  const { ledger, serviceKey, doubts, time } = context;
  const unrest = new Map<string, Unrest>();
  const loading = new Map<string, Promise<void>>();
  const load = async (resource: string): Promise<void> => {
    for (const [name, earlier] of await earlierUnrest(context, run, resource))
      if (!unrest.has(name)) unrest.set(name, earlier);
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
    if (known.earlier?.fact !== undefined) await ledger.rememberFact(serviceKey, known.earlier.fact, 'yes');
  };
  /** Takes a write that may still arrive until then; `id`: that of its record. */
  const add = async (planned: PlannedRow, id: number | null, until: number): Promise<void> => {
    const { resource, seq } = planned;
    const [name, key] = [recordName(planned), keyLater(planned, id)];
    if (key === null || name === null) return;
    const latest = Math.max(until, unrest.get(name)?.until ?? 0);
    unrest.set(name, { until: latest, resource, key, earlier: null });
    await ledger.rememberUnsettled(serviceKey, resource, {
      key,
      run,
      seq,
      at: new Date(time.now()).toISOString(),
    });
  };
  return {
    add,
    /** Until when a try of this run to write a row's record may still arrive; 0 where none was given up. */
    until: (planned: PlannedRow): number => ownUntil(unrest.get(recordName(planned) ?? '')),
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
      const sent = earlier === null ? null : ((await sentRow(context, earlier))?.planned ?? null);
      // What says the same may come before this row's or after it; later rows wait for both.
      if (sent !== null && isDeepStrictEqual(sent.steps, planned.steps)) {
        await add(planned, planned.id, until);
        return 'none';
      }
      if (!(await aside(() => doubts.passed(until)))) return 'ended';
      await forget(name, known);
      return { earlier: sent };
    },
    /** To be called at a run's end: what can no longer arrive is no later run's concern. */
    async forgetPassed(): Promise<void> {
      for (const [name, known] of unrest)
        if (known.earlier === null && known.until <= time.steady()) await forget(name, known);
    },
  };
}

const ownUntil = (known: Unrest | undefined): number => (known?.earlier === null ? known.until : 0);

/** How a later run knows the record: one that this run created by its id. */
const keyLater = ({ key }: PlannedRow, id: number | null): string | null =>
  key?.startsWith('external:') === true && id !== null ? `id:${id}` : key;

/** What the ledger has of a resource's records that earlier writes may still reach. */
async function earlierUnrest(context: Context, run: string, resource: string): Promise<[string, Unrest][]> {
  const { ledger, serviceKey, doubts } = context;
  const found: [string, Unrest][] = [];
  const known: EarlierWrite[] = await ledger.findUnsettled(serviceKey, resource);
  for (const earlier of [...known, ...(await cutOffWrites(context, run, resource))]) {
    const { key, at } = earlier;
    const name = recordName({ resource, key });
    // Nobody knows how our clock was set since: it has its whole time from this session's start on.
    const until = doubts.ofEarlier(new Date(at));
    if (until > 0 && name !== null) found.push([name, { until, resource, key, earlier }]);
    else if (earlier.fact === undefined) await ledger.forgetUnsettled(serviceKey, resource, key);
  }
  return found;
}

/** The writes of other runs that were on their way when their program was killed: nobody gave them up. */
async function cutOffWrites(
  { ledger, serviceKey }: Context,
  run: string,
  resource: string,
): Promise<EarlierWrite[]> {
  const found: EarlierWrite[] = [];
  for (const { run: of, planned, progress } of await ledger.findCutOff(serviceKey)) {
    const { done = 0, sendingSince, id = null } = progress ?? {};
    const purpose = planned.steps[done]?.purpose;
    if (of === run || planned.resource !== resource || sendingSince == null) continue;
    const key = keyLater(planned, id);
    if (key === null || (purpose !== 'update' && purpose !== 'delete')) continue;
    const fact = `row ${planned.seq} of ${of}, sent ${sendingSince}, can arrive no more`;
    if ((await ledger.findFact(serviceKey, fact)) !== undefined) continue;
    found.push({ key, run: of, seq: planned.seq, at: momentOf(sendingSince).toISOString(), fact });
  }
  return found;
}
