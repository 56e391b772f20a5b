import { type Bilingual, type Language, t } from '../core/language.ts';
import type { FieldChange, RecordReference } from '../core/plan.ts';
import type { Value, Values } from '../core/value.ts';
import type { BaselineRecord } from '../files/baseline-sheet.ts';
import type { Context } from '../run/context.ts';
import type { CatalogueResource, EventResource, Resource, TripResource } from '../schema/resource.ts';
import { plainValues } from './existing-record.ts';
import type { ContextOf } from './planning.ts';

/** What one run did to one record, all its rows together. */
export interface RecordHistory {
  readonly resource: string;
  readonly sheet: string;
  readonly row: number;
  id: number | null;
  external: number | null;
  /** What people call it, as its rows or the service told; null where neither did. */
  label: string | null;
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
  /** What the run left, which others may have changed since. */
  readonly base: BaselineRecord | null;
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
  readonly run: string;
  /** Gives fields their old values, those that a cell can say. */
  restore(resource: Resource, changes: readonly FieldChange[]): RestoredFields;
  /** The id of a record by now; null where it has none still. */
  findId(value: Value | RecordReference | undefined): Promise<number | null>;
  /** What the service gives a new record of itself that was sent this. */
  newValues(resource: Resource, sent: Values): Promise<Values>;
  /** All resources, for what a row of another sheet takes back. */
  readonly resources: readonly Resource[];
  /** Wall clock, the moment of what is booked. */
  readonly now: string;
  readonly language: Language;
}

const DELETED = t(
  'it was deleted, and the service gives its number out no more: make it anew by hand where it is missed',
  'het is verwijderd, en het systeem geeft zijn nummer niet meer uit: maak het zo nodig met de hand opnieuw',
);
const NOT_DELETABLE = t(
  'it was created, and the service cannot delete it: cancel it by hand',
  'het is aangemaakt, en het systeem kan het niet verwijderen: annuleer het met de hand',
);

/** Neither an answer nor the ledger told the id. */
export const NO_ID: Bilingual = t(
  'its number on the service is not known: look it up and take it back by hand',
  'het nummer in het systeem is niet bekend: zoek het op en draai het met de hand terug',
);

type RecordResource = CatalogueResource | EventResource | TripResource;

/** Takes back what a run did to a record; `fresh`: what the service gives a new one of itself. */
export function undoRecord(
  resource: RecordResource,
  history: RecordHistory,
  restore: UndoTools['restore'],
  fresh: Values = {},
): UndoneRecord {
  const { id, external, last, changes, sent } = history;
  const made = last === 'made';
  if (last === 'deleted') return cannot(DELETED);
  if (made && !('remove' in resource.requests)) return cannot(NOT_DELETABLE);
  if (id === null) return cannot(NO_ID);
  const key = `id:${id}`;
  const names: Record<string, Value> = { [resource.id]: id };
  if ('external' in resource && external !== null) names[resource.external] = external;
  const label = resource.label === undefined ? null : (sent[resource.label] ?? history.label);
  if (typeof label === 'string') names[resource.label ?? ''] = label;
  if (!made) return restoringRow(resource, names, { key, values: names }, changes.values(), restore);
  const values = asMade(resource, history, fresh);
  return undoneRow(resource, { '#action': 'delete', ...names }, { key, values });
}

/** What can't be taken back, and why. */
export const cannot = (...why: Bilingual[]): UndoneRecord => ({ row: null, cannot: why });

/** What a record that the run made holds, sent or given; without the ExternalID and flags not known. */
function asMade(resource: RecordResource, history: RecordHistory, fresh: Values): Record<string, Value> {
  const sent = plainValues(history.sent);
  const values = Object.entries(resource.fields).flatMap(([name, field]): [string, Value][] => {
    if (resource.keys.includes(name) || field.update === 'none' || field.update === 'unsent') return [];
    const value = sent[name] ?? fresh[name];
    if (value !== undefined) return [[name, value]];
    return field.codec.type === 'boolean' || name in history.sent ? [] : [[name, null]];
  });
  return Object.fromEntries(values);
}

/** What a run left of a record, by the planner's key. */
type LeftRecord = Pick<BaselineRecord, 'key' | 'values'>;

/** A row with these cells, beside what the run left. */
export function undoneRow(
  resource: Resource,
  cells: Values,
  left: LeftRecord,
  cannot: readonly Bilingual[] = [],
): UndoneRecord {
  return { row: { resource, cells, base: { resource: resource.name, lmt: null, ...left } }, cannot };
}

/** A row that takes changes of a record back; null where no cell can say the old values. */
export function restoringRow(
  resource: Resource,
  keys: Values,
  { key, values }: LeftRecord,
  changes: Iterable<FieldChange>,
  restore: UndoTools['restore'],
): UndoneRecord {
  const { cells, was, left } = restore(
    resource,
    [...changes].filter(({ from, to }) => from !== to),
  );
  if (Object.keys(cells).length === 0) return cannot(...left);
  return undoneRow(resource, { ...keys, ...cells }, { key, values: { ...values, ...was } }, left);
}

/** The fact in the ledger that tells what the service gives a new record of itself, or a link to a record. */
export const newValuesFact = (resource: Resource, sent: Values): string =>
  'child' in resource
    ? `a new link of ${resource.name} to ${sent[resource.child]}`
    : `a new record of ${resource.name}`;

/** What the service gives a new record of itself, as far as known. */
export async function findNewValues(
  { ledger, serviceKey }: Pick<Context, 'ledger' | 'serviceKey'>,
  resource: Resource,
  sent: Values,
): Promise<Values> {
  return JSON.parse((await ledger.findFact(serviceKey, newValuesFact(resource, sent))) ?? '{}') as Values;
}

/** Remembers what the service put in those fields of a new record that were not sent: an undo tells it by that. */
export async function learnNewValues(
  context: ContextOf<Resource>,
  sent: Values,
  held: Readonly<Record<string, Value | undefined>>,
): Promise<void> {
  const { ledger, serviceKey, resource } = context;
  const known = await findNewValues(context, resource, sent);
  const unsent = Object.entries(held).filter(([name]) => !(name in sent) && !resource.keys.includes(name));
  if (unsent.every(([name]) => known[name] !== undefined)) return;
  const learned = { ...known, ...Object.fromEntries(unsent) };
  await ledger.rememberFact(serviceKey, newValuesFact(resource, sent), JSON.stringify(learned));
}
