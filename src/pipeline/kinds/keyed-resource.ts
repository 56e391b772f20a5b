import type { CatalogueResource, EventResource } from '../../schema/resource.ts';

/** A resource whose records have an id of the service's and may have an ExternalID of the user's. */
export type KeyedResource = CatalogueResource | EventResource;
