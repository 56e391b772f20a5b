import { planOnBase } from '../../import/baseline/plan-on-base.ts';
import type { SameField } from '../../import/baseline/three-way.ts';
import type { MappedRow } from '../../import/map/map-row.ts';
import type { EventResource } from '../../schema/resource.ts';
import type { Existing } from '../catalogue/existing.ts';
import { keepsKeys } from '../catalogue/key-keeping.ts';
import { locate, NOTHING, type Target } from '../catalogue/locate.ts';
import { planRow, recordKey } from '../catalogue/plan-row.ts';
import type { Records } from '../catalogue/record-source.ts';
import {
  type Creation,
  createdBefore,
  earlierCreates,
  type FindPosted,
  nameCreate,
} from '../created-before.ts';
import type { EarlierRows } from '../earlier-rows.ts';
import type { Fingerprints } from '../fingerprint.ts';
import { namedBy } from '../keyed-resource.ts';
import type { PlannerSetup, RowPlanner, Unplaced } from '../kind.ts';
import { besideOf, noteTwice } from '../note-twice.ts';
import type { EventSource } from './event-source.ts';
import { asks, externalOf, type Known, readAhead, requireDay } from './read-ahead.ts';
import { readEvent } from './read-events.ts';
import { recordsFor } from './records.ts';
import { sameField } from './same-event.ts';
import { tookEffect } from './settle.ts';
import { EVENT_REQUESTS } from './steps.ts';
import { withDays, withSent } from './times.ts';

/** So many rows are looked up together. */
const WINDOW = 500;

type Row = MappedRow<EventResource>;

/** What the sheets of events share in a run. */
interface Shared {
  readonly resource: EventResource;
  readonly source: EventSource;
  readonly earlier: EarlierRows;
  readonly fingerprints: Fingerprints;
}

/** Plans events window by window, so that one list answers for many of them. */
export function openEventPlanner(setup: PlannerSetup, shared: Shared): RowPlanner {
  let waiting: Row[] = [];
  const planWaiting = async (): Promise<Unplaced[]> => {
    const rows = waiting;
    waiting = [];
    shared.earlier.saved();
    return rows.length === 0 ? [] : await planWindow(setup, shared, rows);
  };
  return {
    async add(rows) {
      waiting.push(...(rows as readonly Row[]));
      return waiting.length < WINDOW ? [] : await planWaiting();
    },
    finish: planWaiting,
  };
}

async function planWindow(setup: PlannerSetup, shared: Shared, rows: readonly Row[]): Promise<Unplaced[]> {
  const { context } = setup;
  const { resource, source, earlier } = shared;
  const { ledger, serviceKey, dialect } = context;
  const keepsNone = (await ledger.findFact(serviceKey, keepsKeys(resource))) === 'no';
  const known = await ledger.findKeys(
    serviceKey,
    resource.name,
    rows.flatMap((row) => externalOf(row) ?? []),
  );
  await readAhead(rows, known, source, dialect.eventMargin);
  const targets = await Promise.all(
    rows.map(async (row): Promise<Target> => {
      const memory = { known: known.get(externalOf(row) ?? Number.NaN), keepsNone };
      return asks(row) ? await locate(row, recordsFor(row, source, known), memory) : NOTHING;
    }),
  );
  await rememberFound({ ledger, serviceKey }, resource, rows, targets, known);
  const posted = await earlierCreates(context, resource, rows);
  const sharing = besideOf(setup.base, rows, (row, at) => recordKey(row, targets[at]?.existing ?? null));
  const planned: Unplaced[] = [];
  for (const [index, row] of rows.entries()) {
    const target = targets[index] ?? NOTHING;
    planned.push(earlier.add(await planOne({ ...setup, shared, known, posted, sharing }, row, target)));
  }
  return planned;
}

interface Work extends Pick<PlannerSetup, 'context' | 'base' | 'conflicts' | 'rules'> {
  readonly posted: FindPosted;
  readonly shared: Shared;
  readonly known: Known;
  readonly sharing: ReturnType<typeof besideOf>;
}

async function planOne(
  { context, base, conflicts, rules, shared, known, posted, sharing }: Work,
  given: Row,
  target: Target,
): Promise<Unplaced> {
  const { resource, earlier, fingerprints, source } = shared;
  await requireDay(given, known, earlier);
  const records = recordsFor(given, source, known);
  const found = target.existing ?? (await renamedRecord(earlier, externalOf(given), records));
  const key = recordKey(given, found);
  const service = await withSent(context, given, found);
  const existing = await earlier.after(key, service);
  const same: SameField = (...values) => sameField(resource, ...values);
  await noteTwice(given, namedBy(given), key, { base, rules, earlier, beside: sharing.get(key), same });
  const row = withDays(given, existing, rules.strict);
  const planned = await planOnBase({ row, key, service, same }, { base, conflicts, rules }, (held) =>
    planRow(held, { ...target, existing }, rules, key, EVENT_REQUESTS),
  );
  if (planned.steps[0]?.purpose !== 'create') return planned;
  const fingerprint = await nameCreate(planned, row, fingerprints);
  const posting = await posted(fingerprint);
  if (posting === undefined) return planned;
  const creation: Creation = {
    ...{ resource, row, planned },
    byId: records.byId,
    readNow: async (id) => await withSent(context, row, await readEvent(context, resource, id)),
    tookEffect: (doubt) => tookEffect(context, resource, doubt),
    replan: async (again, now) =>
      planRow(again, { existing: now, clash: null }, rules, recordKey(again, now), EVENT_REQUESTS),
  };
  return await createdBefore(context, creation, posting);
}

/** The record to which an earlier row of the file gives this ExternalID. */
async function renamedRecord(
  earlier: EarlierRows,
  external: number | undefined,
  records: Records,
): Promise<Existing | null> {
  const key = external === undefined ? undefined : earlier.renamed(external);
  return key?.startsWith('id:') === true ? await records.byId(Number(key.slice(3))) : null;
}

/** What was found on the service is known from here on, to the sheets that refer to events too. */
async function rememberFound(
  { ledger, serviceKey }: Pick<PlannerSetup['context'], 'ledger' | 'serviceKey'>,
  { name }: EventResource,
  rows: readonly Row[],
  targets: readonly Target[],
  known: Known,
): Promise<void> {
  const pairs = rows.flatMap((row, index) => {
    const external = externalOf(row);
    const { existing = null, clash = null } = targets[index] ?? {};
    if (external === undefined || existing?.id == null || clash !== null) return [];
    if (existing.external !== external || known.get(external)?.id === existing.id) return [];
    return [{ external, id: existing.id }];
  });
  if (pairs.length > 0) await ledger.rememberKeys(serviceKey, name, pairs);
}
