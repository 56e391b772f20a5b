import { type Bilingual, t } from '../core/language.ts';
import type { Value, Values } from '../core/value.ts';
import type { Memory, Posting } from '../ledger/ledger.ts';
import { type Context, wallClock } from '../run/context.ts';
import type { Resource } from '../schema/resource.ts';
import {
  type ExistingRecord,
  heldIn,
  holdsSent,
  isOff,
  mayShow,
  type SameField,
  sameIn,
  sameMoment,
  secondBefore,
} from './existing-record.ts';
import { EPOCH } from './listing.ts';
import type { ContextOf, RunOf } from './planning.ts';
import type { EffectVerdict, SendDoubt } from './row-guard.ts';
import { askedOnce, sharedReading } from './shared-reading.ts';

/**
 * What the service itself showed of a resource before a run's first create. What was made since is told by
 * it, and by no clock of this machine.
 */
export interface Mark {
  readonly newest: string | null;
  readonly highest: number | null;
  /** Records that were seen with that LMT, as far as they are not too many; all, where none has one. */
  readonly atNewest?: readonly number[];
  /** Only the ends of the list were read: a newer LMT may stand between them. */
  readonly ends?: true;
}

/** So many records are kept apart that no LMT tells apart. */
const MOST_APART = 50_000;

type Seen = Pick<ExistingRecord, 'id' | 'lmt'>;

/** Gathers a mark from the records that come. */
export function createMark(
  { newest, highest, atNewest: known = [] }: Mark = { newest: null, highest: null },
) {
  const atNewest = new Set(known);
  return {
    saw({ id, lmt }: Seen): void {
      if (id !== null && (highest === null || id > highest)) highest = id;
      if (lmt !== null && (newest === null || lmt > newest)) {
        newest = lmt;
        atNewest.clear();
      }
      if (id !== null && lmt === newest && atNewest.size < MOST_APART) atNewest.add(id);
    },
    mark: (): Mark => ({ newest, highest, atNewest: [...atNewest] }),
  };
}

const factName = ({ name }: Resource, run: string): string => `mark of ${name} in ${run}`;

/** Keeps a run's mark, so that a run that goes on has it; the first one stays. */
export async function keepMark({ ledger, serviceKey, resource, run }: RunOf<Resource>, mark: Mark) {
  const name = factName(resource, run);
  if ((await ledger.findFact(serviceKey, name)) === undefined)
    await ledger.rememberFact(serviceKey, name, JSON.stringify(mark));
}

/** The mark of a run; null where it had none. */
async function findMark(
  { ledger, serviceKey, resource }: ContextOf<Resource>,
  run: string,
): Promise<Mark | null> {
  const fact = await ledger.findFact(serviceKey, factName(resource, run));
  return fact === undefined ? null : (JSON.parse(fact) as Mark);
}

/** Whether a record was made after the mark; null where neither its id nor its LMT tells. */
function madeSince(mark: Mark | null, seen: Seen): boolean | null {
  const { id, lmt } = seen;
  if (mark === null || id === null) return null;
  if (id === mark.highest || mark.atNewest?.includes(id) === true) return mayBeReused(mark, seen);
  if (mark.highest === null || id > mark.highest) return true;
  if (mark.newest === null || lmt === null) return null;
  if (sameMoment(lmt, mark.newest)) return null;
  if (lmt < mark.newest) return false;
  return mark.ends === true ? null : true;
}

/** Of an id that was there: some services give the highest out again once its record is deleted. */
function mayBeReused({ newest, highest }: Mark, { id, lmt }: Seen): false | null {
  if (newest === null || lmt === null) return id === highest ? null : false;
  return lmt > newest && !sameMoment(lmt, newest) ? null : false;
}

/** How a kind's records with an id are read. */
export interface RecordReads {
  /** One as it is now, or as a reading shows it that began since `asked` (steady time); `lmt`: as it was planned. */
  one(id: number, lmt: string | null, asked?: number): Promise<ExistingRecord | null>;
  /** Those written since a moment of the service's own; EPOCH for all. */
  since(moment: string): Promise<readonly ExistingRecord[]>;
  /** The record with an ExternalID; `all` reads the whole list. Absent where no request makes records. */
  keyed?(external: number, all: () => Promise<readonly ExistingRecord[]>): Promise<ExistingRecord | null>;
  /** The ends of a list of which the plan read nothing, as it is long; `whole`: there is no more of it. */
  ends?(): Promise<{ readonly records: readonly ExistingRecord[]; readonly whole: boolean }>;
  /** Whether a field of a record is as a row says; by default `sameIn`. */
  readonly same?: SameField;
}

/**
 * Whether a record shows what an update sent, as far as its read tells. A key that it does not show tells nothing:
 * a service may not keep it. What is not told is as good as not sent while it may be sent once more.
 */
function showsSent(
  resource: Resource,
  same: SameField,
  existing: ExistingRecord,
  { planned: { changes }, body, last }: SendDoubt,
): boolean | null {
  const held = (field: string): Value | undefined => heldIn(resource, existing, field);
  const sent =
    changes.length === 0 ? Object.entries(body) : changes.map(({ field, to }) => [field, to] as const);
  const told = sent.filter(([field]) => !resource.keys.includes(field) && held(field) !== undefined);
  if (told.length > 0) return told.every(([field, to]) => same(field, held(field), to));
  const isKeyed = changes.length > 0 && changes.every(({ field, to }) => held(field) === to);
  return isKeyed || (last === true ? null : false);
}

/**
 * Looks at growing pauses whether a request took effect, until it shows or can no longer arrive; undefined
 * where the wait was ended. What can't be read tells nothing.
 */
export const lookUntil = (
  { doubts, log, time }: Pick<Context, 'doubts' | 'log' | 'time'>,
  until: number,
  took: (when: Required<Pick<SendDoubt, 'asked' | 'last'>>) => Promise<EffectVerdict | undefined>,
  onSeen: (verdict: EffectVerdict) => void = () => {},
): Promise<EffectVerdict | undefined> =>
  doubts.look(
    until,
    async () => {
      const asked = time.steady();
      let verdict: EffectVerdict = null;
      try {
        verdict = (await took({ asked, last: asked >= until })) ?? null;
      } catch (error) {
        log.warn({ error: String(error) }, 'cannot tell whether it took effect');
      }
      onSeen(verdict);
      return verdict;
    },
    (verdict) => verdict !== null && verdict !== 'no',
  );

/** Tells by the records whether requests took effect; those in doubt at one time share their lists. */
export function createSettling(context: ContextOf<Resource>, reads: RecordReads) {
  const { resource } = context;
  const { keyed, same = sameIn(null) } = reads;
  const listed = sharedReading(context.time, reads.since);
  return async (doubt: SendDoubt): Promise<EffectVerdict> => {
    const { step, id, planned, asked } = doubt;
    if (step.purpose === 'create')
      return keyed === undefined
        ? null
        : await findCreated(context, doubt, { keyed, same, since: (moment) => listed(moment, asked) });
    if (id === null) return null;
    const existing = await reads.one(id, planned.lmt, asked);
    if (step.purpose === 'delete') return existing === null ? { id } : 'no';
    const shown = existing && showsSent(resource, same, existing, doubt);
    return shown === null ? null : shown ? { id } : 'no';
  };
}

/**
 * What became of a create: the record with its ExternalID, else one above the run's mark that no row has
 * claimed and that holds exactly what was sent. It was not made where, at the last look, a whole list shows
 * no unclaimed record above the mark. Anything else can't be told.
 */
async function findCreated(
  context: ContextOf<Resource>,
  doubt: SendDoubt,
  { keyed, same, since: list }: Required<Pick<RecordReads, 'keyed' | 'same' | 'since'>>,
): Promise<EffectVerdict> {
  const { run, planned, body, last, turnedDown, answered } = doubt;
  const holds = (record: ExistingRecord) => holdsSent(context.resource, record, body, same);
  const listAll = () => list(EPOCH);
  const mark = await findMark(context, run);
  const isMade = (record: ExistingRecord) => madeSince(mark, record);
  const own = planned.external === null ? null : await keyed(planned.external, listAll);
  // One that was there before, and is something else, is not what this row made.
  if (own !== null) {
    const isOwn = turnedDown !== true && isMade(own) === true;
    return isOwn || holds(own) ? { id: own.id } : null;
  }
  const exact = (records: readonly ExistingRecord[]) =>
    records.filter((record) => isMade(record) === true && holds(record));
  if (mark?.newest != null) {
    const recent = await unclaimed(context, doubt, await list(secondBefore(mark.newest)));
    const found = await claim(context, doubt, exact(recent));
    // One that was turned down is there at once, or is not looked for in all that the service has.
    if (found !== 'no' || turnedDown === true) return found;
  }
  const all = await listAll();
  const open = (await unclaimed(context, doubt, all)).filter((record) => isMade(record) !== false);
  const found = await claim(context, doubt, exact(open));
  if (found !== 'no' || last !== true) return found;
  return open.length === 0 && provesAbsence(context, doubt, all, await answered?.()) ? 'no' : null;
}

/** The name under which a record is claimed for the row that made it. */
const claimName = (id: number | null): string => `id:${id}`;

/** Whether a claim is that of a row. */
const isOf = ({ run, planned }: Pick<SendDoubt, 'run' | 'planned'>, claim: Posting | undefined): boolean =>
  claim?.run === run && claim.seq === planned.seq;

/** The records that a create may have made: no other row is known to have made them. */
async function unclaimed(
  { ledger, serviceKey, resource }: ContextOf<Resource>,
  doubt: SendDoubt,
  records: readonly ExistingRecord[],
): Promise<readonly ExistingRecord[]> {
  const { answered, planned, run } = doubt;
  const possible = records.filter(({ external }) => mayShow(planned.external, external));
  const ids = possible.flatMap(({ id }) => id ?? []);
  if (ids.length === 0) return [];
  // Equal rows may have made them, whose answers are on their way.
  const others = await answered?.();
  const known = await ledger.findKnownIds(serviceKey, resource.name, ids);
  const claims = await ledger.findPostings(serviceKey, resource.name, ids.map(claimName));
  const writes = await ledger.findWrites(serviceKey, resource.name, ids.map(claimName));
  // What a row of the run changed was there when it was planned.
  const isChanged = (id: number): boolean => {
    const write = writes.get(claimName(id));
    return write?.run === run && write.id === id;
  };
  return possible.filter(
    ({ id }) =>
      // Found before for this very row, by a run that was killed before it could say so.
      isOf(doubt, claims.get(claimName(id))) ||
      (id !== null && !known.has(id) && !isChanged(id) && others?.ids.has(id) !== true),
  );
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

/**
 * Whether a list proves that a record is not there: it shows others, what this run made in the first half of the
 * doubt time, and what is off.
 */
function provesAbsence(
  { resource, time }: ContextOf<Resource>,
  doubt: SendDoubt,
  all: readonly ExistingRecord[],
  made: Awaited<ReturnType<NonNullable<SendDoubt['answered']>>> | undefined,
): boolean {
  const showsOff = all.some((record) => isOff(resource, record));
  const mayLack = (values: Values): boolean => isOff(resource, { values }) && !showsOff;
  // A list of all that shows nothing shows nothing at all.
  if (all.length === 0 || mayLack(doubt.body)) return false;
  const listed = new Set(all.map(({ id }) => id));
  const due = (doubt.since.getTime() + time.now()) / 2;
  return (made?.first ?? []).every(({ id, body, at }) => at >= due || listed.has(id) || mayLack(body));
}

/** A create that was sent again and went through then. */
interface SentAgain {
  readonly body: Values;
  /** The row that sent it again, and what it made. */
  readonly posting: Posting;
  /** What was there before its run. */
  readonly mark: Mark | null;
}

/** Remembers a create that is sent again, each try of it. */
export const rememberResend = async (
  { ledger, serviceKey, resource }: ContextOf<Resource>,
  resend: Memory['resend'],
): Promise<void> =>
  await ledger.remember(serviceKey, resource.name, 'resend', `${resend.fingerprint} ${resend.run}`, resend);

/** Says what stands beside what a create that was sent again made, as its first try came late. */
export type FindDoubles = (create: SentAgain) => Promise<readonly Bilingual[]>;

/** The doubles beside the creates that were sent again, by one run or by any. */
export async function findLateDoubles(
  context: ContextOf<Resource>,
  find: FindDoubles,
  run?: string,
): Promise<readonly { readonly posting: Posting; readonly text: Bilingual }[]> {
  const { ledger, serviceKey, resource } = context;
  const resends = [...(await ledger.recall(serviceKey, resource.name, 'resend')).values()];
  if (resends.length === 0) return [];
  const names = resends.map(({ fingerprint }) => fingerprint);
  const postings = await ledger.findPostings(serviceKey, resource.name, names);
  const found = resends.map(async ({ fingerprint, run: first, body }) => {
    const posting = postings.get(fingerprint);
    if (posting?.state !== 'done' || (run !== undefined && posting.run !== run)) return [];
    const texts = await find({ body, posting, mark: await findMark(context, first) });
    return texts.map((text) => ({ posting, text }));
  });
  return (await Promise.all(found)).flat();
}

/** Of records with an id: those written since that hold what was sent, and that no row is known to have made. */
export function findDoubles(context: ContextOf<Resource>, reads: RecordReads): FindDoubles {
  const { ledger, serviceKey, resource } = context;
  const since = askedOnce(reads.since);
  const key = 'external' in resource ? resource.external : '';
  return async ({ body, posting, mark }) => {
    const listed = await since(mark?.newest ? secondBefore(mark.newest) : EPOCH);
    if (!listed.some(({ id }) => id !== null && id === posting.id)) return [];
    const late = listed.filter(
      (record) =>
        record.id !== posting.id &&
        (record.external ?? body[key]) === body[key] &&
        madeSince(mark, record) === true &&
        holdsSent(resource, record, body, reads.same),
    );
    const ids = late.flatMap(({ id }) => id ?? []);
    const known = await ledger.findKnownIds(serviceKey, resource.name, ids);
    return ids.filter((id) => !known.has(id)).map((id) => lateText(resource, posting, id));
  };
}

function lateText(resource: Resource, { id: own, run }: Posting, late: number): Bilingual {
  const [id = ''] = resource.keys;
  return t(
    `${id} ${late} came late beside ${own}, which run ${run} sent again: delete the one that is too many`,
    `${id} ${late} kwam laat naast ${own}, dat run ${run} opnieuw verstuurde: verwijder de overbodige`,
  );
}
