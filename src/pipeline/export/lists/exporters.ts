import type { Resource } from '../../../schema/resource.ts';
import { catalogueExporter } from './catalogue.ts';
import { eventExporter } from './events.ts';
import type { ExportedResource, Exporter } from './exporter.ts';
import { linkExporter } from './links.ts';
import { stockExporter } from './stock.ts';
import { tripExporter } from './trips.ts';

const EXPORTERS: {
  readonly [K in ExportedResource['kind']]: Exporter<Extract<ExportedResource, { kind: K }>>;
} = {
  catalogue: catalogueExporter,
  event: eventExporter,
  link: linkExporter,
  trip: tripExporter,
  count: stockExporter,
};

/** How the records of a resource are listed for an export. */
export function exporterOf<R extends ExportedResource>(resource: R): Exporter<R> {
  return EXPORTERS[resource.kind] as unknown as Exporter<R>;
}

/** Whether the service gives a list of a resource's records. */
export function isExported(resource: Resource): resource is ExportedResource {
  return Object.hasOwn(EXPORTERS, resource.kind);
}
