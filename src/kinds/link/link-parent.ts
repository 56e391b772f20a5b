import { t } from '../../core/language.ts';
import type { PlannedRow, RecordReference, RowDependency } from '../../core/plan.ts';
import { askedOnce } from '../../records/asked-once.ts';
import type { MappedRow } from '../../records/mapped-row.ts';
import {
  type ReferenceColumn,
  type References,
  type Referred,
  referenceColumn,
} from '../../records/references.ts';
import { type RowDecision, refuseField } from '../../records/row-decision.ts';
import type { LinkResource } from '../../schema/resource.ts';
import type { Links, ParentLists } from './links.ts';

/** What a row says of the record it links to. */
export type LinkParent =
  | { readonly id: number; readonly links: Links | null }
  /** An earlier row creates it. */
  | { readonly reference: RecordReference; readonly need: RowDependency; readonly external: number }
  | { readonly blocked: PlannedRow }
  | { readonly several: readonly string[] }
  /** Its two keys are of two records: the one by ExternalID, null where that is still to be made. */
  | { readonly other: number | null }
  | 'missing'
  | 'unnamed';

type Row = MappedRow<LinkResource>;

/** The column that names the parent by a key of its own; null where a resource has none. */
export const parentColumn = (resource: LinkResource): ReferenceColumn | null =>
  referenceColumn(resource, resource.parent);

/** Finds the parents that rows name; an ExternalID is looked for once. */
export function createParents(
  resource: LinkResource,
  lists: ParentLists,
  references: References,
): (row: Row) => Promise<LinkParent> {
  const column = parentColumn(resource);
  const find = askedOnce(async (external: number, day: string | undefined): Promise<Referred> => {
    return column === null ? 'missing' : await references.find(column.refers, external, day);
  });
  return async ({ values }) => {
    const id = values[resource.parent];
    const external = column === null ? undefined : values[column.name];
    const referred = typeof external === 'number' ? await find(external, dayOf(resource, values)) : undefined;
    if (typeof id === 'number') return differs(id, referred) ?? { id, links: await lists.of(id) };
    if (referred === undefined) return 'unnamed';
    if (referred === 'missing' || 'blocked' in referred || 'several' in referred) return referred;
    if ('id' in referred) return { id: referred.id, links: await lists.of(referred.id) };
    return { ...referred, external: Number(external) };
  };
}

/** An unknown ExternalID does not contradict the id beside it: not every service keeps them. */
function differs(id: number, referred: Referred | undefined): LinkParent | null {
  if (referred === undefined || referred === 'missing') return null;
  if ('blocked' in referred || 'several' in referred) return null;
  if (!('id' in referred)) return { other: null };
  return referred.id === id ? null : { other: referred.id };
}

/** The day of a link, which is about that of what it is linked to. */
function dayOf({ fields }: LinkResource, values: Row['values']): string | undefined {
  const moment = Object.entries(values).find(([name]) => fields[name]?.codec.type === 'datetime')?.[1];
  return typeof moment === 'string' ? moment.slice(0, 10) : undefined;
}

/** Says on the row's key why there is nothing to link to. */
export function refuseParent(row: Row, parent: LinkParent): RowDecision {
  const { resource } = row.mapping;
  const column = parentColumn(resource);
  const reference = column?.name ?? resource.parent;
  if (parent === 'unnamed') {
    const column = row.mapping.columnOf.has(reference) ? reference : resource.parent;
    return refuseField(row, column, 'key-missing', `${resource.parent} / ${reference}`);
  }
  if (parent === 'missing')
    return refuseField(row, reference, 'record-missing', whereOf(resource, reference));
  if ('several' in parent)
    return refuseField(row, reference, 'reference-ambiguous', parent.several.join(', '));
  if ('blocked' in parent) {
    const { sheet, row: number } = parent.blocked;
    const hint = t(`${sheet} row ${number}`, `${sheet} rij ${number}`);
    return refuseField(row, reference, 'parent-not-sent', hint);
  }
  if ('other' in parent)
    return refuseField(row, reference, 'keys-differ', otherText(row, resource.parent, parent.other));
  return refuseField(row, resource.parent, 'record-missing', whereOf(resource, reference));
}

/** Names resources, as `--as` takes them: what the workbook calls its sheets is not known here. */
function whereOf({ fields }: LinkResource, reference: string): string {
  return fields[reference]?.refers?.resources.join(', ') ?? '';
}

function otherText({ values }: Row, parent: string, other: number | null) {
  const id = values[parent];
  if (other === null)
    return t(
      `it belongs to a record that is still to be created, not to ${parent} ${id}`,
      `het hoort bij een record dat nog wordt aangemaakt, niet bij ${parent} ${id}`,
    );
  return t(
    `it belongs to ${parent} ${other}, not to ${id}`,
    `het hoort bij ${parent} ${other}, niet bij ${id}`,
  );
}
