import type { FieldChange, RecordReference } from '../../core/plan.ts';
import type { Value, Values } from '../../core/value.ts';
import { ownFields } from '../../kinds/link/links.ts';
import type { LinkResource } from '../../schema/resource.ts';
import type { History } from './history.ts';
import { linkedMore, linkLost, NO_ID } from './texts.ts';
import { plainValues } from './undo-record.ts';
import { restoreFields, type Undone } from './undo-row.ts';

/** The id of a record that had none yet when the request was planned; null where it has none still. */
export type FindId = (value: Value | RecordReference | undefined) => Promise<number | null>;

/** What is to be looked up to take a link back. */
interface LinkLookups {
  readonly findId: FindId;
  /** What the service puts into a new link to this record of itself. */
  readonly fresh: (child: number) => Promise<Values>;
}

/** Takes back what a run did to a link: unlinks, links again with what it held, or gives the old values back. */
export async function undoLink(
  resource: LinkResource,
  history: History,
  { findId, fresh }: LinkLookups,
): Promise<Undone> {
  const [parent, child] = await Promise.all(
    [resource.parent, resource.child].map((end) => findId(history.sent[end] ?? null)),
  );
  if (parent == null || child == null) return { row: null, cannot: [NO_ID] };
  const ends = { [resource.parent]: parent, [resource.child]: child };
  const about = { resource: resource.name, key: `${parent}:${child}`, lmt: null };
  if (history.last === 'deleted') return linkAgain(resource, history, ends, about);
  if (history.last === 'made' && !history.existed) {
    const own = ownFields(resource);
    // Someone else may have filled in what was not sent.
    const nothing = Object.fromEntries(own.map((field) => [field, null]));
    const values = {
      ...nothing,
      ...(await fresh(child)),
      ...plainValues(history, (field) => own.includes(field)),
    };
    return {
      row: { resource, cells: { '#action': 'delete', ...ends }, base: { ...about, values } },
      cannot: [],
    };
  }
  return changeBack(resource, history, ends, about);
}

type About = { readonly resource: string; readonly key: string; readonly lmt: null };

/** The base says that nothing is linked: what someone else linked since is a conflict. */
function linkAgain(resource: LinkResource, { before }: History, ends: Values, about: About): Undone {
  const links = held(before);
  const [first] = links;
  if (first === undefined) return { row: null, cannot: [linkLost] };
  const changes = ownFields(resource).flatMap((field) =>
    first[field] == null ? [] : [{ field, from: first[field], to: null }],
  );
  const { cells, was: values, left } = restoreFields(resource, changes);
  const cannot = links.length > 1 ? [...left, linkedMore(links.length)] : left;
  return { row: { resource, cells: { ...ends, ...cells }, base: { ...about, values } }, cannot };
}

function changeBack(resource: LinkResource, history: History, ends: Values, about: About): Undone {
  const changes = [...changesOf(resource, history)].filter(({ from, to }) => from !== to);
  const { cells, was: values, left: cannot } = restoreFields(resource, changes);
  const restores = Object.keys(cells).length > 0;
  return {
    row: restores ? { resource, cells: { ...ends, ...cells }, base: { ...about, values } } : null,
    cannot,
  };
}

/** The links that were there, as the plan of the first row on them tells it. */
function held(before: string | null): readonly Values[] {
  return before === null ? [] : (JSON.parse(before) as readonly Values[]);
}

/** What became other than it was; of a link that was made once more, what it holds other than before. */
function changesOf(resource: LinkResource, history: History): Iterable<FieldChange> {
  if (history.last !== 'made') return history.changes.values();
  const [before = {}] = held(history.before);
  const after = plainValues(history, () => true);
  return ownFields(resource).map((field) => ({
    field,
    from: before[field] ?? null,
    to: after[field] ?? null,
  }));
}
