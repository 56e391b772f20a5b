import type { CatalogueResource } from '../../../schema/resource.ts';
import type { MappedRow } from '../../map/map-row.ts';
import { recordTwice } from '../../map/record-twice.ts';
import { type Creation, createdBefore } from '../created-before.ts';
import type { EarlierRows } from '../earlier-rows.ts';
import type { Fingerprints } from '../fingerprint.ts';
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
  const planned: Unplaced[] = [];
  for (const [index, row] of rows.entries()) {
    const found = targets[index] ?? NOTHING;
    const target = {
      ...found,
      existing: found.existing ?? (await renamedRecord(shared, externalOf(row), source)),
    };
    const key = recordKey(row, target.existing);
    const existing = await earlier.after(key, target.existing);
    const twice = await earlier.last(key);
    if (twice !== undefined) row.issues.push(recordTwice(row, namedBy(row), twice, rules.strict));
    const first = plan(row, { ...target, existing }, rules, key);
    planned.push(
      earlier.add(
        first.steps[0]?.purpose === 'create'
          ? await createdBefore(context, creationOf(setup, shared, row, first, source))
          : first,
      ),
    );
  }
  return planned;
}

/** The key by which a row names its record. */
function namedBy({ values, mapping: { resource } }: Row): string {
  return values[resource.id] === undefined ? resource.external : resource.id;
}

const plan = (row: Row, target: Target, rules: PlanRules, key: string | null): Unplaced =>
  planRow(row, target, rules, key, CATALOGUE_REQUESTS as RowRequests);

function creationOf(
  { context, rules }: PlannerSetup,
  { resource, fingerprints }: Shared,
  row: Row,
  planned: Unplaced,
  source: RecordSource,
): Creation {
  return {
    ...{ resource, row, planned, fingerprints },
    byId: source.byId,
    readNow: (id) => readDetail(context, resource, id),
    tookEffect: (doubt) => tookEffect(context, resource, doubt),
    replan: async (again, existing) =>
      plan(again as Row, { existing, clash: null }, rules, recordKey(again, existing)),
  };
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
