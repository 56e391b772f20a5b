import { t } from '../../core/language.ts';
import type { FieldChange, RecordReference, Step } from '../../core/plan.ts';
import type { Value } from '../../core/value.ts';
import { sameValue } from '../../records/existing-record.ts';
import { issueOfLack, type MappedRow } from '../../records/mapped-row.ts';
import type { LinkResource } from '../../schema/resource.ts';
import { type LinkValues, ownFields } from './links.ts';

type Row = MappedRow<LinkResource>;
type Body = Record<string, Value | RecordReference>;

const REQUIRED = t('required to link', 'verplicht om te koppelen');

/** What is linked to what. */
interface Ends {
  readonly parent: number | RecordReference;
  readonly child: number;
}

function endsBody({ parent, child }: LinkResource, ends: Ends): Body {
  return { [parent]: ends.parent, [child]: ends.child };
}

/** The link request, then what only an update takes. What the row lacks becomes an issue. */
export function linkSteps(row: Row, ends: Ends): Step[] {
  const { resource } = row.mapping;
  const { requests, fields } = resource;
  const body = endsBody(resource, ends);
  const later: Body = {};
  for (const name of ownFields(resource)) {
    const value = row.values[name] ?? null;
    const status = fields[name]?.create;
    if (value === null && status === 'required') row.issues.push(issueOfLack(row, name, REQUIRED));
    else if (value !== null && status === 'none') later[name] = value;
    else if (value !== null) body[name] = value;
  }
  const link: Step = { purpose: 'create', endpoint: requests.create.name, body };
  if (Object.keys(later).length === 0) return [link];
  const rest = { ...endsBody(resource, ends), ...later };
  return [link, { purpose: 'update', endpoint: requests.update.name, body: rest }];
}

/** What a row says otherwise than a link holds. */
export function linkChanges({ values, mapping }: Row, link: LinkValues): FieldChange[] {
  return ownFields(mapping.resource).flatMap((field) => {
    const to = values[field];
    const from = link[field] ?? null;
    return to === undefined || sameValue(from, to) ? [] : [{ field, from, to }];
  });
}

/** The request that changes a link. */
export function changeSteps(
  { mapping: { resource } }: Row,
  ends: Ends,
  changes: readonly FieldChange[],
): Step[] {
  const changed = Object.fromEntries(changes.map(({ field, to }) => [field, to]));
  const body = { ...endsBody(resource, ends), ...changed };
  return [{ purpose: 'update', endpoint: resource.requests.update.name, body }];
}

/** The request that unlinks. */
export function unlinkSteps({ mapping: { resource } }: Row, ends: Ends): Step[] {
  const body = { ...endsBody(resource, ends), DEL: true };
  return [{ purpose: 'delete', endpoint: resource.requests.remove.name, body }];
}
