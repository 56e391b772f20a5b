import type { Value, Values } from '../core/value.ts';
import { eachRow, type StoredResult } from '../ledger/ledger.ts';
import type { Resource } from '../schema/resource.ts';
import { type ExistingRecord, plainValues, sameValue } from './existing-record.ts';
import { apart } from './field-memory.ts';
import type { Mark } from './mark.ts';
import type { ContextOf } from './planning.ts';
import type { SendDoubt } from './row-guard.ts';
import { type StoredValues, storedValues } from './stored-values.ts';
import type { SameField } from './three-way.ts';
import { isNothing } from './unsent-fields.ts';
import { isByHand } from './value-habits.ts';

/** What tells of a create. */
export interface CreateEvidence {
  keyed(external: number): Promise<ExistingRecord | null>;
  /** Whether that asks for it by itself, and no list tells. */
  readonly byKey?: true;
  /**
   * Records written since a moment of the service's own, null for all that the create may be among; as they
   * are after the moment `asked`, by steady time.
   */
  list(since: string | null, asked?: number): Promise<readonly ExistingRecord[]>;
  /** Whether a list of all would show a record with such values; by default any. */
  isListed?(values: Readonly<Record<string, Value>>): boolean;
  /** Whether a record holds what a create sent, as far as that read tells. */
  holds(existing: ExistingRecord, body: Values, alike: SameField): boolean;
  /** The day by which a record is listed, `YYYY-MM-DD`, where a kind lists by days. */
  dayOf?(existing: ExistingRecord): string | null;
}

interface Guesses {
  readonly mark: Mark | null;
  readonly guesses: readonly ExistingRecord[];
  /** All that were listed. */
  readonly all: readonly ExistingRecord[];
  made(record: ExistingRecord): boolean | null;
}

/**
 * The record that a create may well have made, though it holds something else and nothing shows that the
 * service makes that of it: where no other row fits it as well, no other record says that the service does
 * not, and it is new for sure. Null where that can't be told, `no` where they are other rows'.
 */
export async function bestGuess(
  context: ContextOf<Resource>,
  doubt: SendDoubt,
  { holds }: CreateEvidence,
  { mark, guesses, all, made }: Guesses,
): Promise<ExistingRecord | 'no' | null> {
  const { body } = doubt;
  const stored = storedValues(context);
  const rivals = await otherDoubts(context, doubt, all);
  const { resource } = context;
  const name = 'label' in resource ? resource.label : null;
  // What has the very name that was sent is no colleague's by chance, where it holds nothing else of its own.
  const isNamed = ({ values }: ExistingRecord): boolean =>
    name !== null && body[name] != null && stored.same(name, values[name], body[name]);
  const isMine = (record: ExistingRecord) =>
    holds(record, body, isNamed(record) ? orNothing(stored.mayBe) : stored.mayBe);
  const isTheirs = (record: ExistingRecord) => rivals.are((other) => holds(record, other, stored.isAsSeen));
  const mine: ExistingRecord[] = [];
  for (const record of guesses) if (isMine(record) && !(await isTheirs(record))) mine.push(record);
  const [first, ...rest] = mine;
  if (first === undefined) return 'no';
  const far = apart(body, first);
  const isAsNear = (other: Values): boolean =>
    holds(first, other, stored.mayBe) && apart(other, first) <= far && !equal(other, body);
  const isNew = first.id !== null && made(first) === true && stored.isPast(mark?.highest ?? null, first.id);
  const isOnly = rest.every((one) => apart(body, one) > far || equal(one.values, first.values));
  if (!isNew || !isOnly || (await rivals.are(isAsNear))) return null;
  return isNamed(first) || isLikely(stored, body, first.values, all) ? first : null;
}

/** The same, or nothing: a service may not keep the field. */
export const orNothing =
  (alike: SameField): SameField =>
  (field, held, sent) =>
    isNothing(held) || alike(field, held, sent);

/** No service is thought to keep less of a text, as long as nothing shows it. */
const SHORTEST_CUT = 8;

/** Whether a service may hold these values as it was sent a body, by what other records of it hold. */
export function isLikely(
  stored: StoredValues,
  body: Values,
  values: ExistingRecord['values'],
  others: readonly Pick<ExistingRecord, 'values'>[],
): boolean {
  return Object.entries(body).every(([field, sent]) => {
    const pair = { sent, held: values[field] ?? null };
    if (stored.isAsSeen(field, pair.held, sent) || !isByHand(pair)) return true;
    const habit = stored.habitWith(field, pair);
    if (habit === null || (habit.cut !== null && habit.cut < SHORTEST_CUT)) return false;
    // Case and marks are left alone: only what is shortened can be held against what is there.
    if (typeof sent === 'string' && habit.cut === null) return true;
    return others.every(({ values: { [field]: held } }) =>
      typeof held === 'string'
        ? habit.cut === null || [...held].length <= habit.cut
        : held === undefined || sameValue(held, habit.apply(held)),
    );
  });
}

interface OpenCreate {
  readonly seq: number;
  readonly body: Values;
}

const openAt = new WeakMap<readonly ExistingRecord[], Map<string, Promise<readonly OpenCreate[]>>>();

/**
 * The other creates of the run of which it is not known what they made. The ledger is read once for all that
 * look at one list: whatever may have made a record on it had gone out when it came.
 */
async function otherDoubts(
  { ledger, resource }: ContextOf<Resource>,
  { run, planned: { seq: own } }: SendDoubt,
  list: readonly ExistingRecord[],
) {
  const known = openAt.get(list) ?? new Map<string, Promise<readonly OpenCreate[]>>();
  openAt.set(list, known);
  const reading = known.get(run) ?? openCreates({ ledger, resource }, run);
  known.set(run, reading);
  const others = await reading;
  const isOpenStill = async (seq: number): Promise<boolean> => {
    const [row] = await ledger.readRows(run, { after: seq - 1, limit: 1 });
    return row?.planned.seq === seq && isOpen(row);
  };
  return {
    /** Whether what one of them sent is such. */
    async are(isSuch: (body: Values) => boolean): Promise<boolean> {
      for (const { seq, body } of others)
        if (seq !== own && isSuch(body) && (await isOpenStill(seq))) return true;
      return false;
    },
  };
}

async function openCreates(
  { ledger, resource }: Pick<ContextOf<Resource>, 'ledger' | 'resource'>,
  run: string,
): Promise<readonly OpenCreate[]> {
  const found: OpenCreate[] = [];
  for await (const row of eachRow(ledger, run)) {
    const { seq, resource: name, steps } = row.planned;
    if (name === resource.name && steps[0]?.purpose === 'create' && isOpen(row))
      found.push({ seq, body: plainValues(steps[0].body) });
  }
  return found;
}

function isOpen({ progress, outcome }: StoredResult): boolean {
  const isOut = progress?.done === 0 && progress.sendingSince !== null;
  return isOut && (outcome === null || outcome.status === 'unknown');
}

function equal(one: Readonly<Record<string, unknown>>, other: Readonly<Record<string, unknown>>): boolean {
  return Object.keys({ ...one, ...other }).every((field) => one[field] === other[field]);
}
