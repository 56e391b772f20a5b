import { wallClock } from '../run/context.ts';
import type { Resource } from '../schema/resource.ts';
import type { ExistingRecord } from './existing-record.ts';
import type { ContextOf } from './planning.ts';
import type { EffectVerdict, SendDoubt } from './row-guard.ts';

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
  /** Records that may have been written since a moment, `YYYY-MM-DD hh:mm:ss.SSS`. */
  writtenSince(moment: string): Promise<readonly ExistingRecord[]>;
  /** Whether a record holds what the create sent, as far as that read tells. */
  holds(existing: ExistingRecord): boolean;
}

/** How far apart this machine's clock and the service's may be, ms. */
const CLOCKS = 10 * 60_000;

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

/**
 * Finds what a create made: the record with its ExternalID, else one with its content, written since, that no
 * row claimed yet. The claim in the ledger keeps two equal rows apart.
 */
async function findCreated(
  { ledger, serviceKey, resource: { name } }: ContextOf<Resource>,
  { run, planned, since }: SendDoubt,
  { keyed, writtenSince, holds }: CreateEvidence,
): Promise<EffectVerdict> {
  const own = planned.external === null ? null : await keyed(planned.external);
  if (own !== null) return { id: own.id };
  const written = await writtenSince(exactWallClock(new Date(since.getTime() - CLOCKS)));
  const alike = written.filter((existing) => existing.external === null && holds(existing));
  const ids = alike.flatMap(({ id }) => id ?? []);
  const known = await ledger.findKnownIds(serviceKey, name, ids);
  const free = ids.find((id) => !known.has(id));
  if (free === undefined) return 'no';
  const posting = { fingerprint: `id:${free}`, run, seq: planned.seq, at: exactWallClock(since) };
  const holder = await ledger.claimPosting(serviceKey, name, { ...posting, state: 'done', id: free });
  return holder === undefined ? { id: free } : null;
}

/** Wall clock of this machine, `YYYY-MM-DD hh:mm:ss.SSS`. */
const exactWallClock = (moment: Date): string =>
  `${wallClock(moment)}.${String(moment.getMilliseconds()).padStart(3, '0')}`;
