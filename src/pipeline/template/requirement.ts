import { type Field, readOnly } from '../../schema/field.ts';
import type { Resource } from '../../schema/resource.ts';
import type { ColumnRole } from '../../workbook/template-book.ts';

/** When a column must be filled in: on every row, on rows that create a record, or never. */
export type Need = 'always' | 'create' | 'never';

/** One field of a resource as a column to fill in. */
export interface TemplateField {
  readonly name: string;
  readonly field: Field;
  readonly role: Exclude<ColumnRole, 'mark'>;
  readonly need: Need;
  /** Other columns of which one can be filled in instead; `alone` where not both may be. */
  readonly instead: readonly string[];
  readonly alone: boolean;
  /** Only a row that creates a record can fill it in. */
  readonly onlyNew: boolean;
}

const ACTIONS = [
  ['create', 'create'],
  ['update', 'update'],
  ['remove', 'delete'],
] as const;

/** What the rows of a resource can say in `#action`. */
export function actionsOf({ requests }: Resource): string[] {
  const can = ACTIONS.flatMap(([request, action]) => (request in requests ? [action] : []));
  return [...can, 'skip'];
}

/** Whether rows have a `#key`: those that the service can't find again. */
export function hasKey({ kind }: Resource): boolean {
  return kind === 'posting' || kind === 'count';
}

/** The columns of a resource that people fill in: the required ones first, then the keys, then the others. */
export function templateFields(resource: Resource): TemplateField[] {
  const groups = groupsOf(resource);
  const fields = Object.entries(resource.fields)
    .filter(([, field]) => !readOnly(field))
    .map(([name, field]): TemplateField => {
      const need = needOf(resource, name);
      const role = need !== 'never' ? 'required' : resource.keys.includes(name) ? 'key' : 'optional';
      const group = groups.find((one) => one.includes(name)) ?? [];
      const instead = group.filter((other) => other !== name);
      const alone = resource.kind === 'count' && amountsOf(resource).includes(name);
      const onlyNew = 'update' in resource.requests && field.create !== 'none' && field.update === 'none';
      return { name, field, role, need, instead, alone, onlyNew };
    });
  return (['required', 'key', 'optional'] as const).flatMap((role) =>
    fields.filter((one) => one.role === role),
  );
}

function needOf(resource: Resource, name: string): Need {
  const { fields, keys, requests } = resource;
  const field = fields[name];
  if (field === undefined) return 'never';
  if (field.refers !== undefined) return needOf(resource, field.refers.sets);
  if (amountsOf(resource).includes(name)) return 'always';
  // What the service alone creates is found again by its number.
  if (!('create' in requests)) return field.update === 'required' ? 'always' : 'never';
  if (field.create !== 'required') return 'never';
  return 'update' in requests && !keys.includes(name) ? 'create' : 'always';
}

/** Columns of which one is enough. */
function groupsOf(resource: Resource): string[][] {
  const references = Object.entries(resource.fields).flatMap(([name, { refers }]) =>
    refers === undefined ? [] : [[refers.sets, name]],
  );
  const keys = 'external' in resource ? [[resource.id, resource.external]] : [];
  return [...references, ...keys, amountsOf(resource)];
}

/** The columns of a stock sheet's amounts: a mutation has one or both (interface 2.6), a count has one. */
function amountsOf(resource: Resource): string[] {
  if (resource.kind === 'posting') return resource.amounts.map(({ sent }) => sent);
  return resource.kind === 'count' ? resource.amounts.map(({ counted }) => counted) : [];
}
