import type { Posting } from '../ledger/ledger.ts';
import { wallClock } from '../run/context.ts';
import type { Resource } from '../schema/resource.ts';
import type { ExistingRecord } from './existing-record.ts';
import { secondBefore } from './freshness.ts';
import { findMark, madeSince } from './mark.ts';
import type { ContextOf } from './planning.ts';
import type { EffectVerdict, SendDoubt } from './row-guard.ts';
import { storedValues } from './stored-values.ts';

/** What a kind's records tell of a request whose answer was lost. */
interface RecordEvidence {
  read(id: number): Promise<ExistingRecord | null>;
  /** Whether a record shows what an update sent; null where no read tells. */
  shows(existing: ExistingRecord): boolean | null;
  /** Of a create; null where it can't be looked for, absent where the kind has none. */
  readonly created?: CreateEvidence | null;
}

/** What tells of a create. */
export interface CreateEvidence {
  keyed(external: number): Promise<ExistingRecord | null>;
  /** Records written since a moment of the service's own; null for all that the create may be among. */
  list(since: string | null): Promise<readonly ExistingRecord[]>;
  /** Whether a record holds what the create sent, as far as that read tells. */
  holds(existing: ExistingRecord): boolean;
  /** The day by which a record is listed, `YYYY-MM-DD`, where a kind lists by days. */
  dayOf?(existing: ExistingRecord): string | null;
}

/** Whether a request took effect, told by the records themselves. */
export async function recordTookEffect(
  context: ContextOf<Resource>,
  doubt: SendDoubt,
  { read, shows, created = null }: RecordEvidence,
): Promise<EffectVerdict> {
  return await settleDoubt(context, doubt, async () => {
    const { step, id } = doubt;
    if (step.purpose === 'create')
      return created === null ? null : await findCreated(context, doubt, created);
    if (id === null) return null;
    const existing = await read(id);
    if (step.purpose === 'delete') return existing === null ? { id } : 'no';
    const shown = existing === null ? null : shows(existing);
    return shown === null ? null : shown ? { id } : 'no';
  });
}

/** Looks whether a request took effect; what can't be read tells nothing. */
export async function settleDoubt(
  { log, resource: { name } }: ContextOf<Resource>,
  { planned }: SendDoubt,
  look: () => Promise<EffectVerdict>,
): Promise<EffectVerdict> {
  try {
    return await look();
  } catch (error) {
    const row = { resource: name, row: planned.row, error: String(error) };
    log.warn(row, 'cannot tell whether it took effect');
    return null;
  }
}

/** The name under which a record is claimed for the row that made it. */
const claimName = (id: number | null): string => `id:${id}`;

/** Whether a claim is that of a row. */
const isOf = ({ run, planned }: Pick<SendDoubt, 'run' | 'planned'>, claim: Posting | undefined): boolean =>
  claim?.run === run && claim.seq === planned.seq;

/**
 * Finds what a create made: the record with its ExternalID, else one with its content that was made since the
 * run's mark and that no row claimed yet. The claim in the ledger keeps two equal rows apart. That there is
 * none is believed of the whole list alone, as a service's clock may jump.
 */
async function findCreated(
  context: ContextOf<Resource>,
  { run, planned, since, body, answered }: SendDoubt,
  { keyed, list, holds, dayOf }: CreateEvidence,
): Promise<EffectVerdict> {
  const { ledger, serviceKey, resource } = context;
  const stored = storedValues(context);
  await stored.load();
  const mark = await findMark(context, run);
  const made = (record: ExistingRecord) => madeSince(mark, record, dayOf?.(record));
  const own = planned.external === null ? null : await keyed(planned.external);
  // One that was there before, and is something else, is not what this row made.
  if (own !== null) return made(own) === true || holds(own) ? { id: own.id } : null;
  const free = async (records: readonly ExistingRecord[]): Promise<readonly ExistingRecord[]> => {
    const alike = records.filter((record) => record.external === null && holds(record));
    const ids = alike.flatMap(({ id }) => id ?? []);
    // Equal rows may have made them, whose answers are on their way.
    const others = ids.length === 0 ? undefined : await answered?.();
    const known = await ledger.findKnownIds(serviceKey, resource.name, ids);
    const claims = await ledger.findPostings(serviceKey, resource.name, ids.map(claimName));
    // Found before for this very row, by a run that was killed before it could say so.
    const mine = alike.filter(({ id }) => isOf({ run, planned }, claims.get(claimName(id))));
    if (mine.length > 0) return mine;
    const unknown = alike.filter(({ id }) => id !== null && !known.has(id) && others?.has(id) !== true);
    return stored.closest(body, unknown);
  };
  const claim = async (records: readonly ExistingRecord[]): Promise<EffectVerdict> => {
    for (const { id } of records) {
      const posting = { fingerprint: claimName(id), run, seq: planned.seq, at: wallClock(since) } as const;
      const taken = { ...posting, state: 'done', id } as const;
      const holder = await ledger.claimPosting(serviceKey, resource.name, taken);
      if (holder === undefined || isOf({ run, planned }, holder)) return { id };
    }
    return 'no';
  };
  const isMade = (record: ExistingRecord): boolean => made(record) === true;
  if (mark?.newest != null) {
    const found = await claim((await free(await list(secondBefore(mark.newest)))).filter(isMade));
    if (found !== 'no') return found;
  }
  const all = await free(await list(null));
  const found = await claim(all.filter(isMade));
  if (found !== 'no') return found;
  return all.some((record) => made(record) === null) ? null : 'no';
}

/** A reading shared by all who ask before it begins: it shows the service as it is after each asked. */
export function sharedReading<K, T>(read: (key: K) => Promise<T>): (key: K) => Promise<T> {
  const next = new Map<K, Promise<T>>();
  const running = new Map<K, Promise<unknown>>();
  const begin = (key: K): Promise<T> => {
    next.delete(key);
    const reading = read(key);
    running.set(
      key,
      reading.catch(() => {}),
    );
    return reading;
  };
  return (key) => {
    const reading = next.get(key) ?? (running.get(key) ?? Promise.resolve()).then(() => begin(key));
    next.set(key, reading);
    return reading;
  };
}
