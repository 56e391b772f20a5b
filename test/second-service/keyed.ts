import { done, refuse } from './answers.ts';
import { forKind } from './knobs.ts';
import { type Call, number } from './route.ts';
import type { Field } from './schema.ts';
import type { Answer, Values } from './types.ts';

/** A kind of record that can have an id of another system. */
export type KeyedKind = 'package' | 'recipe' | 'event';

/** The record that an update is about, and the fields that it may clear. */
export interface Target {
  readonly id: number;
  readonly fields: readonly Field[];
}

/** Creates a record, or updates the target, unless a reference is wrong or its external id is another one's. */
export function write(
  { world, source }: Call,
  kind: KeyedKind,
  sent: Values,
  references: Readonly<Record<string, { has(id: number): boolean }>>,
  target?: Target,
): Answer {
  const idName = kind === 'event' ? 'id' : 'ProductID';
  const wrong = Object.entries(references).filter(([name, ids]) => {
    const value = sent[name];
    return typeof value === 'number' && !ids.has(value);
  });
  if (wrong.length > 0 && world.knobs.values.checkReferences) {
    const told = wrong.map(([name]) => [name, [`The selected ${name} is invalid.`]]);
    return refuse(world, Object.fromEntries(told), idName);
  }
  const { externalIdUnique, externalId } = world.knobs.values;
  if (externalIdUnique !== false && forKind(externalId, kind, 'kept') !== 'never') {
    const wanted = number(sent, 'ExternalID');
    const entries = world.stores[kind].entries();
    if (entries.some(([id, { ExternalID }]) => id !== target?.id && wanted !== 0 && ExternalID === wanted)) {
      const errors = { ExternalID: ['The ExternalID has already been taken.'] };
      return refuse(world, errors, idName, externalIdUnique);
    }
  }
  if (!target) return done(world, idName, world.create(kind, sent, source));
  world.update(kind, target.id, sent, source, target.fields);
  return done(world, idName, target.id);
}
