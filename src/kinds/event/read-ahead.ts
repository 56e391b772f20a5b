import { issueAt, stopsRow } from '../../core/issue.ts';
import { addressOf, type MappedRow } from '../../import/map/map-row.ts';
import type { KnownRecord } from '../../ledger/ledger.ts';
import type { EventResource } from '../../schema/resource.ts';
import type { EarlierRows } from '../earlier-rows.ts';
import type { EventSource } from './event-source.ts';
import { readNeighbours } from './read-neighbours.ts';

type Row = MappedRow<EventResource>;

/** What the ledger knows, by ExternalID. */
export type Known = ReadonlyMap<number, KnownRecord>;

/** So many events of one month are asked for one by one rather than in its list. */
const FEW = 3;

/** A row's ExternalID. */
export function externalOf({ mapping, values }: Row): number | undefined {
  const external = values[mapping.resource.external];
  return typeof external === 'number' ? external : undefined;
}

function dayOf({ mapping, values }: Row): string | undefined {
  const date = values[mapping.resource.date];
  return typeof date === 'string' ? date.slice(0, 10) : undefined;
}

function idOf(row: Row, known: Known): number | undefined {
  const id = row.values[row.mapping.resource.id];
  return typeof id === 'number' ? id : known.get(externalOf(row) ?? Number.NaN)?.id;
}

/** Whether a row is about an event at all: none is deleted. */
export const asks = ({ action }: Row): boolean => action !== 'skip' && action !== 'delete';

/**
 * Reads the lists that a window of rows needs: those around the days of rows that nothing else finds, and those in
 * which rows of which the id is known lie so close together that the list is the cheaper read.
 */
export async function readAhead(
  rows: readonly Row[],
  known: Known,
  source: EventSource,
  margin: number,
): Promise<void> {
  const asking = rows.filter(asks);
  const unknown = asking.filter((row) => idOf(row, known) === undefined && externalOf(row) !== undefined);
  await source.cover(
    unknown.flatMap((row) => dayOf(row) ?? []),
    margin,
  );
  const byMonth = new Map<string, number>();
  for (const row of asking) {
    const [id, day] = [idOf(row, known), dayOf(row)];
    if (id === undefined || day === undefined || source.listed(id) !== undefined) continue;
    const month = day.slice(0, 7);
    if (!source.covers(day)) byMonth.set(month, (byMonth.get(month) ?? 0) + 1);
  }
  const busy = [...byMonth].filter(([, count]) => count > FEW);
  await source.cover(
    busy.map(([month]) => `${month}-01`),
    0,
  );
  const ids = asking.flatMap((row) => idOf(row, known) ?? []);
  await readNeighbours(new Set(ids), source);
}

/** A row that names an event by an ExternalID that nobody knows needs a day to look it up by. */
export async function requireDay(row: Row, known: Known, earlier: EarlierRows): Promise<void> {
  const external = externalOf(row);
  if (!asks(row) || stopsRow(row.issues) || row.action === 'create' || external === undefined) return;
  if (idOf(row, known) !== undefined || dayOf(row) !== undefined) return;
  if (earlier.renamed(external) !== undefined || (await earlier.has(`external:${external}`))) return;
  const { date, id } = row.mapping.resource;
  const place = { field: date, address: addressOf(row.mapping, date, row.row) };
  row.issues.push(issueAt({ code: 'day-missing', found: '', hint: `${date} / ${id}` }, place));
}
