import type { Posting } from '../ledger/ledger.ts';
import { wallClock } from '../run/context.ts';
import type { Resource } from '../schema/resource.ts';
import { findBeside } from './beside-lists.ts';
import type { ExistingRecord } from './existing-record.ts';
import { apart } from './field-memory.ts';
import { secondBefore } from './freshness.ts';
import { bestGuess, type CreateEvidence, orNothing } from './guesses.ts';
import { mayShow } from './locate.ts';
import { findMark, madeSince } from './mark.ts';
import type { ContextOf } from './planning.ts';
import type { EffectVerdict, SendDoubt } from './row-guard.ts';
import { storedValues } from './stored-values.ts';
import type { SameField } from './three-way.ts';

/** What a kind's records tell of a request whose answer was lost. */
interface RecordEvidence {
  read(id: number): Promise<ExistingRecord | null>;
  /** Whether a record shows what an update sent; null where no read tells. */
  shows(existing: ExistingRecord): boolean | null;
  /** Of a create; null where it can't be looked for, absent where the kind has none. */
  readonly created?: CreateEvidence | null;
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
      return created === null ? null : await findCreated(context, doubt, { ...created, read });
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
 * none is believed of the whole list alone, as a service's clock may jump. What only may have come of it is
 * left to the last look.
 */
async function findCreated(
  context: ContextOf<Resource>,
  doubt: SendDoubt,
  evidence: CreateEvidence & Pick<RecordEvidence, 'read'>,
): Promise<EffectVerdict> {
  const { run, planned, body, last } = doubt;
  const { keyed, list, holds, dayOf } = evidence;
  const stored = storedValues(context);
  await stored.load();
  const mark = await findMark(context, run);
  const made = (record: ExistingRecord) => madeSince(mark, record, dayOf?.(record));
  const own = planned.external === null ? null : await keyed(planned.external);
  // One that was there before, and is something else, is not what this row made.
  if (own !== null) {
    const isOwn = doubt.turnedDown !== true && made(own) === true;
    return isOwn || holds(own, body, stored.mayBe) ? { id: own.id } : null;
  }
  const isSure = (record: ExistingRecord): boolean => holds(record, body, stored.isAsSeen);
  const isMade = (record: ExistingRecord): boolean => made(record) === true;
  if (mark?.newest != null) {
    const { mine, sure } = await freeAmong(context, doubt, evidence, await list(secondBefore(mark.newest)));
    const found = await claim(context, doubt, [...mine, ...sure].filter(isMade));
    // One that was turned down is there at once, or is not looked for in all that the service has.
    if (found !== 'no' || doubt.turnedDown === true) return found;
  }
  const all = await list(null);
  const { mine, sure, guesses } = await freeAmong(context, doubt, evidence, all);
  const found = await claim(context, doubt, [...mine, ...sure].filter(isMade));
  if (found !== 'no') return found;
  if ([...mine, ...sure].some((record) => made(record) === null)) return null;
  if (last !== true) return 'no';
  const beside = () => claimBeside(context, doubt, evidence, { mark, all, made });
  if (guesses.length === 0) return await beside();
  // What the service makes of values is asked of a record of which it is known that this run made it.
  await stored.askOwn(evidence.read);
  const learned = await claim(
    context,
    doubt,
    guesses.filter((record) => isSure(record) && isMade(record)),
  );
  if (learned !== 'no') return learned;
  const guess = await bestGuess(context, doubt, evidence, { mark, guesses, all, made });
  if (guess === 'no') return await beside();
  if (guess === null) return null;
  stored.guessed(guess.id);
  return await claim(context, doubt, [guess]);
}

/** The same of what no list shows. */
async function claimBeside(...looks: Parameters<typeof findBeside>): Promise<EffectVerdict> {
  const found = await findBeside(...looks);
  if (found === 'no' || found === null) return found;
  const [context, doubt] = looks;
  return (await claim(context, doubt, found)) === 'no' ? null : await claim(context, doubt, found);
}

interface Free {
  /** Found before for this very row, by a run that was killed before it could say so. */
  readonly mine: readonly ExistingRecord[];
  /** They hold what was sent, by what is known of the service. */
  readonly sure: readonly ExistingRecord[];
  /** They may hold what it made of it. */
  readonly guesses: readonly ExistingRecord[];
}

/** The records that a create may have made, of which it is not known what made them. */
async function freeAmong(
  { ledger, serviceKey, resource, ...context }: ContextOf<Resource>,
  doubt: SendDoubt,
  { holds }: CreateEvidence,
  records: readonly ExistingRecord[],
): Promise<Free> {
  const { body, answered, planned } = doubt;
  const stored = storedValues({ ledger, serviceKey, resource, ...context });
  const like = (alike: SameField, among: readonly ExistingRecord[]) =>
    among.filter((record) => mayShow(planned.external, record.external) && holds(record, body, alike));
  const mayBe = orNothing(stored.mayBe);
  const before = like(mayBe, records);
  const ids = before.flatMap(({ id }) => id ?? []);
  // Equal rows may have made them, whose answers are on their way.
  const others = ids.length === 0 ? undefined : await answered?.();
  const known = await ledger.findKnownIds(serviceKey, resource.name, ids);
  const claims = await ledger.findPostings(serviceKey, resource.name, ids.map(claimName));
  const isFree = ({ id }: ExistingRecord) => id !== null && !known.has(id) && others?.has(id) !== true;
  const isOpen = before.some((record) => isFree(record) && !holds(record, body, stored.isAsSeen));
  const alike = isOpen && (await stored.sawOwn(records)) ? like(mayBe, records) : before;
  const mine = alike.filter(({ id }) => isOf(doubt, claims.get(claimName(id))));
  if (mine.length > 0) return { mine, sure: [], guesses: [] };
  // Those that hold most of it just so first.
  const free = alike.filter(isFree).sort((one, other) => apart(body, one) - apart(body, other));
  const sure = like(stored.isAsSeen, free);
  return { mine, sure, guesses: free.filter((record) => !sure.includes(record)) };
}

/** Takes the first of these records that is no other row's for the row in doubt. */
async function claim(
  { ledger, serviceKey, resource }: ContextOf<Resource>,
  { run, planned, since }: SendDoubt,
  records: readonly Pick<ExistingRecord, 'id'>[],
): Promise<EffectVerdict> {
  for (const { id } of records) {
    const posting = { fingerprint: claimName(id), run, seq: planned.seq, at: wallClock(since) } as const;
    const taken = { ...posting, state: 'done', id } as const;
    const holder = await ledger.claimPosting(serviceKey, resource.name, taken);
    if (holder === undefined || isOf({ run, planned }, holder)) return { id };
  }
  return 'no';
}
