import type { MappedRow } from '../import/map/map-row.ts';
import type { CatalogueResource, EventResource } from '../schema/resource.ts';

/** A resource whose records have an id of the service's and may have an ExternalID of the user's. */
export type KeyedResource = CatalogueResource | EventResource;

/** The key by which a row names its record. */
export function namedBy({ values, mapping: { resource } }: MappedRow<KeyedResource>): string {
  return values[resource.id] === undefined ? resource.external : resource.id;
}
