import type { Posting } from '../../../ledger/ledger.ts';
import type { CatalogueResource } from '../../../schema/resource.ts';
import type { MappedRow } from '../../map/map-row.ts';
import { type Creation, createdBefore, earlierCreates, nameCreate, type Posted } from '../created-before.ts';
import { type EarlierRows, noteTwice } from '../earlier-rows.ts';
import type { Fingerprints } from '../fingerprint.ts';
import { namedBy } from '../keyed-resource.ts';
import type { PlannerSetup, PlanRules, RowPlanner, Unplaced } from '../kind.ts';
import type { Existing } from './existing.ts';
import { keepsKeys } from './key-keeping.ts';
import { locate, NOTHING, type Target } from './locate.ts';
import { planRow, recordKey } from './plan-row.ts';
import { readDetail } from './read-detail.ts';
import type { RecordSource } from './record-source.ts';
import { tookEffect } from './settle.ts';
import type { SourcePicker } from './source-picker.ts';
import { CATALOGUE_REQUESTS, type RowRequests } from './steps.ts';

/** So many rows are looked up together. */
const WINDOW = 500;

type Row = MappedRow<CatalogueResource>;

/** What the sheets of a resource share in a run. */
export interface Shared {
  readonly resource: CatalogueResource;
  readonly picker: SourcePicker;
  readonly earlier: EarlierRows;
  readonly fingerprints: Fingerprints;
}

/** Plans rows against what the service holds; they wait only until it is clear how to look them up. */
export function openCataloguePlanner(setup: PlannerSetup, shared: Shared): RowPlanner {
  const { context, mapping } = setup;
  const { resource, picker, earlier } = shared;
  let waiting: Row[] = [];
  let keyed = 0;
  const planWaiting = async (source: RecordSource): Promise<Unplaced[]> => {
    const rows = waiting;
    waiting = [];
    earlier.saved();
    const keepsNone = (await context.ledger.findFact(context.serviceKey, keepsKeys(resource))) === 'no';
    const planned: Unplaced[] = [];
    for (let start = 0; start < rows.length; start += WINDOW) {
      const window = rows.slice(start, start + WINDOW);
      for (const row of await planWindow(setup, shared, window, source, keepsNone)) planned.push(row);
    }
    return planned;
  };
  return {
    async add(rows) {
      for (const row of rows as readonly Row[]) {
        if (row.values[resource.id] !== undefined || row.values[resource.external] !== undefined) keyed++;
        waiting.push(row);
      }
      if (waiting.length < WINDOW && picker.chosen() !== undefined) return [];
      const source = await picker.decide(mapping, keyed);
      return source === undefined ? [] : await planWaiting(source);
    },
    async finish() {
      return await planWaiting((await picker.decide(mapping, keyed)) ?? picker.settle());
    },
  };
}

async function planWindow(
  setup: PlannerSetup,
  shared: Shared,
  rows: readonly Row[],
  source: RecordSource,
  keepsNone: boolean,
): Promise<Unplaced[]> {
  const { context, rules } = setup;
  const { resource, earlier } = shared;
  const externalOf = (row: Row): number | undefined => {
    const external = row.values[resource.external];
    return typeof external === 'number' ? external : undefined;
  };
  const externals = rows.flatMap((row) => externalOf(row) ?? []);
  const known = await context.ledger.findKeys(context.serviceKey, resource.name, externals);
  const targets = await Promise.all(
    rows.map((row) => {
      const external = externalOf(row);
      const memory = { known: external === undefined ? undefined : known.get(external), keepsNone };
      const isNew = external !== undefined && memory.known === undefined && source.lacks(external);
      return isNew && row.values[resource.id] === undefined ? NOTHING : locate(row, source, memory);
    }),
  );
  const posted = await earlierCreates(context, resource, rows);
  const planned: Unplaced[] = [];
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index] as Row;
    const found = targets[index] ?? NOTHING;
    const external = externalOf(row);
    // Most rows wait for nothing: each wait costs as much as planning one.
    const renamed = external !== undefined && earlier.renamed(external) !== undefined;
    const record = renamed
      ? (found.existing ?? (await renamedRecord(shared, external, source)))
      : found.existing;
    const key = recordKey(row, record);
    let existing = record;
    if (earlier.maybe(key)) {
      existing = await earlier.after(key, record);
      await noteTwice(row, namedBy(row), key, { earlier, strict: rules.strict });
    }
    const first = plan(row, { ...found, existing }, rules, key);
    const creates = first.steps[0]?.purpose === 'create';
    const once = creates ? createOnce(setup, shared, { row, first, posted, source }) : first;
    planned.push(earlier.add(once instanceof Promise ? await once : once));
  }
  return planned;
}

const plan = (row: Row, target: Target, rules: PlanRules, key: string | null): Unplaced =>
  planRow(row, target, rules, key, CATALOGUE_REQUESTS as RowRequests);

interface Creating {
  readonly row: Row;
  readonly first: Unplaced;
  readonly posted: Posted;
  readonly source: RecordSource;
}

function createOnce(setup: PlannerSetup, shared: Shared, creating: Creating): Unplaced | Promise<Unplaced> {
  const { row, first, posted } = creating;
  const fingerprint = nameCreate(first, row, shared.fingerprints);
  const posting = posted.found.get(fingerprint);
  if (posting === undefined && posted.asked(fingerprint)) return first;
  return createdAgain(setup, shared, creating, posting ?? posted.find(fingerprint));
}

async function createdAgain(
  { context, rules }: PlannerSetup,
  { resource }: Shared,
  { row, first, source }: Creating,
  asked: Posting | Promise<Posting | undefined>,
): Promise<Unplaced> {
  const posting = await asked;
  if (posting === undefined) return first;
  const creation: Creation = {
    ...{ resource, row, planned: first },
    byId: source.byId,
    readNow: (id) => readDetail(context, resource, id),
    tookEffect: (doubt) => tookEffect(context, resource, doubt),
    replan: async (again, existing) =>
      plan(again as Row, { existing, clash: null }, rules, recordKey(again, existing)),
  };
  return await createdBefore(context, creation, posting);
}

/** The record to which an earlier row of the file gives this ExternalID. */
async function renamedRecord(
  { earlier }: Shared,
  external: number | undefined,
  source: RecordSource,
): Promise<Existing | null> {
  const key = external === undefined ? undefined : earlier.renamed(external);
  return key?.startsWith('id:') === true ? await source.byId(Number(key.slice(3))) : null;
}
