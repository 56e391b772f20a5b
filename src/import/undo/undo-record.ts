import type { FieldChange } from '../../core/plan.ts';
import type { Bilingual, Value, Values } from '../../core/value.ts';
import { momentFields } from '../../kinds/event/times.ts';
import type { CatalogueResource, EventResource, TripResource } from '../../schema/resource.ts';
import type { History } from './history.ts';
import { cannotDelete, deletedForGood, goTogether, NO_ID } from './texts.ts';
import { type Restored, restoreFields, type Undone } from './undo-row.ts';

/** Resources whose records have an id. */
type RecordResource = CatalogueResource | EventResource | TripResource;

/**
 * Takes back what a run did to a record with an id: deletes what it made, gives what it changed the old values. `fresh` is
 * what the service gives a new record of itself, by field, as far as that is known.
 */
export function undoRecord(resource: RecordResource, history: History, fresh: Values = {}): Undone {
  const { id, last } = history;
  const made = last === 'made';
  if (last === 'deleted') return cannot(deletedForGood(id));
  if (made && resource.kind !== 'catalogue') return cannot(cannotDelete(id));
  if (id === null) return cannot(NO_ID);
  return made ? deleteRow(resource, history, id, fresh) : changeRow(resource, history, id);
}

const cannot = (...why: Bilingual[]): Undone => ({ row: null, cannot: why });

function deleteRow(resource: RecordResource, history: History, id: number, fresh: Values): Undone {
  const keys = keysOf(resource, history, id);
  return {
    row: {
      resource,
      cells: { '#action': 'delete', ...keys, ...labelOf(resource, history) },
      base: { resource: resource.name, key: `id:${id}`, lmt: null, values: asMade(resource, history, fresh) },
    },
    cannot: [],
  };
}

/**
 * What the run left in every field of a record that it made, which others may have worked on since: what was sent, else
 * what the service gives a new one. Whether it keeps the ExternalID is not for the base to say; nor what a flag is that was
 * not sent, where new records are not known.
 */
function asMade(resource: RecordResource, history: History, fresh: Values): Record<string, Value> {
  const sent = plainValues(history, () => true);
  const values = Object.entries(resource.fields).flatMap(([name, field]): [string, Value][] => {
    if (resource.keys.includes(name) || field.update === 'none' || field.update === 'unsent') return [];
    const value = sent[name] ?? fresh[name];
    if (value !== undefined) return [[name, value]];
    return field.codec.type === 'boolean' || name in history.sent ? [] : [[name, null]];
  });
  return Object.fromEntries(values);
}

function changeRow(resource: RecordResource, history: History, id: number): Undone {
  const shown = { ...keysOf(resource, history, id), ...labelOf(resource, history) };
  const changes = [...history.changes.values()].filter(({ from, to }) => from !== to);
  const { cells, was, left } = restore(resource, changes);
  const base = { resource: resource.name, key: `id:${id}`, lmt: null, values: { ...shown, ...was } };
  const restores = Object.keys(cells).length > 0;
  return { row: restores ? { resource, cells: { ...shown, ...cells }, base } : null, cannot: left };
}

/** The day of an event and its times are one: a day that goes back without them would leave an event on two days. */
function restore(resource: RecordResource, changes: readonly FieldChange[]): Restored {
  const restored = restoreFields(resource, changes);
  if (resource.kind !== 'event') return restored;
  const moment = momentFields(resource);
  const stays = changes.some(({ field }) => moment.includes(field) && !(field in restored.cells));
  const goes = moment.filter((field) => field in restored.cells);
  if (!stays || goes.length === 0) return restored;
  const others = changes.filter(({ field }) => !moment.includes(field));
  const { cells, was, left } = restoreFields(resource, others);
  return { cells, was, left: [...left, goTogether(goes, restored.left)] };
}

/** The id, and the user's own key beside it. */
function keysOf(resource: RecordResource, { external }: History, id: number): Record<string, Value> {
  const own = 'external' in resource && external !== null ? { [resource.external]: external } : {};
  return { [resource.id]: id, ...own };
}

/** What people know the record by, as the run left it: no more than shown, as it says what the base says. */
function labelOf(resource: RecordResource, { sent }: History): Record<string, Value> {
  const label = 'label' in resource ? sent[resource.label] : undefined;
  return 'label' in resource && typeof label === 'string' ? { [resource.label]: label } : {};
}

/** What was sent of these members, ids that were not known yet apart. */
export function plainValues({ sent }: History, wanted: (field: string) => boolean): Record<string, Value> {
  const plain = Object.entries(sent).filter(
    (entry): entry is [string, Value] =>
      wanted(entry[0]) && (typeof entry[1] !== 'object' || entry[1] === null),
  );
  return Object.fromEntries(plain);
}
