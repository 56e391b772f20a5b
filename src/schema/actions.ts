import type { Resource } from './resource.ts';

const ACTIONS = [
  ['create', 'create'],
  ['update', 'update'],
  ['remove', 'delete'],
] as const;

/** The values that `#action` takes on a resource's sheet. */
export function actionsOf({ requests }: Pick<Resource, 'requests'>): string[] {
  const can = ACTIONS.flatMap(([request, action]) => (request in requests ? [action] : []));
  return [...can, 'skip'];
}
