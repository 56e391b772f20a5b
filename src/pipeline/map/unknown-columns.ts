import { distance } from 'fastest-levenshtein';
import { normaliseHeader } from '../../schema/header.ts';
import type { Resource } from '../../schema/resource.ts';

/** A header that means nothing here, and the fields that it may be meant as. */
export interface UnknownColumn {
  /** As typed, on one line. */
  readonly header: string;
  readonly near: readonly string[];
}

const bare = (name: string): string => normaliseHeader(name).replace(/[^\p{L}\p{N}#]/gu, '');

/** So many letters may differ: a slip of the finger, not another word. */
const slips = (name: string): number => (name.length < 5 ? 0 : Math.max(1, Math.floor(name.length / 5)));

/** Fields that a header is the begin of, when it tells them apart from most others: `Omschrijving`, not `Aantal`. */
function begunBy(header: string, fields: readonly string[]): readonly string[] {
  const begun = header.length < 6 ? [] : fields.filter((field) => bare(field).startsWith(header));
  return begun.length > 2 ? [] : begun;
}

/** A header that the resource doesn't have, with the few of its fields that look like it and that no column has. */
export function unknownColumn(header: string, resource: Resource, taken: ReadonlySet<string>): UnknownColumn {
  const wanted = bare(header);
  const free = Object.keys(resource.fields).filter((field) => !taken.has(field));
  const near =
    wanted === '' ? [] : free.filter((field) => distance(wanted, bare(field)) <= slips(bare(field)));
  return {
    header: header.replace(/\s+/g, ' ').trim(),
    near: near.length > 0 ? near.slice(0, 2) : begunBy(wanted, free),
  };
}
