import type { Values } from '../../core/value.ts';
import { createClock, wallTime } from './clock.ts';
import { type Connection, closeDatabase } from './database.ts';

/** The kinds of records that requests change. */
export const RECORD_KINDS = [
  'package',
  'recipe',
  'stock',
  'mutation',
  'event',
  'link',
  'trip',
  'document',
  'order',
  'orderCall',
] as const;

/** The kind of a stored record. */
export type RecordKind = (typeof RECORD_KINDS)[number];

/** A record as it is stored. */
export interface StoredRecord {
  readonly id: number;
  /** When it was last written: `YYYY-MM-DD hh:mm:ss.SSS`. */
  readonly lmt: string;
  readonly values: Values;
}

/** The service's records. Every call is one statement, unless it is made inside `atomic`. */
export type Store = ReturnType<typeof openStore>;

interface Row {
  readonly id: number;
  readonly lmt: string;
  readonly fields: string;
}

/** Packages and recipes share one series of ids. */
const seriesOf = (kind: string): string => (kind === 'package' || kind === 'recipe' ? 'product' : kind);

const stored = (row: Row): StoredRecord => ({ id: row.id, lmt: row.lmt, values: JSON.parse(row.fields) });

/** Opens the records over a prepared database. */
export function openStore(database: Connection) {
  const { byId, byExternal, byParent, between, modified, count, all, put, remove } = statements(database);
  const clock = createClock(lastWrite(database));
  const last = lastNumbers(database);

  // Every page of a list gives the total, and counting costs more than the page.
  const counts = new Map<string, number>();
  const countModified = (kind: RecordKind, since: string): number => {
    const key = `${kind} ${since}`;
    const known = counts.get(key) ?? (count.get(kind, since) as { n: number }).n;
    counts.set(key, known);
    return known;
  };

  const write = (kind: RecordKind, id: number, lmt: string, values: Values): void => {
    const at = typeof values.Datum === 'string' ? wallTime(values.Datum) : null;
    const parent = kind === 'event' ? null : (values.PartijID ?? null);
    counts.clear();
    put.run(kind, id, values.ExternalID ?? null, parent, at, lmt, JSON.stringify(values));
  };
  const nextNumber = (kind: RecordKind): number => (last.get(seriesOf(kind)) ?? 0) + 1;
  const one = (row: unknown): StoredRecord | undefined =>
    row === undefined ? undefined : stored(row as Row);
  const many = (rows: unknown[]): StoredRecord[] => (rows as Row[]).map(stored);

  return {
    get: (kind: RecordKind, id: number) => one(byId.get(kind, id)),
    /** The first record with this ExternalID, which need not be unique. */
    byExternal: (kind: RecordKind, externalId: number) => one(byExternal.get(kind, externalId)),
    /** The records of one event. */
    byEvent: (kind: RecordKind, partijId: number) => many(byParent.all(kind, partijId)),
    /** The records whose Datum lies from `from` up to and including `to`, by date. */
    between: (kind: RecordKind, from: string, to: string) => many(between.all(kind, from, to)),
    /** The records written after `since`, in that order. */
    modified: (kind: RecordKind, since: string, limit = -1, offset = 0) =>
      many(modified.all(kind, since, limit, offset)),
    countModified,
    all: (kind: RecordKind) => many(all.all(kind)),
    /** With the next number of its kind and at this moment by default. */
    insert(kind: RecordKind, values: Values, { id = nextNumber(kind), lmt = clock() }: Place = {}): number {
      write(kind, id, lmt, values);
      last.set(seriesOf(kind), Math.max(id, last.get(seriesOf(kind)) ?? 0));
      return id;
    },
    /** Sets the given fields and leaves the others; null clears. */
    update: ({ id, values }: StoredRecord, kind: RecordKind, changes: Values) =>
      write(kind, id, clock(), { ...values, ...changes }),
    remove: (kind: RecordKind, id: number) => {
      counts.clear();
      remove.run(clock(), kind, id);
    },
    atomic: <Result>(work: () => Result): Result => database.transaction(work)(),
    close: () => closeDatabase(database),
  };
}

type Place = Partial<Pick<StoredRecord, 'id' | 'lmt'>>;

/** The store's statements, prepared once. */
function statements(database: Connection) {
  const columns = 'SELECT id, lmt, fields FROM record WHERE kind = ?';
  const byId = database.prepare(`${columns} AND id = ?`);
  const byExternal = database.prepare(`${columns} AND external = ? ORDER BY id LIMIT 1`);
  const byParent = database.prepare(`${columns} AND parent = ? ORDER BY id`);
  const between = database.prepare(`${columns} AND at >= ? AND at <= ? ORDER BY at, id`);
  // The inner select runs over the index alone, which keeps far pages cheap; CROSS JOIN keeps it first.
  const modified = database.prepare(
    `SELECT record.id, record.lmt, record.fields
     FROM (SELECT kind, lmt, id FROM record WHERE kind = ? AND lmt > ? ORDER BY lmt, id LIMIT ? OFFSET ?) AS place
     CROSS JOIN record ON record.kind = place.kind AND record.id = place.id
     ORDER BY place.lmt, place.id`,
  );
  const count = database.prepare('SELECT count(*) AS n FROM record WHERE kind = ? AND lmt > ?');
  const all = database.prepare(`${columns} ORDER BY id`);
  const put = database.prepare('INSERT OR REPLACE INTO record VALUES (?, ?, ?, ?, ?, ?, ?)');
  const remove = database.prepare(
    "UPDATE record SET kind = 'deleted ' || kind, lmt = ? WHERE kind = ? AND id = ?",
  );
  return { byId, byExternal, byParent, between, modified, count, all, put, remove };
}

function lastWrite(database: Connection): string | undefined {
  const { lmt } = database.prepare('SELECT max(lmt) AS lmt FROM record').get() as { lmt: string | null };
  return lmt ?? undefined;
}

function lastNumbers(database: Connection): Map<string, number> {
  const rows = database.prepare('SELECT kind, max(id) AS id FROM record GROUP BY kind').all();
  const last = new Map<string, number>();
  for (const { kind, id } of rows as { kind: string; id: number }[]) {
    const series = seriesOf(kind.replace('deleted ', ''));
    last.set(series, Math.max(id, last.get(series) ?? 0));
  }
  return last;
}
