import { stopsRow } from '../../core/issue.ts';
import { t } from '../../core/language.ts';
import type { ListedRecord, RecordReads } from '../../records/doubts.ts';
import {
  changesTo,
  type ExistingRecord,
  LISTED,
  momentIn,
  numberIn,
  readValues,
  sameValue,
} from '../../records/existing-record.ts';
import { type Days, EPOCH, isDeleted } from '../../records/listing.ts';
import type { MappedRow } from '../../records/mapped-row.ts';
import { type ContextOf, type PlanRules, WINDOW } from '../../records/planning.ts';
import { createRecordGuard } from '../../records/record-guard.ts';
import {
  decideFound,
  INVALID,
  placeDecision,
  type RowDecision,
  refuseAction,
  refuseDelete,
  refuseField,
  SKIPPED,
} from '../../records/row-decision.ts';
import { needsRecord } from '../../records/row-matching.ts';
import { saidBy } from '../../records/said-fields.ts';
import { sharedReading } from '../../records/shared-reading.ts';
import { undoRecord } from '../../records/undo.ts';
import type { TripResource } from '../../schema/resource.ts';
import { type DayReads, DaySource } from '../day-source.ts';
import { foundBy, type Kind } from '../kind.ts';
import { BY_DAYS, tripLists } from './trip-list.ts';

/** Trips: found by RitID in lists of their days, else in that of all; updated and deleted, never made. */
export const trip: Kind<TripResource> = {
  rows(context) {
    const source = new DaySource(dayReads(context));
    const { listed } = source;
    return {
      matching: ({ base, rules }) => ({
        window: WINDOW,
        async find(rows) {
          const ids = rows.map((row) => (needsRecord(row, base) ? tripOf(row) : null));
          await readFor(
            source,
            context.resource,
            rows.filter((_, at) => ids[at] !== null),
          );
          const { one } = tripReads(context, source.periods);
          return {
            found: ids.map((id) => ({ existing: listed.ids.get(id ?? 0) ?? null })),
            again: {
              keyOf: (at) => keyOf(ids[at] ?? null),
              read: async (at) => ({ existing: await one(ids[at] ?? 0, null) }),
            },
          };
        },
        key: (row) => keyOf(tripOf(row)),
        decide(row, { existing, key }) {
          const decision = stopsRow(row.issues) ? INVALID : decide(row, existing, rules);
          const { id = null, lmt = null } = existing ?? {};
          return placeDecision(row, decision, { key, id, lmt, said: saidBy(row) });
        },
      }),
      summary: () => ({ strategy: 'list', newest: listed.seen.mark().newest, periods: source.periods }),
    };
  },
  foundAgain: ({ id }) => foundBy(id),
  guard: (context) => createRecordGuard(context, tripReads(context, context.summary.periods)),
  compared: true,
  undo: (resource, history, { restore }) => undoRecord(resource, history, restore),
};

type Row = MappedRow<TripResource>;

function tripOf({ values, mapping }: Row): number | null {
  const id = values[mapping.resource.id];
  return typeof id === 'number' ? id : null;
}

const keyOf = (id: number | null): string | null => (id === null ? null : `id:${id}`);

/** Reads the trips that rows name: of the days that they show, and all where one is on none of these. */
async function readFor(source: DaySource, { fields, date }: TripResource, rows: readonly Row[]) {
  const lacks = (row: Row): boolean => !source.listed.ids.has(tripOf(row) ?? 0);
  const isListed = (name: string): boolean => fields[name]?.reads === 'list';
  // Only the list of all returns every field.
  const asksAll = rows.some(({ values }) => Object.keys(values).some(isListed));
  if (!asksAll) await source.cover(rows.filter(lacks).map(({ shown }) => String(shown[date] ?? '')));
  if (asksAll || rows.some(lacks)) await source.readAll();
}

function dayReads(context: ContextOf<TripResource>): DayReads & Pick<RecordReads, 'since'> {
  const { resource } = context;
  const { read, changedSince } = tripLists(context);
  const trips = (records: Awaited<ReturnType<typeof read>>, returned = LISTED) =>
    records.flatMap((record): ListedRecord[] => {
      const id = numberIn(record, resource.id);
      if (id === null) return [];
      const [lmt, values] = [momentIn(record, resource.modified), readValues(resource, record, returned)];
      return [{ id, external: null, lmt, values, ...(isDeleted(record) && { gone: true }) }];
    });
  const since = async (lmt: string) => trips(await changedSince(lmt));
  return {
    since,
    onDays: async (days) => trips(await read(days), BY_DAYS).filter(({ gone }) => !gone),
    all: async () => (await since(EPOCH)).filter(({ gone }) => !gone),
  };
}

/** How trips are read now: in lists that all who ask share, as there is no reading one. */
function tripReads(context: ContextOf<TripResource>, periods: readonly Days[] = []): RecordReads {
  const { onDays, all, since } = dayReads(context);
  const listed = sharedReading(context.time, async (of: 'planned' | 'all') =>
    of === 'all' ? await all() : (await Promise.all(periods.map(onDays))).flat(),
  );
  return {
    async one(id, _, asked) {
      const find = async (of: 'planned' | 'all') => (await listed(of, asked)).find((one) => one.id === id);
      return (await find('planned')) ?? (await find('all')) ?? null;
    },
    since,
    shows: ({ values }, { planned }) =>
      planned.changes.every(({ field, to }) => sameValue(values[field], to)),
    few: 0,
  };
}

function decide(row: Row, existing: ExistingRecord | null, rules: PlanRules): RowDecision {
  const { id, fields, requests, name, sheet } = row.mapping.resource;
  const ID = tripOf(row);
  if (row.action === 'skip') return SKIPPED;
  const byService = t(
    `the service makes ${name} itself; empty the cell and name the record by its ${id}`,
    `het systeem maakt ${sheet.toLowerCase()} zelf; maak de cel leeg en noem het record met ${id}`,
  );
  if (row.action === 'create') return refuseAction(row, 'action-not-possible', byService);
  const refused = row.action === 'delete' ? refuseDelete(row, rules, null) : null;
  if (refused !== null) return refused;
  if (ID === null) return refuseField(row, id, 'key-missing', id);
  if (existing === null && row.action !== 'delete')
    return refuseField(row, id, 'record-missing', t(name, sheet));
  const sendable = Object.keys(row.values).filter((one) => one !== id && fields[one]?.update !== 'none');
  return decideFound(row, existing && { ...existing, changes: changesTo(existing, row, sendable) }, {
    remove: { endpoint: requests.remove.name, body: {}, params: { ID } },
    update: { endpoint: requests.update.name, body: { [id]: ID } },
  });
}
