import { cellText } from '../../core/codec.ts';
import type { Finding } from '../../core/issue.ts';
import { type Bilingual, t } from '../../core/language.ts';
import type { BaselineRecord } from '../../files/baseline-sheet.ts';
import { isSameText } from '../../files/shown-rows.ts';
import { kindOf } from '../../kinds/kinds.ts';
import { sameValue } from '../../records/existing-record.ts';
import { issueOn, type MappedRow } from '../../records/mapped-row.ts';
import type { Baseline } from '../../records/planning.ts';
import type { Resource } from '../../schema/resource.ts';

/** How much of a row must be as its record was: of a link beside its other key, else of a record. */
const ALIKE = { link: 0.5, record: 0.75 } as const;

/** What the workbook's records were. */
interface BaseRecords extends Pick<Baseline, 'find'> {
  has(resource: string, key: string): boolean;
  of(resource: string): Iterable<BaselineRecord>;
}

/**
 * Warns of rows whose key was changed since the workbook was written: they go to another record, and the one
 * that they were exported with stays as it is. Such a row holds what a record was that no row names any more.
 * `headersOf` as for `unsentCells`; all rows of the sheet are read only where a key is not the workbook's.
 */
export function changedKeys(
  { find, has, of }: BaseRecords,
  headersOf: (resource: string) => readonly string[],
): NonNullable<Baseline['changed']> {
  /** What no row of a sheet names, by the sheet. */
  const unnamed = new Map<string, readonly BaselineRecord[]>();
  const unnamedIn = async (rows: AsyncIterable<readonly MappedRow[]>, { name }: Resource) => {
    const named = new Set<string>();
    for await (const batch of rows)
      for (const row of batch) for (const key of namesOf(row)) named.add(find(name, key)?.key ?? key);
    const left: BaselineRecord[] = [];
    for (const record of of(name)) {
      if (!named.has(record.key)) left.push(record);
      if (left.length > MOST_LEFT) return [];
    }
    return left;
  };
  let compared = 0;
  return async (rows, all, strict) => {
    for (const row of rows) {
      const { resource } = row.mapping;
      const key = keyOf(row);
      if (row.action === 'skip' || row.action === 'delete' || row.action === 'create') continue;
      if (key === null || has(resource.name, key)) continue;
      const left = unnamed.get(row.mapping.sheet) ?? (await unnamedIn(all(), resource));
      unnamed.set(row.mapping.sheet, left);
      compared += left.length;
      if (compared > MOST_COMPARED) return;
      const was = likest(row, left, headersOf(resource.name));
      const ends = was === undefined ? undefined : changedField(row, was.key);
      if (was === undefined || ends === undefined) continue;
      const name = nameOf(was, resource, headersOf(resource.name));
      row.issues.push(issueOn(row, ends.field, finding(row, { ...ends, name }), strict));
    }
  };
}

/** Where more rows were taken out, nobody can tell which of them a row was. */
const MOST_LEFT = 5000;
/** Comparing so many takes a second or two. */
const MOST_COMPARED = 200_000;

/** The key by which a row names its record, as an export has it; null where it has none of the service. */
function keyOf({ values, mapping: { resource } }: MappedRow): string | null {
  return kindOf(resource).lister?.read(resource, values)?.key ?? null;
}

/** What names a row's record: the service's key, else numbers of the user's own. */
function namesOf(row: MappedRow): string[] {
  const key = keyOf(row);
  const { values, mapping } = row;
  return key === null ? mapping.resource.keys.map((field) => `external:${values[field]}`) : [key];
}

/** The record that a row is most like, where that is much. */
function likest(
  row: MappedRow,
  records: readonly BaselineRecord[],
  headers: readonly string[],
): BaselineRecord | undefined {
  let best: { readonly record: BaselineRecord; readonly share: number } | undefined;
  for (const record of records) {
    const changed = changedField(row, record.key);
    if (changed === undefined) continue;
    const least = changed.link === null ? ALIKE.record : ALIKE.link;
    const share = shareAlike(row, record, headers);
    if (share >= least && share > (best?.share ?? 0)) best = { record, share };
  }
  return best?.record;
}

/** How many of a row's values and shown texts are as the record was, of 1; yes and no say little. */
function shareAlike(
  { values, told = [], mapping: { resource } }: MappedRow,
  { values: were, shown = [] }: BaselineRecord,
  headers: readonly string[],
): number {
  const own = Object.entries(values).flatMap(([field, value]) =>
    value === null || typeof value === 'boolean' || resource.keys.includes(field)
      ? []
      : sameValue(were[field], value),
  );
  const beside = told.flatMap(({ header, cell }) => {
    const was = shown[headers.indexOf(header)];
    return was === undefined || cell.type === 'boolean' ? [] : isSameText(was, cellText(cell));
  });
  const all = [...own, ...beside];
  return all.length < FEWEST ? 0 : all.filter((alike) => alike).length / all.length;
}

/** Fewer cells than these say nothing. */
const FEWEST = 3;

/** The field whose key was changed, and what it was; undefined where more than one was. */
function changedField(row: MappedRow, key: string): ChangedField | undefined {
  const { values, mapping } = row;
  const [were, are] = [key, keyOf(row) ?? ''].map((one) => one.match(/\d+/g) ?? []);
  const ends = (are ?? []).map((is, at) => {
    const field = mapping.resource.keys.find((name) => String(values[name]) === is);
    return { field: field ?? '', is, was: were?.[at] ?? '' };
  });
  const [changed, ...more] = ends.filter(({ is, was }) => is !== was);
  if (changed === undefined || more.length > 0 || were?.length !== ends.length) return undefined;
  const link = ends.length === 1 ? null : ends.map(({ field, was }) => `${field} ${was}`).join(', ');
  return { field: changed.field, was: changed.was, link };
}

interface ChangedField {
  readonly field: string;
  readonly was: string;
  /** All that named it, where a key is of two records. */
  readonly link: string | null;
}

/** What people call the record. */
function nameOf(
  { values, shown = [] }: BaselineRecord,
  { label, fields }: Resource,
  headers: readonly string[],
): string | null {
  const told = label === undefined ? null : (values[label] ?? shown[headers.indexOf(label)] ?? null);
  return told === null || told === '' || fields[label ?? ''] === undefined ? null : String(told);
}

function finding(
  { values }: MappedRow,
  { field, was, link, name }: ChangedField & { readonly name: string | null },
): Finding {
  const linked = `${link}${name === null ? '' : ` (${name})`}`;
  const record = name === null ? was : `${was} ${name}`;
  const hint: Bilingual =
    link === null
      ? t(
          `it was ${record} in the export, which stays as it is; this row is now about ${values[field]}`,
          `in de export was het ${record}, en dat blijft zoals het is; deze rij gaat nu over ${values[field]}`,
        )
      : t(
          `in the export it was ${linked}, which stays linked; to replace it, also add a row with those two numbers and delete in #action`,
          `in de export was het ${linked}, en dat blijft gekoppeld; voeg om het te vervangen ook een rij toe met die twee nummers en delete in #action`,
        );
  return { code: 'key-changed', found: String(values[field]), hint };
}
