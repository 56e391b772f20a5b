import { heldTo, type Issue, stopsRow } from '../core/issue.ts';
import type { IssueCode } from '../core/issue-catalogue.ts';
import { type Bilingual, t } from '../core/language.ts';
import type { FieldChange, Step } from '../core/plan.ts';
import type { KnownRecord } from '../ledger/ledger.ts';
import type { Dialect } from '../schema/dialect.ts';
import { type CreatedLooks, createOnce } from './create-once.ts';
import { GONE_SINCE } from './evidence.ts';
import { type ExistingRecord, isOff, type KeyedResource } from './existing-record.ts';
import { keepsKeys } from './key-keeping.ts';
import { locate, locateOne, NOT_FOUND, type Records, type RememberedKey, type RowTarget } from './locate.ts';
import { issueOfLack, type MappedRow, sayNotFound } from './mapped-row.ts';
import type { ContextOf, PlannerSetup, PlanRules, RunOf, UnplacedRow } from './planning.ts';
import {
  ALREADY_GONE,
  INVALID,
  placeDecision,
  type RowDecision,
  refuseDelete,
  refuseField,
  refuseUnnamed,
  SKIPPED,
} from './row-decision.ts';
import type { RecordMatching } from './row-matching.ts';
import { saidBy } from './said-fields.ts';
import { createNaming } from './sent-before.ts';
import type { ReadAgain } from './stale-reads.ts';
import { unlikelyPrices } from './unlikely-prices.ts';

type Row = MappedRow<KeyedResource>;

/** What the ledger knows of records, by ExternalID. */
export type KnownRecords = ReadonlyMap<number, KnownRecord>;

/** How rows are held against records that have an id and an ExternalID: what `keyedRows` works by. */
export interface KeyedMatching<R extends KeyedResource>
  extends Pick<CreatedLooks<R>, 'readNow' | 'tookEffect'>,
    Pick<RecordMatching<R, RowTarget>, 'window' | 'ready' | 'same' | 'complete' | 'asMeant'> {
  /** Reads ahead what a window of rows needs; answers the records as a row sees them. */
  open(rows: readonly MappedRow<R>[], known: KnownRecords): Promise<(row: MappedRow<R>) => Records>;
  /** Whether a row's record is looked up at all; by default each one's is. */
  asks?(row: MappedRow<R>): boolean;
  /** To be told of what was found for the rows of a window. */
  located?(rows: readonly MappedRow<R>[], found: readonly RowTarget[], known: KnownRecords): Promise<void>;
  readonly requests: RowRequests<R>;
}

/** A row's ExternalID. */
export function externalOf<R extends KeyedResource>({ values, mapping }: MappedRow<R>): number | undefined {
  const value = values[mapping.resource.external];
  return typeof value === 'number' ? value : undefined;
}

/** The ExternalID of a row that names its record by nothing else, and of which the ledger knows no record. */
export function newKey<R extends KeyedResource>(row: MappedRow<R>, known: KnownRecords): number | undefined {
  const external = externalOf(row);
  if (external === undefined || row.values[row.mapping.resource.id] !== undefined) return undefined;
  return known.has(external) ? undefined : external;
}

/** How rows that name their record by id, by ExternalID, or by what the ledger remembers for that are planned. */
export function keyedRows<R extends KeyedResource>(
  context: RunOf<R>,
  matchingFor: (setup: PlannerSetup) => KeyedMatching<R>,
): (setup: PlannerSetup) => RecordMatching<R, RowTarget> {
  const { ledger, serviceKey, resource } = context;
  const nameContent = createNaming();
  return (setup) => {
    const keyed = matchingFor(setup);
    const kind: Deciding = { rules: setup.rules, requests: keyed.requests };
    const planAgain = (row: MappedRow<R>, existing: ExistingRecord): UnplacedRow =>
      planKeyedRow(row, { existing, clash: null }, recordKey(row, existing), kind);
    return {
      ...keyed,
      async find(rows) {
        const externals = rows.flatMap((row) => externalOf(row) ?? []);
        const known = await ledger.findKeys(serviceKey, resource.name, externals);
        const seenBy = await keyed.open(rows, known);
        const keepsNone = (await ledger.findFact(serviceKey, keepsKeys(resource))) === 'no';
        const memoryOf = (row: Row) => ({ known: known.get(externalOf(row) ?? Number.NaN), keepsNone });
        const located = rows.map((row) => {
          const source = seenBy(row);
          const external = newKey(row, known);
          const isNone = keyed.asks?.(row) === false || (external !== undefined && source.lacks(external));
          return isNone ? NOT_FOUND : locate(row, source, memoryOf(row));
        });
        const found = await withoutDeleted(context, rows, await Promise.all(located));
        await keyed.located?.(rows, found, known);
        const byId = (id: number, row: MappedRow<R>) => seenBy(row).byId(id);
        const looks = { ...keyed, context, planAgain, byId };
        return {
          found,
          createOnce: (creations) => createOnce(looks, creations, nameContent),
          again: readAgain(keyed, rows, found, memoryOf),
        };
      },
      key: (row, { existing }) => recordKey(row, existing),
      named: ({ values }) => (values[resource.id] === undefined ? resource.external : resource.id),
      decide: (row, { found, key }) => planKeyedRow(row, found, key, kind),
    };
  };
}

/** How the records of rows are read by themselves. */
function readAgain<R extends KeyedResource>(
  { asks, readNow }: KeyedMatching<R>,
  rows: readonly MappedRow<R>[],
  found: readonly RowTarget[],
  memoryOf: (row: Row) => RememberedKey,
): ReadAgain<RowTarget> {
  const idOf = (at: number): number | null => {
    const row = rows[at] as MappedRow<R>;
    if (row.action === 'skip' || asks?.(row) === false) return null;
    const id = found[at]?.existing?.id ?? row.values[row.mapping.resource.id] ?? memoryOf(row).known?.id;
    return typeof id === 'number' ? id : null;
  };
  return {
    keyOf: (at) => (idOf(at) === null ? null : `id:${idOf(at)}`),
    async read(at, sent) {
      const [row, was] = [rows[at] as MappedRow<R>, found[at] ?? NOT_FOUND];
      const one = await readNow(idOf(at) ?? 0, row);
      // What lists alone tell is as it was sent.
      const { fields } = row.mapping.resource;
      const listed = Object.entries(sent).filter(([field]) => fields[field]?.reads === 'list');
      const untold = { ...was.existing?.values, ...Object.fromEntries(listed) };
      const existing = one && { ...one, values: { ...untold, ...one.values } };
      return await locateOne(row, existing, was.clash, memoryOf(row));
    },
  };
}

/** Nothing is there for rows that delete what a run deleted before, and the service keeps as no longer in use. */
async function withoutDeleted(
  { ledger, serviceKey, resource }: ContextOf<KeyedResource>,
  rows: readonly Row[],
  found: readonly RowTarget[],
): Promise<readonly RowTarget[]> {
  const keys = rows.map(({ action }, at) => {
    const { existing } = found[at] ?? NOT_FOUND;
    return action === 'delete' && isOff(resource, existing) ? `id:${existing?.id}` : '';
  });
  if (!keys.some((key) => key !== '')) return found;
  const writes = await ledger.findWrites(serviceKey, resource.name, keys);
  const isDeleted = (at: number): boolean => writes.get(keys[at] ?? '')?.steps.at(-1)?.purpose === 'delete';
  return found.map((target, at) => (isDeleted(at) ? NOT_FOUND : target));
}

/** The requests of a row, what they change, and why they can't be made. */
export interface RowSteps {
  readonly steps: Step[];
  readonly changes: readonly FieldChange[];
  readonly issues: readonly Issue[];
}

/** What a kind of record makes of a row, by what is to become of it. */
export interface RowRequests<R extends KeyedResource> {
  create(row: MappedRow<R>, dialect: Dialect): RowSteps;
  update(row: MappedRow<R>, existing: ExistingRecord, dialect: Dialect): RowSteps;
  /** Absent where the service deletes none. */
  remove?(row: MappedRow<R>, existing: ExistingRecord): Step[];
}

const NO_DELETE: Bilingual = t(
  'the service cannot delete these records',
  'het systeem kan deze records niet verwijderen',
);

/** The key under which rows on one record are kept in order; null when no other row can be about it. */
function recordKey(row: Row, existing: ExistingRecord | null): string | null {
  const { id, external } = row.mapping.resource;
  const known = existing?.id ?? row.values[id];
  if (typeof known === 'number') return `id:${known}`;
  const key = existing?.external ?? row.values[external];
  return typeof key === 'number' ? `external:${key}` : null;
}

interface Deciding {
  readonly rules: PlanRules;
  readonly requests: RowRequests<KeyedResource>;
}

function planKeyedRow(row: Row, target: RowTarget, key: string | null, kind: Deciding): UnplacedRow {
  const { resource } = row.mapping;
  const { existing } = target;
  const external = row.values[resource.external] ?? existing?.external;
  return placeDecision(row, stopsRow(row.issues) ? INVALID : decide(row, target, kind), {
    key,
    id: existing?.id ?? null,
    external: typeof external === 'number' ? external : null,
    lmt: existing?.lmt ?? null,
    said: existing === null ? '' : saidBy(row),
  });
}

function decide(row: Row, { existing, clash }: RowTarget, kind: Deciding): RowDecision {
  const { rules, requests } = kind;
  if (row.action === 'skip') return SKIPPED;
  if (clash !== null) return { action: 'conflict', message: clash };
  if (row.action === 'delete') return decideDelete(row, existing, kind);
  if (existing === null) return decideCreate(row, kind);
  if (row.action === 'create') return { action: 'conflict', message: existsText(row, existing) };
  return settle(row, requests.update(row, existing, rules.dialect), existing, rules);
}

function decideDelete(row: Row, existing: ExistingRecord | null, { rules, requests }: Deciding): RowDecision {
  const { remove } = requests;
  const refused = refuseDelete(row, rules, remove === undefined ? NO_DELETE : null);
  if (refused !== null || remove === undefined) return refused ?? INVALID;
  if (existing === null)
    return hasKey(row) ? ALREADY_GONE : refuse(row, 'key-missing', row.mapping.resource.id);
  return { action: 'delete', steps: remove(row, existing) };
}

function decideCreate(row: Row, { rules, requests }: Deciding): RowDecision {
  const { id, external } = row.mapping.resource;
  if (row.evidence?.names === true) return refuseField(row, id, 'record-deleted', GONE_SINCE);
  if (row.values[id] !== undefined) return refuse(row, 'record-missing', id);
  if (row.action === 'update') return refuse(row, hasKey(row) ? 'record-missing' : 'key-missing', external);
  const made = sayNotFound(row, external, requests.create(row, rules.dialect));
  if (!hasKey(row) && row.action !== 'create' && row.mapping.createsUnnamed !== true)
    return stopsRow(made.issues) ? refuse(row, 'key-missing', external) : refuseUnnamed(row, external);
  return settle(row, made, null, rules);
}

function settle(
  row: Row,
  { steps, changes, issues }: RowSteps,
  existing: ExistingRecord | null,
  { strict, locale }: PlanRules,
): RowDecision {
  for (const found of [issues, unlikelyPrices(row, existing, locale)])
    if (found.length > 0) row.issues.push(...heldTo(strict, found));
  if (stopsRow(row.issues)) return INVALID;
  if (steps.length === 0) return { action: 'unchanged' };
  return { action: existing === null ? 'create' : 'update', changes, steps };
}

function hasKey(row: Row): boolean {
  const { id, external } = row.mapping.resource;
  return row.values[id] !== undefined || row.values[external] !== undefined;
}

function refuse(row: Row, code: IssueCode, field: string): RowDecision {
  const { name, sheet, external, id } = row.mapping.resource;
  const keys = `${external} / ${id}`;
  const anew = t(`${keys}, or create in #action`, `${keys}, of create in #action`);
  return refuseField(row, field, code, code === 'key-missing' ? anew : t(name, sheet));
}

const existsText = ({ mapping }: Row, { id }: ExistingRecord): Bilingual =>
  t(
    `#action says create, but the record exists already as ${mapping.resource.id} ${id}`,
    `#action zegt create, maar het record bestaat al als ${mapping.resource.id} ${id}`,
  );

/** The issue that a field which the request needs has no value. */
export const missingField = (row: MappedRow, name: string, request: 'create' | 'update'): Issue =>
  issueOfLack(row, name, LACKING[request]);

const LACKING = {
  create: t('required for a new row', 'verplicht bij een nieuwe rij'),
  update: t('required, and the record has none', 'verplicht, en het record heeft er geen'),
};
