import { t } from '../../core/language.ts';
import type { Values } from '../../core/value.ts';
import { plainValues } from '../../records/existing-record.ts';
import {
  cannot,
  NO_ID,
  type RecordHistory,
  restoringRow,
  type UndoneRecord,
  type UndoTools,
  undoneRow,
} from '../../records/undo.ts';
import type { LinkResource } from '../../schema/resource.ts';
import { ownFields } from './links.ts';

/** Takes back what a run did to a link: unlinks, links again, or restores the old values. */
export async function undoLink(
  resource: LinkResource,
  { sent, label, last, existed, before, changes }: RecordHistory,
  { findId, restore, newValues }: UndoTools,
): Promise<UndoneRecord> {
  const [parent, child] = await Promise.all(
    [resource.parent, resource.child].map((end) => findId(sent[end] ?? null)),
  );
  if (parent == null || child == null) return cannot(NO_ID);
  const header = resource.named?.find(({ id }) => id === resource.child)?.header;
  const named = header === undefined || label === null ? {} : { [header]: label };
  const ends = { [resource.parent]: parent, [resource.child]: child, ...named };
  const key = `${parent}:${child}`;
  const own = ownFields(resource);
  // As the plan of the first row on it tells it.
  const [held] = before === null ? [] : (JSON.parse(before) as readonly Values[]);
  const now = plainValues(sent);
  if (last === 'deleted') {
    if (held === undefined) return cannot(LINK_LOST);
    const lost = own.flatMap((field) =>
      held[field] == null ? [] : [{ field, from: held[field], to: null }],
    );
    const { cells, was: values, left } = restore(resource, lost);
    // The base says that nothing is linked: what someone else linked since is a conflict.
    return undoneRow(resource, { ...ends, ...cells }, { key, values }, left);
  }
  if (last === 'made' && !existed) {
    // Someone else may have filled in what was not sent.
    const known = { ...(await newValues(resource, { [resource.child]: child })), ...now };
    const values = Object.fromEntries(own.map((field) => [field, known[field] ?? null]));
    return undoneRow(resource, { '#action': 'delete', ...ends }, { key, values });
  }
  // Of a link that was made once more, what it holds other than before.
  const made = own.map((field) => ({ field, from: held?.[field] ?? null, to: now[field] ?? null }));
  const became = last === 'made' ? made : changes.values();
  return restoringRow(resource, ends, { key, values: {} }, became, restore);
}

const LINK_LOST = t('what the link held before is not known', 'wat er in de koppeling stond is niet bekend');
