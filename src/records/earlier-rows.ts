import type { Issue } from '../core/issue.ts';
import { t } from '../core/language.ts';
import type { PlannedRow } from '../core/plan.ts';
import type { Value } from '../core/value.ts';
import { HashSet, hashOf } from '../ledger/hash-index.ts';
import type { Resource } from '../schema/resource.ts';
import { changedValues, type ExistingRecord, plainValues } from './existing-record.ts';
import { issueOn, type MappedRow, type RowPlace, type SheetColumns } from './mapped-row.ts';
import type { Baseline, PlannerSetup, RevisedRow, RunOf, UnplacedRow } from './planning.ts';
import type { SameField } from './three-way.ts';

/** Rows of one plan on the same record: a later one is planned against what earlier ones leave. */
export type EarlierRows = ReturnType<typeof createEarlierRows>;

/** Keeps hashes of keys in memory, and reads rows back from the ledger. One serves a resource in a run. */
export function createEarlierRows({ ledger, run, resource }: RunOf<Resource>) {
  const seen = new HashSet();
  const renames = new Map<number, string>();
  let unsaved: UnplacedRow[] = [];
  // A row's key is asked for before it is added.
  let last: { readonly key: string; readonly hash: number } = { key: '', hash: hashOf('') };
  const revisions = createRevisions();
  const sheets = new Map<string, SheetColumns>();
  const hashed = (key: string): number => {
    if (key !== last.key) last = { key, hash: hashOf(key) };
    return last.hash;
  };
  // Whether an earlier row may name a record: false is certain, and costs next to nothing.
  const maybe = (key: string | null): boolean => key !== null && seen.has(hashed(key));
  const rowsOf = async (key: string): Promise<UnplacedRow[]> => {
    const planned = await ledger.plannedFor(run, resource.name, key);
    const stored: UnplacedRow[] = planned.map(revisions.now);
    return [...stored, ...unsaved.filter((row) => row.key === key)];
  };
  return {
    /** The key of the record to which an earlier row gave this ExternalID. */
    renamed: (external: number) => renames.get(external),
    maybe,
    /** All earlier rows with this key, in order. */
    of: rowsOf,
    /** By name; each is put there before its rows come. */
    sheets,
    /** Makes an earlier row invalid. */
    refuse(row: UnplacedRow, issues: readonly Issue[]): void {
      const now = { ...row, ...REFUSED, issues: [...row.issues, ...issues] };
      if (unsaved.includes(row)) Object.assign(row, now);
      else revisions.add({ was: row as PlannedRow, now: now as PlannedRow });
    },
    takeRevised: revisions.take,
    has: async (key: string): Promise<boolean> =>
      maybe(key) && (await rowsOf(key)).some(({ steps }) => steps.length > 0),
    /** The last earlier row that names this record, whatever becomes of it; not one that is marked skip. */
    named: async (key: string): Promise<UnplacedRow | undefined> =>
      maybe(key) ? (await rowsOf(key)).findLast(({ action }) => action !== 'skip') : undefined,
    /** The record after the earlier rows with this key; `existing` itself when there are none. */
    async after(key: string | null, existing: ExistingRecord | null): Promise<ExistingRecord | null> {
      if (key === null || !maybe(key)) return existing;
      return (await rowsOf(key)).reduce(afterRow, existing);
    },
    /** To be told of every planned row, before it is saved; hands it on. */
    add(row: UnplacedRow): UnplacedRow {
      if (row.key !== null && row.action !== 'skip') {
        seen.add(hashed(row.key));
        if (row.steps.length > 0 && row.external !== null && row.key !== `external:${row.external}`)
          renames.set(row.external, row.key);
      }
      unsaved.push(row);
      return row;
    },
    /** To be called when the rows added so far are in the ledger. */
    saved(): void {
      unsaved = [];
    },
  };
}

/** Rows that were made invalid after they were saved. */
function createRevisions() {
  const revised = new Map<number, RevisedRow>();
  return {
    add: (row: RevisedRow): void => void revised.set(row.was.seq, row),
    now: (row: PlannedRow): PlannedRow => revised.get(row.seq)?.now ?? row,
    /** Those that were added since it was last asked. */
    take(): readonly RevisedRow[] {
      const taken = [...revised.values()];
      revised.clear();
      return taken;
    },
  };
}

const REFUSED = { action: 'invalid', changes: [], steps: [], needs: [], message: null } as const;

/** The record after a row. */
export function afterRow(existing: ExistingRecord | null, row: UnplacedRow): ExistingRecord | null {
  const [first] = row.steps;
  if (first === undefined) return existing;
  if (first.purpose === 'delete') return null;
  if (first.purpose === 'create') {
    const body = Object.assign({}, ...row.steps.map((step) => step.body));
    return { id: null, external: row.external, lmt: null, values: plainValues(body) };
  }
  const values = { ...existing?.values, ...changedValues(row.changes) };
  return { id: row.id, external: row.external, lmt: existing?.lmt ?? null, values };
}

interface RecordRows extends Pick<PlannerSetup, 'base' | 'rules'> {
  readonly earlier: EarlierRows;
  /** All rows on the record, this one too, as far as they were read. */
  readonly beside?: readonly MappedRow[] | undefined;
  readonly same: SameField;
}

/**
 * Puts an issue on a row whose record (named by `field`) another row names too: a warning, as both may be
 * meant; with a baseline an error where both changed it otherwise, as one is a copy for a new record.
 */
export async function noteTwice(
  row: MappedRow,
  field: string,
  key: string | null,
  { base, rules, earlier, beside = [], same }: RecordRows,
): Promise<void> {
  if (key === null || !(beside.length > 1 || earlier.maybe(key)) || row.action === 'skip') return;
  const { resource } = row.mapping;
  const was = base.find(resource.name, key);
  if (was !== undefined && differs(row, was.values, same)) {
    const other = beside.find(
      (one) => one !== row && one.action !== 'skip' && differs(row, one.values, same),
    );
    if (other !== undefined) {
      row.issues.push(recordCopied(row, field, { sheet: other.mapping.sheet, row: other.row }));
      return;
    }
  }
  const twice = await earlier.named(key);
  if (twice === undefined) return;
  // What the earlier row said: what the workbook was written with, and its changes.
  const said = { ...was?.values, ...changedValues(twice.changes) };
  const copied = was !== undefined && differs(row, was.values, same) && differs(row, said, same);
  if (copied) row.issues.push(recordCopied(row, field, twice));
  else if (twice.action !== 'invalid') row.issues.push(recordTwice(row, field, twice, rules.strict));
}

function differs(row: MappedRow, others: Readonly<Record<string, Value>>, same: SameField): boolean {
  const { resource } = row.mapping;
  const { keys, fields } = resource;
  const external = 'external' in resource ? resource.external : null;
  return Object.entries(row.values).some(([field, value]) => {
    const other = others[field];
    const sent = field === external || (!keys.includes(field) && fields[field]?.update !== 'none');
    return sent && other !== undefined && !same(field, other, value);
  });
}

/** Rows by their record, of records that more than one names; empty without a baseline. */
export function rowsByRecord<R extends MappedRow>(
  { at }: Baseline,
  rows: readonly R[],
  keyOf: (row: R, at: number) => string | null,
): ReadonlyMap<string | null, readonly R[]> {
  const found = new Map<string | null, R[]>();
  if (at === '') return found;
  const first = new Map<string, R>();
  for (let place = 0; place < rows.length; place++) {
    const row = rows[place] as R;
    const key = keyOf(row, place);
    if (key === null) continue;
    const other = first.get(key);
    if (other === undefined) first.set(key, row);
    else found.set(key, [...(found.get(key) ?? [other]), row]);
  }
  return found;
}

/** The warning (an error if `strict`) on a row whose record an earlier row names too; `field` names it. */
export function recordTwice(row: MappedRow, field: string, earlier: RowPlace, strict: boolean): Issue {
  const found = `${row.values[field] ?? ''}`;
  return issueOn(row, field, { code: 'record-twice', found, hint: nameOf(row, earlier) }, strict);
}

const nameOf = ({ mapping }: MappedRow, { sheet, row }: RowPlace): string =>
  sheet === mapping.sheet ? `${row}` : `${row} (${sheet})`;

/** The error on a row that was copied from another and still names its record, with the ways out. */
export function recordCopied(row: MappedRow, field: string, other: RowPlace): Issue {
  const { mapping, values } = row;
  const { resource } = mapping;
  const name = nameOf(row, other);
  const creates = 'create' in resource.requests;
  const keys = resource.keys.filter((key) => values[key] !== undefined).join(', ');
  const anew = {
    en: creates ? `; for a new record empty ${keys} and put create in #action` : '',
    nl: creates ? `; maak voor een nieuw record ${keys} leeg en zet create in #action` : '',
  };
  const hint = t(
    `row ${name} is about the same record and says something else: delete one of the two${anew.en}`,
    `rij ${name} gaat over hetzelfde record en zegt iets anders: verwijder een van de twee${anew.nl}`,
  );
  return issueOn(row, field, { code: 'record-copied', found: `${values[field] ?? ''}`, hint });
}
