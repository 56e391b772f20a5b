import type { Value } from '../core/value.ts';
import { type TwoListField, twoListFields, updateIds } from '../run/update-ids.ts';
import type { ExistingRecord } from './existing-record.ts';
import type { MappedRow, NamedIds } from './mapped-row.ts';
import type { PlannerSetup } from './planning.ts';

/**
 * Whether a row has an id, or a name, that a create and an update take from different lists, so that its
 * record tells which is meant. `held`: the record.
 */
export function hasTwoIds({ mapping, namedIds, values }: MappedRow, held: ExistingRecord | null): boolean {
  if (namedIds !== undefined) return true;
  if (held === null) return false;
  for (const { field } of twoListsOf(mapping.resource))
    if (typeof values[field] === 'number' && values[field] !== held.values[field]) return true;
  return false;
}

const known = new WeakMap<MappedRow['mapping']['resource'], ReturnType<typeof twoListFields>>();

function twoListsOf(resource: MappedRow['mapping']['resource']): ReturnType<typeof twoListFields> {
  const fields = known.get(resource) ?? twoListFields(resource);
  known.set(resource, fields);
  return fields;
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
export async function withMeantIds<Row extends MappedRow>(row: Row, evidence: IdEvidence): Promise<Row> {
  const { existing } = evidence;
  if (!hasTwoIds(row, existing)) return row;
  const values = { ...row.values };
  for (const two of twoListsOf(row.mapping.resource)) {
    const { field } = two;
    const named = row.namedIds?.[field];
    const given = values[field];
    if (named !== undefined) {
      const id = existing === null ? named.create : byName(named, existing.values[field]);
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

/** The id that a create gave the record stands for the same name, as long as an update takes no such id. */
function byName({ create, update, updated }: NamedIds, held: Value | undefined): NamedIds['update'] {
  return typeof held === 'number' && held === create && !updated.has(held) ? held : update;
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
  const twin = ids.ofCreate(given);
  if (!ids.updated.has(given)) return twin;
  if (twin !== existing?.values[field] || key === null) return given;
  const writes = await ledger.findWrites(serviceKey, resource.name, [key]);
  const [first] = writes.get(key)?.steps ?? [];
  return first?.purpose === 'create' && first.body[field] === given ? twin : given;
}
