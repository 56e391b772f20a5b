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
 * Makes the steps that make a record with the `names` of a row, and put on it what only an update takes; `made`
 * names the record in the first, `own` in the second. What the row lacks is an issue.
 */
export function stepsOfCreates(resource: Resource, names: readonly string[], dialect: Dialect) {
  const { create, update } = resource.requests as Writes;
  const fields = names.map((name) => {
    const { create: status } = resource.fields[name] as Field;
    const isTaken = status === 'dialect' ? dialect.externalId === 'create' : status !== 'none';
    return { name, status, isTaken, isAdded: !isTaken && updates(resource, name, dialect) };
  });
  const [makeBody, addBody] = [bodies(), bodies()];
  return (row: MappedRow, [made, own]: readonly [Body, Body]): RowSteps => {
    const taken: string[] = [];
    const added: string[] = [];
    const issues: Issue[] = [];
    for (const { name, status, isTaken, isAdded } of fields) {
      const isEmpty = (row.values[name] ?? null) === null;
      if (isEmpty && status === 'required') issues.push(issueOfLack(row, name));
      if (isEmpty) continue;
      if (isTaken) taken.push(name);
      else if (isAdded) added.push(name);
    }
    const steps: Step[] = [
      { purpose: 'create', endpoint: create.name, body: makeBody(made, taken, row.values) },
    ];
    // A record is there without its key too.
    const purpose = added.every((name) => resource.keys.includes(name)) ? 'key' : 'update';
    if (added.length > 0)
      steps.push({ purpose, endpoint: update.name, body: addBody(own, added, row.values) });
    return { steps, changes: [], issues };
  };
}

/** Makes bodies of rows that mostly have the same fields: by a copy, as adding each takes five times as long. */
function bodies() {
  let last: Body = {};
  let fields: readonly string[] = [];
  return (first: Body, names: readonly string[], values: MappedRow['values']): Body => {
    const isAlike = names.length === fields.length && names.every((name, at) => name === fields[at]);
    const body: Record<string, Body[string]> = isAlike ? { ...last, ...first } : { ...first };
    for (const name of names) body[name] = values[name] ?? null;
    [last, fields] = [body, names];
    return body;
  };
}

/** Makes the requests of a sheet's rows, by what the declaration says that they take. */
export function createRequests({ resource, columnOf, set }: SheetColumns<RecordResource>, dialect: Dialect) {
  const { id, fields } = resource;
  const { create, update, remove } = resource.requests as Partial<Writes> & Pick<Writes, 'update'>;
  const isHeld = (name: string): boolean => columnOf.has(name) || set.some(({ field }) => field === name);
  const own = Object.keys(fields).filter((name) => name !== id);
  const held = own.filter(isHeld);
  const created = own.filter((name) => isHeld(name) || fields[name]?.create === 'required');
  const always = own.filter((name) => fields[name]?.update === 'required');
  const steps = create && stepsOfCreates(resource, created, dialect);
  return {
    /** Absent where the service alone makes such records. */
    create: steps && ((row: MappedRow) => steps(row, [{}, { [id]: SELF }])),
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
