import type { FieldChange, Step } from '../core/plan.ts';
import { createNameFinder, type LookupLists } from '../run/lookup-lists.ts';
import type { Field, Lookup, LookupEntry } from '../schema/field.ts';
import type { Resource } from '../schema/resource.ts';
import type { ExistingRecord } from './existing-record.ts';
import type { MappedRow } from './mapped-row.ts';
import type { PlannerSetup, UnplacedRow } from './planning.ts';

/** A field of which a create and an update take ids of different lists (interface 2.3). */
type TwoListField = Required<Pick<Field, 'lookup' | 'updateLookup'>> & { readonly field: string };

/** Such fields of a resource. */
export function twoListFields({ fields }: Resource): TwoListField[] {
  return Object.entries(fields).flatMap(([field, { lookup, updateLookup }]) =>
    lookup === undefined || updateLookup === undefined ? [] : [{ field, lookup, updateLookup }],
  );
}

/** What an update sends for an id, by the names in both lists. */
interface UpdateIds {
  /** The ids that an update takes. */
  readonly updated: ReadonlySet<number>;
  /** For an id that a create takes: that of the same name; itself where there is not just one. */
  ofCreate(id: number): number;
}

/** Null where a list can't be read, or is empty. */
const updateIds = (lists: LookupLists, { lookup, updateLookup }: TwoListField): Promise<UpdateIds | null> =>
  lists.once(`ids of ${updateLookup.name}`, async () => {
    const read = async (one: Lookup): Promise<readonly LookupEntry[]> => {
      const list = await lists.read(one);
      return 'entries' in list ? list.entries : [];
    };
    const [created, entries] = await Promise.all([read(lookup), read(updateLookup)]);
    if (created.length === 0 || entries.length === 0) return null;
    const names = new Map(created.map(({ id, label }) => [id, label]));
    const find = createNameFinder(entries);
    const ofCreate = (id: number): number => {
      const named = find(names.get(id) ?? '');
      return named.length === 1 ? (named[0]?.id ?? id) : id;
    };
    return { updated: new Set(entries.map(({ id }) => id)), ofCreate };
  });

/**
 * Whether a row has an id, or a name, that a create and an update take from different lists, so that its
 * record tells which is meant. `held`: the record.
 */
export function hasTwoIds(
  { namedIds, values }: MappedRow,
  held: ExistingRecord | null,
  fields: readonly TwoListField[],
): boolean {
  if (namedIds !== undefined) return true;
  if (held === null) return false;
  return fields.some(
    ({ field }) => typeof values[field] === 'number' && values[field] !== held.values[field],
  );
}

/** What tells which ids a row means. */
interface IdEvidence extends Pick<PlannerSetup, 'context' | 'lists'> {
  /** The row's record; null where there is none. */
  readonly existing: ExistingRecord | null;
  readonly key: string | null;
}

/**
 * Such a row with the ids that are meant: those that an update takes where its record is there, else those
 * that a create takes. What is wrong with a name becomes an issue of the row.
 */
export async function withMeantIds<Row extends MappedRow>(
  row: Row,
  fields: readonly TwoListField[],
  evidence: IdEvidence,
): Promise<Row> {
  const { existing } = evidence;
  const values = { ...row.values };
  for (const two of fields) {
    const { field } = two;
    const named = row.namedIds?.[field];
    const given = values[field];
    if (named !== undefined) {
      const { create, update, updated } = named;
      // The id that a create gave the record stands for the same name, as long as an update takes no such id.
      const isHeld = typeof create === 'number' && existing?.values[field] === create && !updated.has(create);
      const id = existing === null || isHeld ? create : update;
      if (typeof id === 'number') values[field] = id;
      else {
        delete values[field];
        row.issues.push(id);
      }
    } else if (typeof given === 'number' && existing !== null && existing.values[field] !== given)
      values[field] = await byNumber(row, given, two, evidence);
  }
  return { ...row, values, namedIds: undefined };
}

/** A number is an id that an update takes, unless it is the one that the record was created with. */
async function byNumber(
  { mapping: { resource } }: MappedRow,
  given: number,
  two: TwoListField,
  { context: { ledger, serviceKey }, lists, existing, key }: IdEvidence,
): Promise<number> {
  const ids = await updateIds(lists, two);
  if (ids === null) return given;
  const { field } = two;
  const same = ids.ofCreate(given);
  if (!ids.updated.has(given)) return same;
  if (same !== existing?.values[field] || key === null) return given;
  const [first] = (await ledger.findWrites(serviceKey, resource.name, [key])).get(key)?.steps ?? [];
  return first?.purpose === 'create' && first.body[field] === given ? same : given;
}

/**
 * Turns the ids that planned updates would send into those that an update takes, by name. The lists are read
 * when the first such id is to be sent.
 */
export async function sendUpdateIds(
  lists: LookupLists,
  fields: readonly TwoListField[],
  rows: readonly UnplacedRow[],
): Promise<void> {
  for (const two of fields) {
    const sending = rows.filter((row) => row.steps.some((step) => idSent(row, step, two.field) !== null));
    const ids = sending.length === 0 ? null : await updateIds(lists, two);
    if (ids !== null) for (const row of sending) translate(row, two.field, ids);
  }
}

function translate(row: UnplacedRow, field: string, { updated, ofCreate }: UpdateIds): void {
  const isCreates = row.steps[0]?.purpose === 'create';
  const idOf = (id: number): number => (!isCreates && updated.has(id) ? id : ofCreate(id));
  const steps = row.steps.map((step): Step => {
    const id = idSent(row, step, field);
    return id === null ? step : { ...step, body: { ...step.body, [field]: idOf(id) } };
  });
  let { changes } = row;
  if (!isCreates && !changes.some((change) => change.field === field)) {
    // An id that it takes along from the record is changed too.
    const carried = row.steps.map((step) => idSent(row, step, field)).find((id) => id !== null) ?? null;
    if (carried !== null && idOf(carried) !== carried)
      changes = [...changes, { field, from: carried, to: carried }];
  }
  const sent = (change: FieldChange): FieldChange =>
    !isCreates && change.field === field && typeof change.to === 'number'
      ? { ...change, to: idOf(change.to) }
      : change;
  // In place, as the row is the planner's own and not saved yet.
  Object.assign(row, { steps, changes: changes.map(sent) });
}

/** The id that a step other than a create sends for a field, as it was made if it says no other; null where it sends none. */
function idSent({ steps: [first] }: UnplacedRow, { purpose, body }: Step, field: string): number | null {
  const id = body[field] ?? first?.body[field];
  return purpose !== 'create' && typeof id === 'number' ? id : null;
}
