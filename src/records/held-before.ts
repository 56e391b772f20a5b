import type { Time } from '../core/time.ts';
import type { Value, Values } from '../core/value.ts';
import { sameValue } from './existing-record.ts';
import type { HeldNow } from './field-memory.ts';
import type { createMark } from './mark.ts';
import type { ReadBackRecord, SentStep } from './row-guard.ts';

/** A record that may be read back. */
export interface Candidate {
  readonly key: string;
  readonly sent: SentStep;
  readonly body: Values;
  /** What its fields held before, as far as they were there. */
  readonly was: Values;
}

/** One that was read after it was written. */
export interface SeenAgain {
  readonly one: Pick<Candidate, 'body' | 'was'> & { readonly isMoved: boolean };
  readonly values: HeldNow;
}

/** What the fields of a record held before a request wrote them; of a create none. */
export function heldBefore({ step, planned, body }: SentStep): Values {
  if (step.purpose === 'create') return {};
  const from = new Map(planned.changes.map((change) => [change.field, change.from]));
  return Object.fromEntries(Object.keys(body).map((field) => [field, from.get(field) ?? null]));
}

/** Whether a record was read as it was before an update of it: reads may lag behind. */
function holdsBefore(
  { step, planned }: SentStep,
  held: Readonly<Record<string, Value | undefined>>,
): boolean {
  const told = planned.changes.filter(({ field }) => held[field] !== undefined);
  const isBefore = told.length > 0 && told.every(({ field, from }) => sameValue(held[field], from));
  return step.purpose === 'update' && isBefore;
}

/** Whether a record was written since the plan of a row read it, by its LMT. */
export const hasMoved = ({ planned }: SentStep, lmt: string | null): boolean =>
  planned.lmt !== null && lmt !== null && lmt !== planned.lmt;

/** Whether a list lacks a record that the run left there; each event has its own list of links. */
const isMissing = ({ key, sent }: Candidate, listed: ReadonlySet<string>): boolean =>
  key.startsWith('id:') && sent.step.purpose !== 'delete' && !listed.has(key);

/** What reading records again shows of what a run wrote last; `best` is the one that was asked for. */
export function compareAgain(
  records: readonly ReadBackRecord[],
  best: Candidate,
  written: ReadonlyMap<string, Candidate>,
  seen: Pick<ReturnType<typeof createMark>, 'saw'>,
) {
  const again: SeenAgain[] = [];
  let isBehind = false;
  for (const { key, id, lmt, values } of records) {
    const one = written.get(key);
    if (one === undefined) continue;
    const isMoved = hasMoved(one.sent, lmt);
    again.push({ one: { ...one, isMoved }, values });
    seen.saw({ id, lmt });
    isBehind ||= !isMoved && holdsBefore(one.sent, values);
  }
  const keys = new Set(records.map(({ key }) => key));
  const isList = records.some(({ key }) => key !== best.key);
  const lacksSome = isList && [...written.values()].some((one) => isMissing(one, keys));
  const isWhole = again.length > 0 && !isBehind && !lacksSome;
  return { again, isBehind, isWhole };
}

/** What is read as it was before is looked at again after so long, each time twice as long, ms. */
const FIRST_PAUSE = 100;
/** The last of these pauses, ms. */
const LAST_PAUSE = 800;

/** Looks again while reads lag behind, for a short while: what stays behind tells nothing. */
export async function lookUntilShown(time: Time, look: () => Promise<boolean>): Promise<void> {
  for (let wait = FIRST_PAUSE; !(await look()) && wait <= LAST_PAUSE; wait *= 2) await time.sleep(wait);
}

/** The fields in which records hold nothing, though each was sent something. */
export function emptyIn(seen: readonly SeenAgain[]): string[] {
  const held = new Map<string, boolean>();
  for (const { one, values } of seen)
    for (const [field, sent] of Object.entries(one.body))
      if (sent && values[field] !== undefined)
        held.set(field, held.get(field) === true || values[field] !== null);
  return [...held].flatMap(([field, isHeld]) => (isHeld ? [] : [field]));
}

/** What the last runs of which records were read back saw of them at once. */
export interface ReadBackMoment {
  /** Their newest LMT: up to then nobody else wrote them. */
  readonly moment?: { readonly run: string; readonly newest: string };
  /** The fields that held nothing of what was sent, where reads may have lagged behind that. */
  readonly empty?: { readonly run: string; readonly fields: readonly string[] };
}

/** Whether nobody wrote a record since a run did, by its LMT when that run, or one after it, read back. */
export function isReadBack(last: ReadBackMoment | null, run: string, lmt: string | null): boolean {
  const moment = last?.moment;
  // The names of runs are in the order of time; of a run that was cut off nothing was read back.
  return moment !== undefined && lmt !== null && run <= moment.run && lmt <= moment.newest;
}

/** Whether a field of the records that a run wrote held nothing right after that. */
export const wasEmpty = (last: ReadBackMoment | null, run: string, field: string): boolean =>
  last?.empty?.run === run && last.empty.fields.includes(field);
