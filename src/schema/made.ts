import type { Made } from '../core/counts.ts';
import type { Resource } from './resource.ts';

/** Kinds whose creates make no record that people would call created. */
const MADE: Readonly<Partial<Record<Resource['kind'], Made>>> = {
  ...{ posting: 'posted', count: 'posted', download: 'fetched', document: 'uploaded' },
};

/** Tells what the creates of one of these resources are called; undefined where they are creates. */
export function madeIn(resources: readonly Resource[]): (resource: string) => Made | undefined {
  const kinds = new Map(resources.map(({ name, kind }) => [name, MADE[kind]]));
  return (resource) => kinds.get(resource);
}
