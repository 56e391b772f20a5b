import type { Issue } from '../core/issue.ts';
import { t } from '../core/language.ts';
import { type FieldChange, SELF, type Step } from '../core/plan.ts';
import type { Value } from '../core/value.ts';
import type { Dialect } from '../schema/dialect.ts';
import type { Field } from '../schema/field.ts';
import type { Resource, WriteEndpoint } from '../schema/resource.ts';
import { changesTo, type ExistingRecord, type RecordResource, type SameField } from './existing-record.ts';
import { keeping } from './last-applied.ts';
import { issueOfLack, issueOn, type MappedRow, type SheetColumns } from './mapped-row.ts';

/** The requests of a row, what they change, and why they can't be made. */
interface RowSteps {
  readonly steps: readonly Step[];
  readonly changes: readonly FieldChange[];
  readonly issues: readonly Issue[];
}

type Body = Step['body'];
type Writes = Readonly<Record<'create' | 'update' | 'remove', WriteEndpoint>>;

/** Whether an update takes a field; a key only where the service keeps any. */
function updates(resource: Resource, name: string, { externalId }: Dialect): boolean {
  const { update } = resource.fields[name] as Field;
  if (externalId === 'never' && 'external' in resource && name === resource.external) return false;
  return update === 'required' || update === 'optional' || (update === 'dialect' && externalId === 'update');
}

/**
 * The steps that make a record with the `names` of a row, and put on it what only an update takes; `made` names
 * the record in the first, `own` in the second. What the row lacks is an issue.
 */
export function createSteps(
  row: MappedRow,
  names: readonly string[],
  [made, own]: readonly [Body, Body],
  dialect: Dialect,
): RowSteps {
  const { resource } = row.mapping;
  const { create, update } = resource.requests as Writes;
  const body: Record<string, Body[string]> = { ...made };
  const later: Record<string, Body[string]> = { ...own };
  const added: string[] = [];
  const issues: Issue[] = [];
  for (const name of names) {
    const { create: status } = resource.fields[name] as Field;
    const value = row.values[name] ?? null;
    if (value === null && status === 'required') issues.push(issueOfLack(row, name));
    if (value === null) continue;
    const isTaken = status === 'dialect' ? dialect.externalId === 'create' : status !== 'none';
    if (isTaken) body[name] = value;
    else if (updates(resource, name, dialect)) {
      later[name] = value;
      added.push(name);
    }
  }
  const steps: Step[] = [{ purpose: 'create', endpoint: create.name, body }];
  // A record is there without its key too.
  const purpose = added.every((name) => resource.keys.includes(name)) ? 'key' : 'update';
  if (added.length > 0) steps.push({ purpose, endpoint: update.name, body: later });
  return { steps, changes: [], issues };
}

/** What becomes of the rows of a sheet on records that have an id. */
export type RecordRequests = ReturnType<typeof createRequests>;

/** Makes the requests of a sheet's rows, by what the declaration says that they take. */
export function createRequests({ resource, columnOf, set }: SheetColumns<RecordResource>, dialect: Dialect) {
  const { id, fields } = resource;
  const { create, update, remove } = resource.requests as Partial<Writes> & Pick<Writes, 'update'>;
  const isHeld = (name: string): boolean => columnOf.has(name) || set.some(({ field }) => field === name);
  const own = Object.keys(fields).filter((name) => name !== id);
  const held = own.filter(isHeld);
  const created = own.filter((name) => isHeld(name) || fields[name]?.create === 'required');
  const always = own.filter((name) => fields[name]?.update === 'required');
  return {
    /** Absent where the service alone makes such records. */
    create: create && ((row: MappedRow) => createSteps(row, created, [{}, { [id]: SELF }], dialect)),
    /** What brings a record to what the row says; what only a create takes is a warning. */
    update(row: MappedRow, existing: ExistingRecord, same?: SameField): RowSteps {
      const differs = changesTo(existing, row, held, same);
      const changes = differs.filter(({ field }) => updates(resource, field, dialect));
      const issues = differs.flatMap(({ field, from, to }) => {
        if (fields[field]?.update !== 'none' || fields[field].create === 'none') return [];
        const hint = from === null ? t('none', 'geen') : String(from);
        return issueOn(row, field, { code: 'create-only', found: to === null ? '#CLEAR' : String(to), hint });
      });
      if (changes.length === 0) return { steps: [], changes, issues };
      const body: Record<string, Value> = { [id]: existing.id };
      // From the record where the row leaves them out.
      for (const name of always) {
        body[name] =
          row.values[name] ??
          ownValue(fields[name], keeping(existing, name)) ??
          ownValue(fields[name], existing.values[name]);
        if (body[name] === null) issues.push(issueOfLack(row, name));
      }
      for (const { field, to } of changes) body[field] = to;
      return { steps: [{ purpose: 'update', endpoint: update.name, body }], changes, issues };
    },
    /** Absent where the service deletes none. */
    remove:
      remove &&
      (({ id: own }: ExistingRecord): Step => ({
        ...{ purpose: 'delete', endpoint: remove.name },
        ...(remove.body === undefined ? { body: {}, params: { ID: own ?? 0 } } : { body: { [id]: own } }),
      })),
  };
}

/** A record's value, as far as its own type takes it. */
const ownValue = (field: Field | undefined, value: Value | undefined): Value =>
  value !== undefined && field?.codec.wire.safeParse(value).success === true ? value : null;
