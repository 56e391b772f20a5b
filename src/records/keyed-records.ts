import type { KnownRecord, Posting } from '../ledger/ledger.ts';
import type { Context } from '../run/context.ts';
import { createdBefore, earlierCreates, nameCreate } from './created-before.ts';
import { createEarlierRows, type EarlierRows } from './earlier-rows.ts';
import { type ExistingRecord, type KeyedResource, namedBy } from './existing-record.ts';
import { keepsKeys } from './key-keeping.ts';
import { planKeyedRow, type RowRequests, recordKey } from './keyed-row.ts';
import { locate, NOTHING, type Records, type RowTarget } from './locate.ts';
import type { MappedRow } from './mapped-row.ts';
import { type FoundWindow, planRecords, type RecordMatching } from './plan-records.ts';
import type { PlannerSetup, RowPlanner, UnplacedRow } from './planning.ts';
import type { EffectVerdict, SendDoubt } from './row-guard.ts';
import { createFingerprints, type Fingerprints } from './sent-before.ts';

/** What the ledger knows of records, by ExternalID. */
export type KnownRecords = ReadonlyMap<number, KnownRecord>;

/** What the sheets of one resource share in a run: what its rows write and create. */
export interface PlannedSheets {
  readonly earlier: EarlierRows;
  readonly fingerprints: Fingerprints;
}

/** For one resource in one run. */
export function createPlannedSheets(context: Context, run: string, { name }: KeyedResource): PlannedSheets {
  return { earlier: createEarlierRows(context, run, name), fingerprints: createFingerprints(context, name) };
}

/** The records that were read for a window of rows. */
interface KeyedWindow<R extends KeyedResource> extends Pick<FoundWindow<R, RowTarget>, 'complete'> {
  /** As a row sees them: one may need to know more of its record than another. */
  seenBy(row: MappedRow<R>): Records;
}

/** How rows are held against records that have an id and an ExternalID: what `planKeyedRecords` works by. */
export interface KeyedMatching<R extends KeyedResource>
  extends Pick<RecordMatching<R, RowTarget>, 'window' | 'ready' | 'same' | 'asMeant'> {
  readonly resource: R;
  /** Reads what the rows of a window need. */
  open(rows: readonly MappedRow<R>[], known: KnownRecords): Promise<KeyedWindow<R>>;
  /** Whether a row's record is looked up at all; by default each one's is. */
  asks?(row: MappedRow<R>): boolean;
  /** To be told of what was found for the rows of a window. */
  located?(rows: readonly MappedRow<R>[], found: readonly RowTarget[], known: KnownRecords): Promise<void>;
  /** The record with this id, read anew. */
  readNow(id: number, row: MappedRow<R>): Promise<ExistingRecord | null>;
  /** Whether a create of an earlier run took effect. */
  tookEffect(doubt: SendDoubt): Promise<EffectVerdict>;
  readonly requests: RowRequests<R>;
}

/** A row's ExternalID. */
export function externalOf<R extends KeyedResource>({ values, mapping }: MappedRow<R>): number | undefined {
  const value = values[mapping.resource.external];
  return typeof value === 'number' ? value : undefined;
}

/** Plans rows that name their record by id, by ExternalID, or by what the ledger remembers for that. */
export function planKeyedRecords<R extends KeyedResource>(
  setup: PlannerSetup,
  { earlier, fingerprints }: PlannedSheets,
  keyed: KeyedMatching<R>,
): RowPlanner {
  const { context, rules } = setup;
  const { resource, requests } = keyed;
  // Learned when rows are sent, which is after all of them are planned.
  let keepsNone: Promise<string | undefined> | undefined;
  const planAgain = (row: MappedRow<R>, existing: ExistingRecord | null): UnplacedRow =>
    planKeyedRow(row, { existing, clash: null }, rules, recordKey(row, existing), requests);
  return planRecords<R, RowTarget>(setup, earlier, {
    ...keyed,
    async find(rows) {
      const known = await findKnown(context, resource, rows);
      const { seenBy, complete } = await keyed.open(rows, known);
      keepsNone ??= context.ledger.findFact(context.serviceKey, keepsKeys(resource));
      const found = await locateAll(rows, { keyed, seenBy, known, keepsNone: (await keepsNone) === 'no' });
      await keyed.located?.(rows, found, known);
      const posted = await earlierCreates(context, resource, rows);
      const again = async (
        planned: UnplacedRow,
        row: MappedRow<R>,
        asked: Posting | Promise<Posting | undefined>,
      ): Promise<UnplacedRow> => {
        const posting = await asked;
        if (posting === undefined) return planned;
        const { byId } = seenBy(row);
        const { readNow, tookEffect } = keyed;
        const creation = { resource, row, planned, byId, readNow, tookEffect, planAgain };
        return await createdBefore(context, creation, posting);
      };
      return {
        found,
        ...(complete && { complete }),
        byId: (id, row) => seenBy(row).byId(id),
        createOnce(planned, row) {
          const held = (name: string): UnplacedRow | Promise<UnplacedRow> => {
            const asked = posted(name);
            return asked === undefined ? planned : again(planned, row, asked);
          };
          const name = nameCreate(planned, row, fingerprints);
          return typeof name === 'string' ? held(name) : name.then(held);
        },
      };
    },
    key: (row, _, existing) => recordKey(row, existing),
    named: namedBy,
    external: externalOf,
    decide: (row, { found, existing, key }) =>
      planKeyedRow(row, existing === found.existing ? found : { ...found, existing }, rules, key, requests),
  });
}

async function findKnown(
  { ledger, serviceKey }: Context,
  { name }: KeyedResource,
  rows: readonly MappedRow<KeyedResource>[],
): Promise<KnownRecords> {
  const externals: number[] = [];
  for (const row of rows) {
    const external = externalOf(row);
    if (external !== undefined) externals.push(external);
  }
  return await ledger.findKeys(serviceKey, name, externals);
}

interface Locating<R extends KeyedResource> {
  readonly keyed: KeyedMatching<R>;
  readonly seenBy: (row: MappedRow<R>) => Records;
  readonly known: KnownRecords;
  readonly keepsNone: boolean;
}

/** What is to be looked up is looked up side by side; what is known already does not wait for it. */
async function locateAll<R extends KeyedResource>(
  rows: readonly MappedRow<R>[],
  { keyed, seenBy, known, keepsNone }: Locating<R>,
): Promise<RowTarget[]> {
  const targets: RowTarget[] = [];
  const waits: Promise<unknown>[] = [];
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as MappedRow<R>;
    targets.push(NOTHING);
    if (keyed.asks?.(row) === false) continue;
    const external = externalOf(row);
    const record = external === undefined ? undefined : known.get(external);
    const records = seenBy(row);
    const isNew = external !== undefined && record === undefined && records.lacks(external);
    if (isNew && row.values[keyed.resource.id] === undefined) continue;
    const located = locate(row, records, { known: record, keepsNone });
    waits.push(located.then((target) => (targets[at] = target)));
  }
  if (waits.length > 0) await Promise.all(waits);
  return targets;
}
