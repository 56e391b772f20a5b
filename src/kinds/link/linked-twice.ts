import { type Language, t } from '../../core/language.ts';
import { valueText } from '../../core/row-text.ts';
import { type ExistingRecord, sameValue } from '../../records/existing-record.ts';
import type { MappedRow } from '../../records/mapped-row.ts';
import { type RowDecision, refuseField } from '../../records/row-decision.ts';
import type { LinkResource } from '../../schema/resource.ts';
import { type LinkValues, ownFields } from './links.ts';

type Row = MappedRow<LinkResource>;

/** How many rows delete each pair; `keys`: the pair of each row. */
export function countDeletes(
  rows: readonly Row[],
  keys: readonly (string | null)[],
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [at, { action }] of rows.entries()) {
    const key = keys[at] ?? null;
    if (key !== null && action === 'delete') counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** A pair as the service holds it. */
interface LinkedPair {
  readonly links: readonly LinkValues[];
  /** The link of the pair that the row is about. */
  readonly existing: ExistingRecord | null;
  /** Rows that delete the pair. */
  readonly deleting: number;
}

/** Refuses what would hit other links of a pair too (interface 4.5), but for deletes of them all. */
export function unlessTwice(
  row: Row,
  decision: RowDecision,
  { links, existing, deleting }: LinkedPair,
): RowDecision {
  const { action } = decision;
  if (links.length < 2 || (action !== 'update' && action !== 'delete')) return decision;
  if (action === 'delete' && deleting >= links.length) return decision;
  const { resource } = row.mapping;
  const names = ownFields(resource);
  // The one that the row says most of, else the one that it changes.
  const alike = links.map((link) => {
    const said = names.filter((name) => row.values[name] !== undefined);
    const held = names.every((name) => link[name] === existing?.values[name]);
    return said.filter((name) => sameValue(link[name], row.values[name] ?? null)).length * 2 + (held ? 1 : 0);
  });
  const own = alike.indexOf(Math.max(...alike));
  const others = links.filter((_, at) => at !== own);
  const said = (language: Language): string =>
    others.map((link) => linkText(link, names, language)).join('; ');
  return refuseField(row, resource.child, 'linked-twice', t(said('en'), said('nl')));
}

const linkText = (link: LinkValues, names: readonly string[], language: Language): string =>
  names
    .flatMap((name) => (link[name] == null ? [] : [`${name} ${valueText(link[name], language)}`]))
    .join(', ');
