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
    rows.map((row) => locate(row, source, { known: known.get(externalOf(row) ?? -1), keepsNone })),
  );
  const posted = await earlierCreates(context, resource, rows);
  const planned: Unplaced[] = [];
  for (const [index, row] of rows.entries()) {
    const found = targets[index] ?? NOTHING;
    const record = found.existing ?? (await renamedRecord(shared, externalOf(row), source));
    const key = recordKey(row, record);
    const existing = await earlier.after(key, record);
    await noteTwice(row, namedBy(row), key, { earlier, strict: rules.strict });
    const first = plan(row, { ...found, existing }, rules, key);
    planned.push(
      earlier.add(
        first.steps[0]?.purpose === 'create'
          ? await createOnce(setup, shared, { row, first, posted, source })
          : first,
      ),
    );
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

async function createOnce(
  { context, rules }: PlannerSetup,
  { resource, fingerprints }: Shared,
  { row, first, posted, source }: Creating,
): Promise<Unplaced> {
  const posting = await posted(nameCreate(first, row, fingerprints));
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
