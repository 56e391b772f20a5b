import { type Bilingual, type Language, t } from '../core/language.ts';
import type { FieldChange, RecordReference } from '../core/plan.ts';
import type { Value, Values } from '../core/value.ts';
import type { BaseRecord } from '../files/baseline-sheet.ts';
import type { CatalogueResource, EventResource, Resource, TripResource } from '../schema/resource.ts';

/** What one run did to one record, all its rows together. */
export interface RecordHistory {
  readonly resource: string;
  /** The first row that wrote it. */
  readonly sheet: string;
  readonly row: number;
  id: number | null;
  external: number | null;
  /** It was there before the run. */
  readonly existed: boolean;
  /** What the first row that wrote it was planned against; null where that is not known. */
  readonly before: string | null;
  /** What the run did last: wrote it, made it (once more, where it existed), or deleted it. */
  last: 'wrote' | 'made' | 'deleted';
  /** What was sent last of each member. */
  readonly sent: Record<string, Value | RecordReference>;
  /** What became other than it was, by field. */
  readonly changes: Map<string, FieldChange>;
}

/** A row of a workbook that takes a run back. */
export interface UndoRow {
  readonly resource: Resource;
  /** Values by header; `#action` and `#key` among them. */
  readonly cells: Readonly<Record<string, Value>>;
  /** What the run left behind, which others may have changed since. */
  readonly base: BaseRecord | null;
}

/** What a history comes to: a row, and what of it can't be taken back. */
export interface UndoneRecord {
  readonly row: UndoRow | null;
  readonly cannot: readonly Bilingual[];
}

/** Cells that bring fields back, what they were when the run was done, and what of it can't come back. */
export interface RestoredFields {
  readonly cells: Record<string, Value>;
  readonly was: Record<string, Value>;
  readonly left: readonly Bilingual[];
}

/** What a kind takes a run back with. */
export interface UndoTools {
  /** The run that is taken back. */
  readonly run: string;
  /** Gives fields their old values, those that a cell can say. */
  restore(resource: Resource, changes: readonly FieldChange[]): RestoredFields;
  /** The id of a record that had none yet when the request was planned; null where it has none still. */
  findId(value: Value | RecordReference | undefined): Promise<number | null>;
  /** What the service gives new records of itself; see `findNewValues`. */
  newValues(of: string): Promise<Values>;
  /** Of the program, for what is taken back by a row of another sheet. */
  readonly resources: readonly Resource[];
  /** Wall clock, for what takes place when it is taken back. */
  readonly now: string;
  readonly language: Language;
}

/** A deleted record does not come back under its number. */
function deletedForGood(id: number | null): Bilingual {
  const number = id === null ? '' : ` ${id}`;
  return t(
    `it was deleted, and the service gives the number${number} out no more: make it anew by hand where it is missed`,
    `het is verwijderd, en de dienst geeft het nummer${number} niet meer uit: maak het zo nodig met de hand opnieuw`,
  );
}

/** The run made it, and the service deletes none of its kind. */
function cannotDelete(id: number | null): Bilingual {
  const number = id === null ? '' : ` (${id})`;
  return t(
    `it was created${number}, and the service cannot delete it: cancel it by hand`,
    `het is aangemaakt${number}, en de dienst kan het niet verwijderen: annuleer het met de hand`,
  );
}

/** Neither an answer nor the ledger told the id. */
export const NO_ID: Bilingual = t(
  'its number on the service is not known: look it up and take it back by hand',
  'het nummer op de dienst is niet bekend: zoek het op en draai het met de hand terug',
);

/** Resources whose records have an id. */
type RecordResource = CatalogueResource | EventResource | TripResource;

/**
 * Takes back what a run did to a record with an id: deletes what it made, gives what it changed the old
 * values. `fresh` is what the service gives a new record of itself, by field, as far as that is known.
 */
export function undoRecord(
  resource: RecordResource,
  history: RecordHistory,
  restore: UndoTools['restore'],
  fresh: Values = {},
): UndoneRecord {
  const { id, last } = history;
  const made = last === 'made';
  if (last === 'deleted') return cannot(deletedForGood(id));
  if (made && !('remove' in resource.requests)) return cannot(cannotDelete(id));
  if (id === null) return cannot(NO_ID);
  return made ? deleteRow(resource, history, id, fresh) : changeRow(resource, history, id, restore);
}

const cannot = (...why: Bilingual[]): UndoneRecord => ({ row: null, cannot: why });

function deleteRow(
  resource: RecordResource,
  history: RecordHistory,
  id: number,
  fresh: Values,
): UndoneRecord {
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
 * What the run left in every field of a record that it made, which others may have worked on since: what was
 * sent, else what the service gives a new one. Whether it keeps the ExternalID is not for the base to say;
 * nor what a flag is that was not sent, where new records are not known.
 */
function asMade(resource: RecordResource, history: RecordHistory, fresh: Values): Record<string, Value> {
  const sent = plainValues(history, () => true);
  const values = Object.entries(resource.fields).flatMap(([name, field]): [string, Value][] => {
    if (resource.keys.includes(name) || field.update === 'none' || field.update === 'unsent') return [];
    const value = sent[name] ?? fresh[name];
    if (value !== undefined) return [[name, value]];
    return field.codec.type === 'boolean' || name in history.sent ? [] : [[name, null]];
  });
  return Object.fromEntries(values);
}

function changeRow(
  resource: RecordResource,
  history: RecordHistory,
  id: number,
  restore: UndoTools['restore'],
): UndoneRecord {
  const shown = { ...keysOf(resource, history, id), ...labelOf(resource, history) };
  const changes = [...history.changes.values()].filter(({ from, to }) => from !== to);
  const { cells, was, left } = restore(resource, changes);
  const base = { resource: resource.name, key: `id:${id}`, lmt: null, values: { ...shown, ...was } };
  const restores = Object.keys(cells).length > 0;
  return { row: restores ? { resource, cells: { ...shown, ...cells }, base } : null, cannot: left };
}

/** The id, and the user's own key beside it. */
function keysOf(resource: RecordResource, { external }: RecordHistory, id: number): Record<string, Value> {
  const own = 'external' in resource && external !== null ? { [resource.external]: external } : {};
  return { [resource.id]: id, ...own };
}

/** What people know the record by, as the run left it: no more than shown, as it says what the base says. */
function labelOf(resource: RecordResource, { sent }: RecordHistory): Record<string, Value> {
  const label = 'label' in resource ? sent[resource.label] : undefined;
  return 'label' in resource && typeof label === 'string' ? { [resource.label]: label } : {};
}

/** What was sent of these members, ids that were not known yet apart. */
export function plainValues(
  { sent }: RecordHistory,
  wanted: (field: string) => boolean,
): Record<string, Value> {
  const plain = Object.entries(sent).filter(
    (entry): entry is [string, Value] =>
      wanted(entry[0]) && (typeof entry[1] !== 'object' || entry[1] === null),
  );
  return Object.fromEntries(plain);
}
