import { issueAt } from '../../core/issue.ts';
import type { IssueCode } from '../../core/issue-catalogue.ts';
import type { Bilingual, Value } from '../../core/value.ts';
import { addressOf, type MappedRow } from '../../import/map/map-row.ts';
import type { AboutEvents, Resource } from '../../schema/resource.ts';
import type { References } from '../kind.ts';

type Row = MappedRow<Resource & AboutEvents>;

/** Finds the event that a row is about; null when there is none to be had, and the row says why. */
type EventOf = (row: Row) => Promise<number | null>;

/** By its id, or by an ExternalID, which is looked for around the row's day. */
export function createEventOf(references: References): EventOf {
  return async (row) => {
    const { event, day, fields } = row.mapping.resource;
    const id = row.values[event];
    const [name, refers] = referenceIn(fields, event);
    const external = name === undefined ? undefined : row.values[name];
    if (typeof external !== 'number' || refers === undefined) {
      if (typeof id === 'number') return id;
      return refuse(
        row,
        event,
        'key-missing',
        '',
        [event, ...(name === undefined ? [] : [name])].join(' / '),
      );
    }
    const moment = row.values[day];
    const on = typeof moment === 'string' ? moment.slice(0, 10) : undefined;
    const found = await references.find(refers, external, on);
    if (typeof found === 'object' && 'id' in found && (id == null || id === found.id)) return found.id;
    if (typeof found === 'object' && 'id' in found)
      return refuse(row, event, 'keys-differ', id, `${name} ${external} is ${event} ${found.id}`);
    if (typeof found === 'object' && 'several' in found)
      return refuse(row, name ?? event, 'reference-ambiguous', external, found.several.join(', '));
    // Not every service keeps an ExternalID: it says nothing against the id beside it.
    if (typeof id === 'number') return id;
    if (on === undefined) return refuse(row, name ?? event, 'day-missing', external, day);
    return refuse(row, name ?? event, 'record-missing', external, refers.resources.join(' / '));
  };
}

function referenceIn(fields: Resource['fields'], event: string) {
  const found = Object.entries(fields).find(([, { refers }]) => refers?.sets === event);
  return [found?.[0], found?.[1].refers] as const;
}

/** Puts an issue on a cell of the row, unless that cell has one already; answers null. */
export function refuse(
  row: MappedRow,
  field: string,
  code: IssueCode,
  found: Value | undefined,
  hint: string | Bilingual,
): null {
  if (row.issues.some((issue) => issue.field === field && issue.severity === 'error')) return null;
  const place = { field, address: addressOf(row.mapping, field, row.row) };
  row.issues.push(issueAt({ code, found: String(found ?? ''), hint }, place));
  return null;
}
