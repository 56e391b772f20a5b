import { planOnBase } from '../../import/baseline/plan-on-base.ts';
import type { MappedRow } from '../../import/map/map-row.ts';
import type { Posting } from '../../ledger/ledger.ts';
import type { CatalogueResource } from '../../schema/resource.ts';
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
import type { PlannerSetup, PlanRules, RowPlanner, Unplaced } from '../kind.ts';
import { besideOf, noteTwice } from '../note-twice.ts';
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
interface Shared {
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
  // Learned when rows are sent, which is after all of them are planned.
  let keepsNone: Promise<string | undefined> | undefined;
  /** Plans the first so many of the rows that wait. */
  const planFirst = async (count: number, source: RecordSource): Promise<Unplaced[]> => {
    const rows = waiting.slice(0, count);
    waiting = waiting.slice(count);
    keepsNone ??= context.ledger.findFact(context.serviceKey, keepsKeys(resource));
    const planned: Unplaced[] = [];
    for (let start = 0; start < rows.length; start += WINDOW) {
      const window = rows.slice(start, start + WINDOW);
      for (const row of await planWindow(setup, shared, window, source, (await keepsNone) === 'no'))
        planned.push(row);
    }
    return planned;
  };
  return {
    async add(rows) {
      // What the last call answered is on its way to the ledger.
      earlier.saved();
      for (const row of rows as readonly Row[]) {
        if (row.values[resource.id] !== undefined || row.values[resource.external] !== undefined) keyed++;
        waiting.push(row);
      }
      if (waiting.length < WINDOW && picker.chosen() !== undefined) return [];
      const source = await picker.decide(mapping, keyed);
      // Whole windows only: what is looked up and saved for one row takes as long as for all of them.
      const whole = waiting.length - (waiting.length % WINDOW);
      return source === undefined || whole === 0 ? [] : await planFirst(whole, source);
    },
    async finish() {
      earlier.saved();
      return await planFirst(waiting.length, (await picker.decide(mapping, keyed)) ?? picker.settle());
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
  const externals: number[] = [];
  for (const row of rows) {
    const external = externalOf(row, resource);
    if (external !== undefined) externals.push(external);
  }
  const known = await context.ledger.findKeys(context.serviceKey, resource.name, externals);
  const targets = await findAll(rows, (row) => {
    const external = externalOf(row, resource);
    const record = external === undefined ? undefined : known.get(external);
    const isNew = external !== undefined && record === undefined && source.lacks(external);
    const named = row.values[resource.id] !== undefined;
    return isNew && !named ? NOTHING : locate(row, source, { known: record, keepsNone });
  });
  const posted = await earlierCreates(context, resource, rows);
  const sharing = besideOf(setup.base, rows, (row, at) => recordKey(row, targets[at]?.existing ?? null));
  const alone = setup.base.at === '' && setup.conflicts.size === 0;
  const planned: Unplaced[] = [];
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index] as Row;
    const found = targets[index] ?? NOTHING;
    const external = externalOf(row, resource);
    // Most rows wait for nothing: each wait costs as much as planning one.
    const renamed = external !== undefined && earlier.renamed(external) !== undefined;
    const record = renamed
      ? (found.existing ?? (await renamedRecord(shared, external, source)))
      : found.existing;
    const key = recordKey(row, record);
    let existing = record;
    if (earlier.maybe(key) || (sharing.size > 0 && sharing.has(key))) {
      existing = await earlier.after(key, record);
      await noteTwice(row, namedBy(row), key, { ...setup, earlier, beside: sharing.get(key) });
    }
    const target = existing === found.existing ? found : { ...found, existing };
    const planning = alone
      ? plan(row, target, rules, key)
      : planOnBase({ row, key, service: record }, setup, (held) => plan(held, target, rules, key));
    const first = planning instanceof Promise ? await planning : planning;
    const creates = first.steps[0]?.purpose === 'create';
    const once = creates ? createOnce(setup, shared, { row, first, posted, source }) : first;
    planned.push(earlier.add(once instanceof Promise ? await once : once));
  }
  return planned;
}

function externalOf({ values }: Row, { external }: CatalogueResource): number | undefined {
  const value = values[external];
  return typeof value === 'number' ? value : undefined;
}

/** What is to be looked up is looked up side by side; what is known already does not wait for it. */
async function findAll(
  rows: readonly Row[],
  find: (row: Row) => Target | Promise<Target>,
): Promise<Target[]> {
  const targets: Target[] = [];
  const waits: Promise<unknown>[] = [];
  for (let at = 0; at < rows.length; at++) {
    const found = find(rows[at] as Row);
    if (found instanceof Promise) waits.push(found.then((target) => (targets[at] = target)));
    targets.push(found instanceof Promise ? NOTHING : found);
  }
  if (waits.length > 0) await Promise.all(waits);
  return targets;
}

const plan = (row: Row, target: Target, rules: PlanRules, key: string | null): Unplaced =>
  planRow(row, target, rules, key, CATALOGUE_REQUESTS as RowRequests);

interface Creating {
  readonly row: Row;
  readonly first: Unplaced;
  readonly posted: FindPosted;
  readonly source: RecordSource;
}

function createOnce(setup: PlannerSetup, shared: Shared, creating: Creating): Unplaced | Promise<Unplaced> {
  const { row, first, posted } = creating;
  const named = (fingerprint: string): Unplaced | Promise<Unplaced> => {
    const posting = posted(fingerprint);
    return posting === undefined ? first : createdAgain(setup, shared, creating, posting);
  };
  const name = nameCreate(first, row, shared.fingerprints);
  return typeof name === 'string' ? named(name) : name.then(named);
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
