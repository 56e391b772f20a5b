import type { PlannedRow, RecordReference, RowDependency } from '../../core/plan.ts';
import type { MappedRow } from '../../import/map/map-row.ts';
import type { LinkResource } from '../../schema/resource.ts';
import type { References, Referred } from '../kind.ts';
import type { Links } from './links.ts';
import type { ParentLists } from './parent-lists.ts';

/** What a row says of the record it links to. */
export type Parent =
  /** It exists, unless `links` is null. */
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
export function referenceField({ fields, parent }: LinkResource): string | null {
  const found = Object.entries(fields).find(([, { refers }]) => refers?.sets === parent);
  return found?.[0] ?? null;
}

/** Finds the parents that rows name; an ExternalID is looked for once. */
export function createParents(
  resource: LinkResource,
  lists: ParentLists,
  references: References,
): (row: Row) => Promise<Parent> {
  const known = new Map<number, Promise<Referred>>();
  const name = referenceField(resource);
  const refers = name === null ? undefined : resource.fields[name]?.refers;
  const find = (external: number, day: string | undefined): Promise<Referred> => {
    if (refers === undefined) return Promise.resolve('missing');
    const found = known.get(external) ?? references.find(refers, external, day);
    known.set(external, found);
    return found;
  };
  return async ({ values }) => {
    const id = values[resource.parent];
    const external = name === null ? undefined : values[name];
    const referred = typeof external === 'number' ? await find(external, dayOf(resource, values)) : undefined;
    if (typeof id === 'number') return differs(id, referred) ?? { id, links: await lists.of(id) };
    if (referred === undefined) return 'unnamed';
    if (referred === 'missing' || 'blocked' in referred || 'several' in referred) return referred;
    if ('id' in referred) return { id: referred.id, links: await lists.of(referred.id) };
    return { ...referred, external: Number(external) };
  };
}

/** An ExternalID that is found nowhere says nothing against the id beside it: not every service keeps them. */
function differs(id: number, referred: Referred | undefined): Parent | null {
  if (referred === undefined || referred === 'missing') return null;
  if ('blocked' in referred || 'several' in referred) return null;
  if (!('id' in referred)) return { other: null };
  return referred.id === id ? null : { other: referred.id };
}

/** A link is on about the same day as what it is linked to. */
function dayOf({ fields }: LinkResource, values: Row['values']): string | undefined {
  const moment = Object.entries(values).find(([name]) => fields[name]?.codec.type === 'datetime')?.[1];
  return typeof moment === 'string' ? moment.slice(0, 10) : undefined;
}
