import { stopsRow } from '../core/issue.ts';
import type { IssueCode } from '../core/issue-catalogue.ts';
import { type Bilingual, t } from '../core/language.ts';
import type { Value } from '../core/value.ts';
import { asksNothing, issueOfLack, issueOn, type MappedRow, rowPlaceText } from '../records/mapped-row.ts';
import { planInWindows, type RowPlanner, type UnplacedRow } from '../records/planning.ts';
import { type References, referenceColumn } from '../records/references.ts';
import { INVALID, placeDecision, type RowDecision, refuseAction, SKIPPED } from '../records/row-decision.ts';
import type { AboutEvents, Resource } from '../schema/resource.ts';

const SIDE_BY_SIDE = 16;

/**
 * Plans rows that are carried out as they stand: `look` finds out what a row is about, many rows at a time
 * (null: the row has an issue that says why not); `decide` is called in their order.
 */
export function planCommandRows<R extends Resource, Found>(
  look: (row: MappedRow<R>) => Promise<Found | null>,
  decide: (row: MappedRow<R>, found: Found) => Promise<RowDecision> | RowDecision,
): RowPlanner {
  const decided = async (row: MappedRow<R>, found: Found | null): Promise<RowDecision> => {
    if (row.action === 'skip') return SKIPPED;
    return found === null || stopsRow(row.issues) ? INVALID : await decide(row, found);
  };
  return planInWindows<R>({ window: SIDE_BY_SIDE }, async (rows) => {
    const found = await Promise.all(rows.map(look));
    const planned: UnplacedRow[] = [];
    for (const [at, row] of rows.entries())
      planned.push(placeDecision(row, await decided(row, found[at] ?? null)));
    return planned;
  });
}

const REQUIRED = t('required', 'verplicht');

const ONLY_DONE = t(
  'rows of this sheet are carried out as they are; leave #action empty, or write skip',
  'rijen van dit werkblad worden uitgevoerd zoals ze er staan; laat #action leeg, of vul skip in',
);

/** Puts issues on a row for what it lacks, but for `except`; false where there is nothing to look up. */
export function checkAsked(row: MappedRow, except: string): boolean {
  if (asksNothing(row)) return false;
  if (row.action === 'update' || row.action === 'delete') refuseAction(row, 'action-not-possible', ONLY_DONE);
  for (const [name, field] of Object.entries(row.mapping.resource.fields)) {
    if (field.create !== 'required' || name === except || row.values[name] != null) continue;
    const said = row.issues.some((issue) => issue.field === name && issue.severity === 'error');
    if (!said || !row.mapping.columnOf.has(name)) row.issues.push(issueOfLack(row, name, REQUIRED));
  }
  return !stopsRow(row.issues);
}

type Row = MappedRow<Resource & AboutEvents>;

/** Finds a row's event by id, or by an ExternalID; null: an issue says why there is none. */
export function createEventOf(references: References) {
  return async (row: Row): Promise<number | null> => {
    const { event, day } = row.mapping.resource;
    const id = row.values[event];
    const column = referenceColumn(row.mapping.resource, event);
    const external = column === null ? undefined : row.values[column.name];
    if (typeof external !== 'number' || column === null) {
      if (typeof id === 'number') return id;
      const keys = column === null ? event : `${event} / ${column.name}`;
      return refuseCell(row, event, 'key-missing', '', keys);
    }
    const { name, refers } = column;
    const moment = row.values[day];
    const on = typeof moment === 'string' ? moment.slice(0, 10) : undefined;
    const found = await references.find(refers, external, on);
    if (typeof found === 'object' && 'id' in found)
      return id == null || id === found.id
        ? found.id
        : refuseCell(row, event, 'keys-differ', id, `${name} ${external} is ${event} ${found.id}`);
    if (typeof found === 'object' && 'several' in found)
      return refuseCell(row, name, 'reference-ambiguous', external, found.several.join(', '));
    // Not every service keeps an ExternalID: it says nothing against the id beside it.
    if (typeof id === 'number') return id;
    return refuseCell(row, name, 'record-missing', external, refers.sheets);
  };
}

/** Puts an issue on a cell of the row, unless that cell has one already; answers null. */
export function refuseCell(
  row: MappedRow,
  field: string,
  code: IssueCode,
  found: Value | undefined,
  hint: string | Bilingual,
): null {
  if (row.issues.some((issue) => issue.field === field && issue.severity === 'error')) return null;
  row.issues.push(issueOn(row, field, { code, found: String(found ?? ''), hint }));
  return null;
}

/** Remembers what rows of a run do: null for the first that does this; any other is skipped, for that row. */
export function createSameRows() {
  const first = new Map<string, MappedRow>();
  return (what: string, row: MappedRow): RowDecision | null => {
    const earlier = first.get(what);
    first.set(what, earlier ?? row);
    if (earlier === undefined) return null;
    const { en, nl } = rowPlaceText({ row: earlier.row, sheet: earlier.mapping.sheet });
    return { action: 'skip', message: t(`the same as ${en}`, `hetzelfde als ${nl}`) };
  };
}
