import { type Bilingual, t } from '../../core/language.ts';
import type { FieldChange } from '../../core/plan.ts';
import type { Values } from '../../core/value.ts';
import { plainValues } from '../../records/existing-record.ts';
import {
  cannot,
  deletingRow,
  NO_ID,
  type RecordHistory,
  restoringRow,
  type UndoneRecord,
  type UndoTools,
  undoneRow,
} from '../../records/undo.ts';
import type { LinkResource } from '../../schema/resource.ts';
import { newLinkTo, ownFields } from './links.ts';

/** Takes back what a run did to a link: unlinks, links again, or restores the old values. */
export async function undoLink(
  resource: LinkResource,
  history: RecordHistory,
  { findId, restore, newValues }: UndoTools,
): Promise<UndoneRecord> {
  const [parent, child] = await Promise.all(
    [resource.parent, resource.child].map((end) => findId(history.sent[end] ?? null)),
  );
  if (parent == null || child == null) return cannot(NO_ID);
  const header = resource.named?.find(({ id }) => id === resource.child)?.header;
  const named = header === undefined || history.label === null ? {} : { [header]: history.label };
  const ends = { [resource.parent]: parent, [resource.child]: child, ...named };
  const key = `${parent}:${child}`;
  if (history.last === 'deleted') return linkAgain(resource, history, key, ends, restore);
  if (history.last === 'made' && !history.existed) {
    // Someone else may have filled in what was not sent.
    const known = { ...(await newValues(newLinkTo(resource, child))), ...plainValues(history.sent) };
    const values = Object.fromEntries(ownFields(resource).map((field) => [field, known[field] ?? null]));
    return deletingRow(resource, ends, { key, values });
  }
  return restoringRow(resource, ends, { key, values: {} }, changesOf(resource, history), restore);
}

/** The base says that nothing is linked: what someone else linked since is a conflict. */
function linkAgain(
  resource: LinkResource,
  { before }: RecordHistory,
  key: string,
  ends: Values,
  restore: UndoTools['restore'],
): UndoneRecord {
  const [first] = held(before);
  if (first === undefined) return cannot(LINK_LOST);
  const changes = ownFields(resource).flatMap((field) =>
    first[field] == null ? [] : [{ field, from: first[field], to: null }],
  );
  const { cells, was: values, left } = restore(resource, changes);
  return undoneRow(resource, { ...ends, ...cells }, { key, values }, left);
}

/** The links that were there, as the plan of the first row on them tells it. */
function held(before: string | null): readonly Values[] {
  return before === null ? [] : (JSON.parse(before) as readonly Values[]);
}

/** What became other than it was; of a link that was made once more, what it holds other than before. */
function changesOf(resource: LinkResource, history: RecordHistory): Iterable<FieldChange> {
  if (history.last !== 'made') return history.changes.values();
  const [before = {}] = held(history.before);
  const after = plainValues(history.sent);
  return ownFields(resource).map((field) => ({
    field,
    from: before[field] ?? null,
    to: after[field] ?? null,
  }));
}

const LINK_LOST: Bilingual = t(
  'what the link held before is not known',
  'wat er in de koppeling stond is niet bekend',
);
