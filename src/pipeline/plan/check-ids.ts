import { type Finding, issueAt } from '../../schema/issue.ts';
import type { Lookup, LookupEntry } from '../../schema/lookup.ts';
import { nearest } from '../../schema/nearest.ts';
import type { Unplaced } from '../kinds/kind.ts';
import type { LookupLists } from '../lookups.ts';
import { addressOf } from '../map/map-row.ts';
import type { SheetMapping } from '../map/sheet-mapping.ts';

/** A column that takes the ids of a list. */
interface IdColumn {
  readonly field: string;
  readonly lookup: Lookup;
}

/**
 * Warns of ids that rows of a sheet would send and that their list lacks. No more than a warning, also where warnings stop
 * rows: whether a list holds all there are is not shown (interface 2.9), and the service has the last word. A list is
 * read only when an id is to be sent; one that can't be had, or may lack entries, says nothing.
 */
export function createIdCheck(
  lists: LookupLists,
  mapping: SheetMapping,
): (rows: readonly Unplaced[]) => Promise<void> {
  const columns = idColumns(mapping).map((column) => ({
    ...column,
    told: new Map<number, Finding>(),
    entries: undefined as Entries | undefined,
  }));
  return async (rows) => {
    const sending = columns.filter(({ field }) => rows.some((row) => sentId(row, field) !== null));
    await Promise.all(
      sending.map(async (column) => (column.entries ??= await wholeList(lists, column.lookup))),
    );
    for (const { field, told, entries } of sending) {
      if (entries === NONE) continue;
      for (const row of rows) {
        const id = sentId(row, field);
        if (id !== null && entries?.has(id) === false)
          warn(row, field, findingOf(id, entries, told), mapping);
      }
    }
  };
}

function idColumns({ resource, columns, set }: SheetMapping): IdColumn[] {
  const fields = new Set([...columns.values(), ...set.map(({ field }) => field)]);
  return [...fields].flatMap((field) => {
    const lookup = resource.fields[field]?.lookup;
    return lookup === undefined || lookup.partial === true ? [] : [{ field, lookup }];
  });
}

/** The id that a row gives a field; null where it sends none, or the one that the record has. */
function sentId({ action, steps, changes }: Unplaced, field: string): number | null {
  if (action === 'update' && !changes.some((change) => change.field === field)) return null;
  for (let at = 0; at < steps.length; at++) {
    const id = steps[at]?.body[field];
    if (typeof id === 'number') return id;
  }
  return null;
}

type Entries = ReadonlyMap<number, LookupEntry>;

/** Of a list that can't be had, or may lack some. */
const NONE: Entries = new Map();

async function wholeList(lists: LookupLists, lookup: Lookup): Promise<Entries> {
  const list = await lists.read(lookup);
  return 'entries' in list && list.whole ? new Map(list.entries.map((entry) => [entry.id, entry])) : NONE;
}

function warn(row: Unplaced, field: string, finding: Finding, mapping: SheetMapping): void {
  const issue = issueAt(finding, { field, address: addressOf(mapping, field, row.row) });
  // In place, as the row is the planner's own and not saved yet.
  Object.assign(row, { issues: [...row.issues, issue] });
}

/** So many entries of a list are named. */
const SHOWN = 3;

/** For so many ids the ones like it are looked for; a column of other numbers altogether has no end of them. */
const MOST_NEAR = 100;

/** That a list lacks an id: names the ids like it, else the first of the list. */
function findingOf(id: number, entries: Entries, told: Map<number, Finding>): Finding {
  const known = told.get(id);
  if (known !== undefined) return known;
  const few = told.size < MOST_NEAR;
  const near = few ? nearest(String(id), [...entries.keys()].map(String), SHOWN) : [];
  const shown = near.length > 0 ? near.map(Number) : [...entries.keys()].slice(0, SHOWN);
  const list = shown.map((one) => `${one} ${entries.get(one)?.label}`).join(', ');
  const more = entries.size - shown.length;
  const [en, nl] = more > 0 ? [` and ${more} more`, ` en nog ${more}`] : ['', ''];
  const finding: Finding = {
    code: 'lookup-id-unknown',
    found: String(id),
    hint: { en: `the list has ${list}${en}`, nl: `in de lijst staan ${list}${nl}` },
  };
  if (few) told.set(id, finding);
  return finding;
}
