import type { ServiceDocument } from './documents.ts';

/** Whether both are the same service, by the same profile: what one answered does not hold of the other. */
export const isSameService = (one: ServiceDocument, other: ServiceDocument): boolean =>
  one.kind === other.kind && one.profile === other.profile && one.address === other.address;
