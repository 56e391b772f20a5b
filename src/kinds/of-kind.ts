import type { Resource } from '../schema/resource.ts';

/** Those of the resources that are of a kind, in their order: for a kind that works with another's. */
export const ofKind = <K extends Resource['kind']>(
  resources: readonly Resource[],
  kind: K,
): Extract<Resource, { kind: K }>[] =>
  resources.filter((one): one is Extract<Resource, { kind: K }> => one.kind === kind);
