import type { Value, Values } from '../core/value.ts';
import type { Dialect } from '../schema/dialect.ts';
import type { Resource } from '../schema/resource.ts';
import type { HeldNow } from './field-memory.ts';

/** Whether a field holds nothing: services say none as zero, off or an empty text too. */
export const isNothing = (value: Value | undefined): boolean => !value;

/** What of these fields holds anything. */
export const filledIn = (names: readonly string[], held: HeldNow): Values =>
  Object.fromEntries(names.flatMap((name) => (isNothing(held[name]) ? [] : [[name, held[name] ?? null]])));

/** The fields that an update could send and that this body lacks. */
export function fieldsBeside(
  resource: Resource,
  { externalId }: Pick<Dialect, 'externalId'>,
  body: Readonly<Record<string, unknown>>,
): string[] {
  const key = 'external' in resource && externalId === 'update' ? resource.external : null;
  return Object.entries(resource.fields).flatMap(([name, { update, refers }]) => {
    const isTaken = update === 'optional' || update === 'required' || name === key;
    const isOwn = name === key || !resource.keys.includes(name);
    return isTaken && isOwn && refers === undefined && !(name in body) ? [name] : [];
  });
}
