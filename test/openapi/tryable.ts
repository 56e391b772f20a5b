import { z } from 'zod';
import { interfaceDocument } from '../../src/index.ts';

type Json = Record<string, unknown>;

const { components } = interfaceDocument() as { readonly components: { readonly schemas: Json } };

/** A schema of the OpenAPI document as one that can be tried. */
export function tryable(schema: Json): z.ZodType {
  const own = JSON.parse(JSON.stringify({ ...schema, $defs: components.schemas })) as Json;
  const moved = JSON.stringify(own).replaceAll('#/components/schemas/', '#/$defs/');
  return z.fromJSONSchema(JSON.parse(moved) as Parameters<typeof z.fromJSONSchema>[0]);
}
