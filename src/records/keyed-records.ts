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
import {
  type KeyClash,
  locate,
  locateOne,
  NOT_FOUND,
  type Records,
  type RememberedKey,
  type RowTarget,
} from './locate.ts';
import { issueOfLack, type MappedRow, sayNotFound } from './mapped-row.ts';
import type { ContextOf, PlannerSetup, PlanRules, RunOf, UnplacedRow } from './planning.ts';
import {
  ALREADY_GONE,
  INVALID,
  type RowDecision,
  refuseDelete,
  refuseField,
  refuseUnnamed,
  SKIPPED,
} from './row-decision.ts';
import type { RecordMatching } from './row-matching.ts';
import { saidBy } from './said-fields.ts';
import { createNaming, type NameContent } from './sent-before.ts';
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

/** How rows that name their record by id, by ExternalID, or by what the ledger remembers for that are planned. */
export function keyedRows<R extends KeyedResource>(
  context: RunOf<R>,
  matchingFor: (setup: PlannerSetup) => KeyedMatching<R>,
): (setup: PlannerSetup) => RecordMatching<R, RowTarget> {
  const nameContent = createNaming();
  return (setup) => keyedMatching(context, setup.rules, nameContent, matchingFor(setup));
}

function keyedMatching<R extends KeyedResource>(
  context: ContextOf<R>,
  rules: PlanRules,
  nameContent: NameContent,
  keyed: KeyedMatching<R>,
): RecordMatching<R, RowTarget> {
  const { resource } = context;
  const kind: Deciding = { rules, requests: keyed.requests };
  // Learned when rows are sent, which is after all of them are planned.
  let keepsNone: Promise<string | undefined> | undefined;
  const planAgain = (row: MappedRow<R>, existing: ExistingRecord): UnplacedRow =>
    planKeyedRow(row, { existing, clash: null }, recordKey(row, existing), kind);
  return {
    ...keyed,
    async find(rows) {
      const known = await findKnown(context, rows);
      const seenBy = await keyed.open(rows, known);
      keepsNone ??= context.ledger.findFact(context.serviceKey, keepsKeys(resource));
      const memory = { known, keepsNone: (await keepsNone) === 'no' };
      const located = await locateAll(rows, keyed, seenBy, memory);
      const found = await withoutDeleted(context, rows, located);
      await keyed.located?.(rows, found, known);
      const byId = (id: number, row: MappedRow<R>) => seenBy(row).byId(id);
      const looks = { ...keyed, context, planAgain, byId };
      return {
        found,
        createOnce: (creations) => createOnce(looks, creations, nameContent),
        again: readAgain(keyed, rows, found, memory),
      };
    },
    key: (row, _, existing) => recordKey(row, existing),
    named: ({ values }) => (values[resource.id] === undefined ? resource.external : resource.id),
    decide: (row, { found, key }) => planKeyedRow(row, found, key, kind),
  };
}

/** How the records of rows are read by themselves; `memory`: as they were located by. */
function readAgain<R extends KeyedResource>(
  { asks, readNow }: KeyedMatching<R>,
  rows: readonly MappedRow<R>[],
  found: readonly RowTarget[],
  { known, ...memory }: Omit<RememberedKey, 'known'> & { readonly known: KnownRecords },
): ReadAgain<RowTarget> {
  const rememberedFor = (row: MappedRow<R>) => known.get(externalOf(row) ?? Number.NaN);
  const idOf = (at: number): number | null => {
    const row = rows[at] as MappedRow<R>;
    if (row.action === 'skip' || asks?.(row) === false) return null;
    const id = found[at]?.existing?.id ?? row.values[row.mapping.resource.id] ?? rememberedFor(row)?.id;
    return typeof id === 'number' ? id : null;
  };
  return {
    keyOf: (at) => (idOf(at) === null ? null : `id:${idOf(at)}`),
    states: ({ existing }) => (existing === null ? [] : [existing]),
    async read(at, sent) {
      const [row, was] = [rows[at] as MappedRow<R>, found[at] ?? NOT_FOUND];
      const one = await readNow(idOf(at) ?? 0, row);
      // What lists alone tell is as it was sent.
      const { fields } = row.mapping.resource;
      const listed = Object.entries(sent).filter(([field]) => fields[field]?.reads === 'list');
      const untold = { ...was.existing?.values, ...Object.fromEntries(listed) };
      const existing = one && { ...one, values: { ...untold, ...one.values } };
      return await locateOne(row, existing, was.clash, { ...memory, known: rememberedFor(row) });
    },
  };
}

/** Nothing is there for rows that delete what a run deleted before, and the service keeps as no longer in use. */
async function withoutDeleted<R extends KeyedResource>(
  { ledger, serviceKey, resource }: ContextOf<R>,
  rows: readonly MappedRow<R>[],
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

async function findKnown(
  { ledger, serviceKey, resource: { name } }: ContextOf<KeyedResource>,
  rows: readonly Row[],
): Promise<KnownRecords> {
  const externals = rows.flatMap((row) => externalOf(row) ?? []);
  return await ledger.findKeys(serviceKey, name, externals);
}

/** What is to be looked up is looked up side by side; what is known already does not wait for it. */
async function locateAll<R extends KeyedResource>(
  rows: readonly MappedRow<R>[],
  keyed: KeyedMatching<R>,
  seenBy: (row: MappedRow<R>) => Records,
  { known, ...memory }: Omit<RememberedKey, 'known'> & { readonly known: KnownRecords },
): Promise<RowTarget[]> {
  const targets: RowTarget[] = [];
  const waits: Promise<unknown>[] = [];
  const newKey = (row: MappedRow<R>): number | undefined => {
    const external = externalOf(row);
    const isNew = external !== undefined && row.values[row.mapping.resource.id] === undefined;
    return isNew && known.get(external) === undefined ? external : undefined;
  };
  const isNew = (row: MappedRow<R>, external = newKey(row)): boolean =>
    external !== undefined && seenBy(row).lacks(external);
  const [first] = rows;
  const prove = first === undefined ? undefined : seenBy(first).prove;
  const asked = (row: MappedRow<R>) => {
    const external = keyed.asks?.(row) === false ? undefined : newKey(row);
    return external ?? [];
  };
  if (prove !== undefined) await prove(rows.flatMap(asked));
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as MappedRow<R>;
    targets.push(NOT_FOUND);
    if (keyed.asks?.(row) === false || isNew(row)) continue;
    const record = known.get(externalOf(row) ?? Number.NaN);
    const located = locate(row, seenBy(row), { ...memory, known: record });
    waits.push(located.then((target) => (targets[at] = target)));
  }
  if (waits.length > 0) await Promise.all(waits);
  return targets;
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

/** Shared by all rows that have none: a list of their own would be a million of them. */
const NONE: readonly never[] = [];

function planKeyedRow(row: Row, target: RowTarget, key: string | null, kind: Deciding): UnplacedRow {
  const { resource, sheet } = row.mapping;
  const { existing } = target;
  const decision: RowDecision = stopsRow(row.issues) ? INVALID : decide(row, target, kind);
  const external = row.values[resource.external] ?? existing?.external;
  return {
    // Its place is put there later: a member that comes after costs an object more, a row.
    seq: -1,
    sheet,
    row: row.row,
    resource: resource.name,
    key,
    id: existing?.id ?? null,
    external: typeof external === 'number' ? external : null,
    lmt: existing?.lmt ?? null,
    action: decision.action,
    changes: decision.changes ?? NONE,
    said: existing === null ? '' : saidBy(row),
    steps: decision.steps ?? NONE,
    needs: NONE,
    message: decision.message ?? null,
    issues: row.issues,
  };
}

function decide(row: Row, { existing, clash }: RowTarget, kind: Deciding): RowDecision {
  const { rules, requests } = kind;
  if (row.action === 'skip') return SKIPPED;
  if (clash !== null && existing !== null)
    return { action: 'conflict', message: clashText(row, existing, clash) };
  if (row.action === 'delete') return decideDelete(row, existing, kind);
  if (existing === null) return decideCreate(row, kind);
  if (row.action === 'create') return { action: 'conflict', message: existsText(row, existing) };
  const made = requests.update(row, existing, rules.dialect);
  return settle(row, { ...made, existing }, 'update', rules);
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
  const isUnasked = !hasKey(row) && row.action !== 'create' && row.mapping.createsUnnamed !== true;
  if (isUnasked && stopsRow(made.issues)) return refuse(row, 'key-missing', external);
  if (isUnasked) return refuseUnnamed(row, external);
  return settle(row, { ...made, existing: null }, 'create', rules);
}

function settle(
  row: Row,
  made: RowSteps & { readonly existing: ExistingRecord | null },
  action: 'create' | 'update',
  { strict, locale }: PlanRules,
): RowDecision {
  const { steps, changes, issues, existing } = made;
  for (const found of [issues, unlikelyPrices(row, existing, locale)])
    if (found.length > 0) row.issues.push(...heldTo(strict, found));
  if (stopsRow(row.issues)) return INVALID;
  return steps.length === 0 ? { action: 'unchanged' } : { action, changes, steps };
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

function existsText(row: Row, existing: ExistingRecord): Bilingual {
  const named = existing.id === null ? null : `${row.mapping.resource.id} ${existing.id}`;
  return t(
    `#action says create, but the record exists already${named === null ? '' : ` as ${named}`}`,
    `#action zegt create, maar het record bestaat al${named === null ? '' : ` als ${named}`}`,
  );
}

function clashText(row: Row, existing: ExistingRecord, clash: KeyClash): Bilingual {
  const { id, external } = row.mapping.resource;
  const key = row.values[external];
  if (clash.why === 'twins') {
    const ids = clash.ids.join(', ');
    return t(
      `more than one record has ${external} ${key} (${id} ${ids}); name the one you mean by its ${id}`,
      `meer dan één record heeft ${external} ${key} (${id} ${ids}); noem het bedoelde met zijn ${id}`,
    );
  }
  if (clash.why === 'two records') {
    return t(
      `${external} ${key} belongs to ${id} ${clash.owner}, not to ${id} ${existing.id}`,
      `${external} ${key} hoort bij ${id} ${clash.owner}, niet bij ${id} ${existing.id}`,
    );
  }
  return t(
    `${external} ${key} was ${id} ${clash.id} before, but that record is now "${clash.label}" and has no ${external}; name the record by its ${id}`,
    `${external} ${key} was eerder ${id} ${clash.id}, maar dat record heet nu "${clash.label}" en heeft geen ${external}; noem het record met zijn ${id}`,
  );
}

/** The issue that a field which the request needs has no value. */
export const missingField = (row: MappedRow, name: string, request: 'create' | 'update'): Issue =>
  issueOfLack(row, name, LACKING[request]);

const LACKING = {
  create: t('required for a new row', 'verplicht bij een nieuwe rij'),
  update: t('required, and the record has none', 'verplicht, en het record heeft er geen'),
};
