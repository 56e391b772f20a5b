import { heldTo, stopsRow } from '../core/issue.ts';
import type { IssueCode } from '../core/issue-catalogue.ts';
import { type Bilingual, t } from '../core/language.ts';
import type { Value } from '../core/value.ts';
import type { KnownRecord } from '../ledger/ledger.ts';
import { createOnce } from './create-once.ts';
import { createMark, createSettling, type RecordReads } from './doubts.ts';
import {
  type ExistingRecord,
  isOff,
  type KeyedResource,
  mayShow,
  type RecordResource,
  type SameField,
  sameValue,
} from './existing-record.ts';
import { withApplied } from './last-applied.ts';
import type { MappedRow, SheetColumns } from './mapped-row.ts';
import {
  ALREADY_GONE,
  type ContextOf,
  INVALID,
  needsRecord,
  type PlannerSetup,
  type PlanRules,
  placeDecision,
  type RecordMatching,
  type RowDecision,
  type RowRecord,
  type RunOf,
  refuseAction,
  refuseDelete,
  refuseField,
  refuseUnnamed,
  SKIPPED,
  saidBy,
  type UnplacedRow,
} from './planning.ts';
import { keepsKeys } from './record-guard.ts';
import { createRequests } from './record-requests.ts';
import { createNaming, GONE_SINCE } from './sent-before.ts';

type Row = MappedRow<RecordResource>;

/** What the ledger knows of records, by ExternalID. */
type KnownRecords = ReadonlyMap<number, KnownRecord>;

/** How rows are held against records that have an id: what `keyedRows` works by. */
export interface KeyedMatching extends Pick<RecordMatching, 'ready' | 'same' | 'asMeant'> {
  /** Reads ahead what a window of rows needs; answers the records as a row sees them, null where it has none. */
  open(rows: readonly Row[], known: KnownRecords): Promise<(row: Row) => Records | null>;
  /** To be told of what was found for the rows of a window. */
  located?(rows: readonly Row[], found: readonly RowTarget[], known: KnownRecords): Promise<void>;
  readonly reads: RecordReads;
}

/** A row's ExternalID. */
export function externalOf({ values, mapping: { resource } }: MappedRow): number | undefined {
  const value = 'external' in resource ? values[resource.external] : undefined;
  return typeof value === 'number' ? value : undefined;
}

/** The ExternalID of a row that names its record by nothing else, and of which the ledger knows no record. */
export function newKey(row: Row, known: KnownRecords): number | undefined {
  const external = externalOf(row);
  if (external === undefined || row.values[row.mapping.resource.id] !== undefined) return undefined;
  return known.has(external) ? undefined : external;
}

/** How rows that name their record by id, by ExternalID, or by what the ledger remembers for that are planned. */
export function keyedRows(
  context: RunOf<RecordResource>,
  matchingFor: (setup: PlannerSetup) => KeyedMatching,
): (setup: PlannerSetup) => RecordMatching {
  const { ledger, serviceKey, resource } = context;
  const nameContent = createNaming();
  return (setup) => {
    const keyed = matchingFor(setup);
    const { reads } = keyed;
    const { rules, base } = setup;
    const requests = createRequests(setup.mapping as SheetColumns<RecordResource>, rules.dialect);
    const planRow = (row: Row, target: RowTarget): UnplacedRow => {
      const { existing } = target;
      return placeDecision(row, decide(row, target, rules, requests, keyed.same?.(existing)), {
        key: recordKey(row, existing),
        id: existing?.id ?? null,
        external: externalOf(row) ?? existing?.external ?? null,
        lmt: existing?.lmt ?? null,
        said: existing === null ? '' : saidBy(row),
      });
    };
    return {
      ...keyed,
      async find(rows: readonly Row[]) {
        const externals = rows.flatMap((row) => externalOf(row) ?? []);
        const known = await ledger.findKeys(serviceKey, resource.name, externals);
        const keepsNone = (await ledger.findFact(serviceKey, keepsKeys(resource))) === 'no';
        const memoryOf = (row: Row) => ({ known: known.get(externalOf(row) ?? Number.NaN), keepsNone });
        const asks = (row: Row): boolean =>
          row.action !== 'skip' &&
          (row.action !== 'delete' || requests.remove !== undefined) &&
          ('external' in resource || needsRecord(row, base));
        const seenBy = await keyed.open(rows.filter(asks), known);
        const located = rows.map((row) => {
          const source = asks(row) ? seenBy(row) : null;
          return source === null ? NOT_FOUND : locate(row, source, memoryOf(row));
        });
        const found = await withoutDeleted(context, rows, await Promise.all(located));
        await keyed.located?.(rows, found, known);
        const idOf = (at: number): number | null => {
          const row = rows[at] as Row;
          const id = found[at]?.existing?.id ?? row.values[resource.id] ?? memoryOf(row).known?.id;
          return typeof id === 'number' && asks(row) ? id : null;
        };
        return {
          found,
          createOnce: (creations) =>
            createOnce(
              {
                ...{ context, tookEffect: createSettling(context, reads) },
                async readNow(id) {
                  const read = [{ existing: await reads.one(id, null) }];
                  return (await withApplied(context, read, () => `id:${id}`))[0]?.existing ?? null;
                },
                byId: async (id, row) => (await seenBy(row as Row)?.byId(id)) ?? null,
                planAgain: (row, existing) => planRow(row as Row, { existing, clash: null }),
              },
              creations,
              nameContent,
            ),
          keyOf: (at) => (idOf(at) === null ? null : `id:${idOf(at)}`),
          async again(at, sent) {
            const [row, was] = [rows[at] as Row, found[at] ?? NOT_FOUND];
            const one = await reads.one(idOf(at) ?? 0, null);
            // What lists alone tell is as it was sent: the list that the plan read lags behind.
            const listed = Object.entries(sent).filter(([name]) => resource.fields[name]?.reads === 'list');
            const untold = { ...was.existing?.values, ...Object.fromEntries(listed) };
            const existing = one && { ...one, values: { ...untold, ...one.values } };
            const external = externalOf(row);
            if (existing === null || external === undefined) return { ...was, existing };
            return { ...was, existing: withKey(existing, external, memoryOf(row)) };
          },
        };
      },
      key: (row: Row, { existing }) => recordKey(row, existing),
      decide: (row: Row, { found }: RowRecord & { readonly found: RowTarget }) => planRow(row, found),
    };
  };
}

/** Nothing is there for rows that delete what a run deleted before, and the service keeps as no longer in use. */
async function withoutDeleted(
  { ledger, serviceKey, resource }: ContextOf<RecordResource>,
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

/** The key under which rows on one record are kept in order; null when no other row can be about it. */
function recordKey(row: Row, existing: ExistingRecord | null): string | null {
  const known = existing?.id ?? row.values[row.mapping.resource.id];
  if (typeof known === 'number') return `id:${known}`;
  const key = existing?.external ?? externalOf(row) ?? null;
  return key === null ? null : `external:${key}`;
}

function decide(
  row: Row,
  { existing, clash }: RowTarget,
  rules: PlanRules,
  { create, update, remove }: ReturnType<typeof createRequests>,
  same: SameField | undefined,
): RowDecision {
  const { values, action, issues, mapping, evidence } = row;
  const { resource } = mapping;
  const { id } = resource;
  const key = 'external' in resource ? resource.external : id;
  const isKeyed = values[id] !== undefined || values[key] !== undefined;
  if (stopsRow(issues)) return INVALID;
  if (action === 'skip') return SKIPPED;
  if (clash !== null) return { action: 'conflict', message: clash };
  if (action === 'create' && create === undefined)
    return refuseAction(row, 'action-not-possible', byServiceText(resource));
  if (action === 'delete') {
    const refused = refuseDelete(row, rules, remove === undefined ? NO_DELETE : null);
    if (refused !== null || remove === undefined) return refused ?? INVALID;
    if (existing !== null) return { action, steps: [remove(existing)] };
    return isKeyed ? ALREADY_GONE : refuse(row, 'key-missing', id);
  }
  if (existing !== null) {
    if (action === 'create') return { action: 'conflict', message: existsText(row, existing) };
    return settle(row, update(row, existing, same), existing, rules);
  }
  if (evidence?.names === true && create !== undefined)
    return refuseField(row, id, 'record-deleted', GONE_SINCE);
  if (values[id] !== undefined) return refuse(row, 'record-missing', id);
  if (action === 'update' || create === undefined)
    return refuse(row, isKeyed ? 'record-missing' : 'key-missing', key);
  const made = create(row);
  if (action !== 'create') {
    const columns = made.issues.flatMap(({ code, field }) =>
      code === 'column-missing' ? (field ?? []) : [],
    );
    if (isKeyed && columns.length > 0)
      return refuseField(row, key, 'record-missing', lacksText(row, columns));
    if (!isKeyed && mapping.createsUnnamed !== true)
      return stopsRow(made.issues) ? refuse(row, 'key-missing', key) : refuseUnnamed(row, key);
  }
  return settle(row, made, null, rules);
}

function settle(
  row: Row,
  { steps, changes, issues }: ReturnType<ReturnType<typeof createRequests>['update']>,
  existing: ExistingRecord | null,
  { strict }: PlanRules,
): RowDecision {
  if (issues.length > 0) row.issues.push(...heldTo(strict, issues));
  if (stopsRow(row.issues)) return INVALID;
  if (steps.length === 0) return { action: 'unchanged' };
  return { action: existing === null ? 'create' : 'update', changes, steps };
}

function refuse(row: Row, code: IssueCode, field: string): RowDecision {
  const { name, sheet, keys, id, requests } = row.mapping.resource;
  const all = keys.toReversed().join(' / ');
  const anew = t(`${all}, or create in #action`, `${all}, of create in #action`);
  const hint = 'create' in requests ? anew : id;
  return refuseField(row, field, code, code === 'key-missing' ? hint : t(name, sheet));
}

const NO_DELETE: Bilingual = t(
  'the service cannot delete these records',
  'het systeem kan deze records niet verwijderen',
);

const byServiceText = ({ name, sheet, id }: RecordResource): Bilingual =>
  t(
    `the service makes ${name} itself; empty the cell and name the record by its ${id}`,
    `het systeem maakt ${sheet.toLowerCase()} zelf; maak de cel leeg en noem het record met ${id}`,
  );

const lacksText = ({ mapping: { resource } }: Row, columns: readonly string[]): Bilingual =>
  t(
    `${resource.name}; a new one needs a column ${columns.join(', ')}`,
    `${resource.sheet}; een nieuwe heeft een kolom ${columns.join(', ')} nodig`,
  );

const existsText = ({ mapping }: Row, { id }: ExistingRecord): Bilingual =>
  t(
    `#action says create, but the record exists already as ${mapping.resource.id} ${id}`,
    `#action zegt create, maar het record bestaat al als ${mapping.resource.id} ${id}`,
  );

/** What the service holds, by either key. */
export interface Records {
  byId(id: number): Promise<ExistingRecord | null>;
  byExternal(external: number): Promise<ExistingRecord | null>;
  /** Another record with the same ExternalID, where that can be seen: which one is meant can't be told. */
  twin(external: number): number | null;
}

/** What lists showed, by either key. */
export class ListedRecords implements Records {
  readonly seen = createMark();
  readonly ids = new Map<number, ExistingRecord>();
  readonly keys = new Map<number, ExistingRecord>();
  private readonly twins = new Map<number, number>();

  add(existing: ExistingRecord | null): void {
    if (existing?.id == null) return;
    const { id, external } = existing;
    this.seen.saw(existing);
    this.ids.set(id, existing);
    if (external === null) return;
    // The same record again, as a list moved while it was read, is no second one.
    const other = this.keys.get(external)?.id ?? id;
    if (other !== id) this.twins.set(external, other);
    this.keys.set(external, existing);
  }

  readonly byId = async (id: number) => this.ids.get(id) ?? null;
  readonly byExternal = async (external: number) => this.keys.get(external) ?? null;
  readonly twin = (external: number) => this.twins.get(external) ?? null;
}

/** What is known of the record that a row names. */
interface RowTarget {
  readonly existing: ExistingRecord | null;
  /** Why it can't be decided which record the row names; null where it can. */
  readonly clash: Bilingual | null;
}

/** No record, and nothing that stands in the way of making one. */
const NOT_FOUND: RowTarget = { existing: null, clash: null };

/** What the ledger knows of an ExternalID. */
interface RememberedKey {
  readonly known: KnownRecord | undefined;
  /** The service does not keep ExternalID: a record without one may still be the row's. */
  readonly keepsNone: boolean;
}

/** Finds the record that a row names: by id, by ExternalID on the service, else by the ledger. */
async function locate(row: Row, source: Records, memory: RememberedKey): Promise<RowTarget> {
  const { resource } = row.mapping;
  const id = row.values[resource.id];
  const external = externalOf(row);
  const existing = typeof id === 'number' ? await source.byId(id) : null;
  // A row that a result names by an id that is gone may have a key of its own.
  const isNamed = typeof id === 'number' && row.evidence?.names !== true;
  if (external === undefined || !('external' in resource) || (existing === null && isNamed))
    return { existing, clash: null };
  if (existing === null) return await byKey(source, resource, external, memory, row.values[resource.label]);
  const owner = existing.external === external ? null : await source.byExternal(external);
  const isOthers = owner !== null && owner.id !== null && owner.id !== id;
  return {
    existing: withKey(existing, external, memory),
    clash: isOthers ? ownedText(resource, external, `${owner.id}`, `${id}`) : null,
  };
}

/**
 * The record with an ExternalID, on the service, else the one that the ledger remembers for it while that has
 * none: not every service keeps it. `ids`: all that have it.
 */
async function byKey(
  source: Records,
  resource: KeyedResource,
  external: number,
  memory: RememberedKey,
  said: Value = null,
): Promise<RowTarget & { readonly ids: readonly number[] }> {
  const { known } = memory;
  const found = await source.byExternal(external);
  if (found !== null) {
    const twin = await twinOf(source, external, found, known);
    const ids = [twin, found.id].filter((id) => id !== null);
    return { existing: found, clash: twin === null ? null : twinsText(resource, external, ids), ids };
  }
  const existing = known === undefined ? null : await source.byId(known.id);
  if (known === undefined || existing === null || !mayShow(external, existing.external))
    return { ...NOT_FOUND, ids: [] };
  const name = existing.values[resource.label] ?? null;
  const names = [known.label, said];
  // An id that was given out anew, after a reset of the service, must not make this row overwrite a stranger.
  const isOurs =
    existing.external === external || known.label === null || names.some((one) => sameValue(name, one));
  if (!isOurs) return { existing, clash: strangerText(resource, external, known.id, `${name}`), ids: [] };
  return { existing: withKey(existing, external, memory), clash: null, ids: [known.id] };
}

/** Another record with an ExternalID: one that was read, else the one that the ledger remembers. */
async function twinOf(
  source: Records,
  external: number,
  { id }: ExistingRecord,
  known: KnownRecord | undefined,
): Promise<number | null> {
  const twin = source.twin(external);
  if (twin !== null || known === undefined || known.id === id) return twin;
  return (await source.byId(known.id))?.external === external ? known.id : null;
}

/** A record with the ExternalID that the ledger remembers for it, where the service does not keep it as it was sent. */
function withKey(
  existing: ExistingRecord,
  external: number,
  { known, keepsNone }: RememberedKey,
): ExistingRecord {
  const shown = existing.external;
  const isKept = known?.id === existing.id && mayShow(external, shown) && (keepsNone || shown !== null);
  return isKept ? { ...existing, external } : existing;
}

/** The records with this ExternalID: none where neither service nor ledger tells; more than one are named. */
export async function locateReferred(
  source: Records,
  resource: KeyedResource,
  external: number,
  known: KnownRecord | undefined,
): Promise<readonly number[]> {
  return (await byKey(source, resource, external, { known, keepsNone: true })).ids;
}

const twinsText = ({ id, external }: KeyedResource, key: number, ids: readonly number[]): Bilingual =>
  t(
    `more than one record has ${external} ${key} (${id} ${ids.join(', ')}); name the one you mean by its ${id}`,
    `meer dan één record heeft ${external} ${key} (${id} ${ids.join(', ')}); noem het bedoelde met zijn ${id}`,
  );

const ownedText = ({ id, external }: KeyedResource, key: number, owner: string, named: string): Bilingual =>
  t(
    `${external} ${key} belongs to ${id} ${owner}, not to ${id} ${named}`,
    `${external} ${key} hoort bij ${id} ${owner}, niet bij ${id} ${named}`,
  );

const strangerText = ({ id, external }: KeyedResource, key: number, known: number, name: string): Bilingual =>
  t(
    `${external} ${key} was ${id} ${known} before, but that record is now "${name}" and has no ${external}; name the record by its ${id}`,
    `${external} ${key} was eerder ${id} ${known}, maar dat record heet nu "${name}" en heeft geen ${external}; noem het record met zijn ${id}`,
  );
