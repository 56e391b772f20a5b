import type { Issue } from '../core/issue.ts';
import { t } from '../core/language.ts';
import type { PlannedRow } from '../core/plan.ts';
import type { Value } from '../core/value.ts';
import { HashSet, hashOf } from '../ledger/hash-index.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Resource } from '../schema/resource.ts';
import type { SameField } from './existing-record.ts';
import { issueOn, type MappedRow, type RowPlace, type SheetColumns } from './mapped-row.ts';
import type { Baseline, PlannerSetup, RevisedRow, RunOf, UnplacedRow } from './planning.ts';
import { type EarlierRow, RecordSoFar } from './record-so-far.ts';
import { refusedRow } from './row-decision.ts';

/** Rows of one plan on the same record: a later one is planned against what earlier ones leave. */
export type EarlierRows = ReturnType<typeof createEarlierRows>;

/** Records of which is kept what rows made of them so far; of others that is read from the ledger again. */
const MOST_KEPT = 2_000;

/** Keeps hashes of keys in memory, and reads rows back from the ledger. One serves a resource in a run. */
export function createEarlierRows({ ledger, run, resource }: RunOf<Resource>) {
  const seen = new HashSet();
  const renames = new Map<number, string>();
  const unsaved = createUnsaved();
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
  const kept = keepLatest<RecordSoFar>(async (key) => {
    const stored = await ledger.plannedFor(run, resource.name, key);
    const made = new RecordSoFar(resource);
    for (const row of stored) made.add(revisions.now(row), { ...placeOf(row), planned: null, seq: row.seq });
    for (const row of unsaved.of(key)) made.add(row, unsaved.at(row));
    return made.last === undefined ? undefined : made;
  });
  const soFar = async (key: string | null): Promise<RecordSoFar | undefined> =>
    key !== null && maybe(key) ? await kept.get(key) : undefined;
  return {
    /** The key of the record to which an earlier row gave this ExternalID. */
    renamed: (external: number) => renames.get(external),
    maybe,
    /** What earlier rows made of the record with this key; undefined where there are none. */
    soFar,
    /** By name; each is put there before its rows come. */
    sheets,
    /** Makes earlier rows on a record invalid. */
    async refuse(record: RecordSoFar, refused: ReadonlyMap<EarlierRow, readonly Issue[]>): Promise<void> {
      const planned = await plannedAs(ledger, run, [...refused.keys()]);
      for (const [at, issues] of refused) {
        const was = planned(at);
        if (was === undefined) continue;
        const now = refusedRow(was, issues);
        record.replace(at, was, now);
        if (at.planned === null) revisions.add({ was: was as PlannedRow, now: now as PlannedRow });
        else Object.assign(at.planned, now);
      }
    },
    takeRevised: revisions.take,
    has: async (key: string): Promise<boolean> => ((await soFar(key))?.sending ?? 0) > 0,
    /** To be told of every planned row, before it is saved; hands it on. */
    add(row: UnplacedRow): UnplacedRow {
      unsaved.add(row);
      if (row.key === null || row.action === 'skip') return row;
      seen.add(hashed(row.key));
      if (row.steps.length > 0 && row.external !== null && row.key !== `external:${row.external}`)
        renames.set(row.external, row.key);
      kept.known(row.key)?.add(row, unsaved.at(row));
      return row;
    },
    /** To be called when the rows added so far are in the ledger. */
    saved: unsaved.clear,
  };
}

/** What was asked for last, by key; `read` makes what is not among it. */
function keepLatest<T>(read: (key: string) => Promise<T | undefined>) {
  const kept = new Map<string, T>();
  return {
    known: (key: string): T | undefined => (kept.size > 0 ? kept.get(key) : undefined),
    async get(key: string): Promise<T | undefined> {
      const found = kept.get(key) ?? (await read(key));
      if (found === undefined) return undefined;
      kept.delete(key);
      kept.set(key, found);
      if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value as string);
      return found;
    },
  };
}

/** How rows were planned, also those that are in the ledger. */
async function plannedAs(ledger: Ledger, run: string, rows: readonly EarlierRow[]) {
  const places = rows.flatMap(({ planned, seq }) => (planned === null ? [seq] : []));
  const stored = places.length === 0 ? [] : await ledger.rowsAt(run, places);
  const bySeq = new Map(stored.map((row): [number, UnplacedRow] => [row.seq, row]));
  return ({ planned, seq }: EarlierRow): UnplacedRow | undefined => planned ?? bySeq.get(seq);
}

const placeOf = ({ sheet, row }: UnplacedRow) => ({ sheet, row, refused: false });

/** Rows that are not in the ledger yet. They are found by key from the first time that one is asked for. */
function createUnsaved() {
  let rows: UnplacedRow[] = [];
  let found = 0;
  const byKey = new Map<string | null, UnplacedRow[]>();
  let places: EarlierRow[] = [];
  return {
    add: (row: UnplacedRow): void => void rows.push(row),
    of(key: string): readonly UnplacedRow[] {
      for (; found < rows.length; found++) {
        const row = rows[found] as UnplacedRow;
        const others = byKey.get(row.key);
        if (others === undefined) byKey.set(row.key, [row]);
        else others.push(row);
      }
      return byKey.get(key) ?? [];
    },
    at(row: UnplacedRow): EarlierRow {
      const place = { ...placeOf(row), planned: row, seq: -1 };
      places.push(place);
      return place;
    },
    clear(): void {
      for (const place of places) [place.seq, place.planned] = [place.planned?.seq ?? -1, null];
      [rows, found, places] = [[], 0, []];
      byKey.clear();
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

interface RecordRows extends Pick<PlannerSetup, 'base' | 'rules'> {
  readonly earlier: EarlierRows;
  /** The rows on the record as far as they were read, this one too: of those that say the same the first. */
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
  { base, rules, earlier, beside, same }: RecordRows,
): Promise<void> {
  if (key === null || row.action === 'skip') return;
  if (beside === undefined && !earlier.maybe(key)) return;
  const { resource } = row.mapping;
  const was = base.find(resource.name, key);
  if (was !== undefined && differs(row, was.values, same)) {
    const other = beside?.find(
      (one) => one !== row && one.action !== 'skip' && differs(row, one.values, same),
    );
    if (other !== undefined) {
      row.issues.push(recordCopied(row, field, { sheet: other.mapping.sheet, row: other.row }));
      return;
    }
  }
  const soFar = await earlier.soFar(key);
  const twice = soFar?.last;
  if (twice === undefined) return;
  // What earlier rows said: what the workbook was written with, and their changes.
  const said = { ...was?.values, ...soFar?.changed() };
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

/**
 * Rows by their record, of records that more than one names; of rows that say the same the first alone. Empty
 * without a baseline.
 */
export function rowsByRecord<R extends MappedRow>(
  { at }: Baseline,
  rows: readonly R[],
  keyOf: (row: R, at: number) => string | null,
): ReadonlyMap<string | null, readonly R[]> {
  const first = new Map<string, R>();
  const found = new Map<string, Map<string, R>>();
  for (let place = 0; at !== '' && place < rows.length; place++) {
    const row = rows[place] as R;
    const key = keyOf(row, place);
    const other = key === null ? undefined : first.get(key);
    if (key === null) continue;
    if (other === undefined) first.set(key, row);
    else {
      const apart = found.get(key) ?? new Map([[saysOf(other), other]]);
      found.set(key, apart);
      if (!apart.has(saysOf(row))) apart.set(saysOf(row), row);
    }
  }
  return new Map([...found].map(([key, apart]) => [key, [...apart.values()]]));
}

const saysOf = ({ action, values }: MappedRow): string => JSON.stringify([action === 'skip', values]);

/** The warning (an error if `strict`) on a row whose record an earlier row names too; `field` names it. */
function recordTwice(row: MappedRow, field: string, earlier: RowPlace, strict: boolean): Issue {
  const found = `${row.values[field] ?? ''}`;
  return issueOn(row, field, { code: 'record-twice', found, hint: nameOf(row, earlier) }, strict);
}

const nameOf = ({ mapping }: MappedRow, { sheet, row }: RowPlace): string =>
  sheet === mapping.sheet ? `${row}` : `${row} (${sheet})`;

/** The error on a row that was copied from another and still names its record, with the ways out. */
function recordCopied(row: MappedRow, field: string, other: RowPlace): Issue {
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
