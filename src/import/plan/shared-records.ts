import { EXIT, StopError } from '../../core/errors.ts';
import { t } from '../../core/language.ts';
import type { PlannedRow } from '../../core/plan.ts';
import { HashSet, hashOf } from '../../ledger/hash-index.ts';
import type { PlannerSetup, RevisedRow, RunOf, UnplacedRow } from '../../records/planning.ts';
import { refusedRow } from '../../records/row-decision.ts';
import type { Resource } from '../../schema/resource.ts';
import { apart, type SharedRecord, settleRows } from './contradictions.ts';

/** So many rows are about one record at most. */
const MOST_ROWS = 10_000;

/** The records of a plan that several rows name; one serves a resource in a run. */
export type SharedRecords = ReturnType<typeof createSharedRecords>;

/** Notes which records several rows name, and settles what these say when all of them are in the ledger. */
export function createSharedRecords({ ledger, run, resource }: RunOf<Resource>) {
  const external = 'external' in resource ? resource.external : null;
  const seen = new HashSet();
  const shared = new Map<string, number>();
  /** The records that rows give an ExternalID, by the key of a record that would be made with it. */
  const given = new Map<string, Set<string>>();
  const sheets = new Map<string, PlannerSetup['mapping']>();
  let setup: Pick<PlannerSetup, 'base' | 'rules'> | undefined;
  const note = (name: string): void => {
    const hash = hashOf(name);
    if (!seen.has(hash)) {
      seen.add(hash);
      return;
    }
    const rows = (shared.get(name) ?? 1) + 1;
    shared.set(name, rows);
    if (rows > MOST_ROWS) throw tooMany(resource, name);
  };
  const rowsOf = (key: string): Promise<readonly PlannedRow[]> => ledger.plannedFor(run, resource.name, key);
  const about = (key: string): SharedRecord => ({
    ...{ resource, sheets, isExported: setup?.base.find(resource.name, key) !== undefined },
    ...{ strict: setup?.rules.strict === true, locale: setup?.rules.locale },
  });
  /** Rows that would give one ExternalID to several records. */
  const givers = async (key: string): Promise<PlannedRow[]> => {
    const rows = [...(await rowsOf(key))];
    for (const other of given.get(key) ?? [])
      for (const row of await rowsOf(other))
        if (row.changes.some(({ field, to }) => field === external && `external:${to}` === key))
          rows.push(row);
    return rows.filter(({ action }) => action === 'create' || action === 'update');
  };
  return {
    /** To be called before the rows of a sheet come. */
    open({ mapping, base, rules }: PlannerSetup): void {
      sheets.set(mapping.sheet, mapping);
      setup = { base, rules };
    },
    /** Takes a planned row. */
    add({ key, action, changes }: UnplacedRow): void {
      if (key === null || action === 'skip') return;
      note(key);
      const gives = changes.find(({ field }) => field === external)?.to;
      if (typeof gives !== 'number') return;
      const name = `external:${gives}`;
      given.set(name, (given.get(name) ?? new Set()).add(key));
      note(name);
    },
    /** To be called when all rows are in the ledger; answers those that become another. */
    async settle(): Promise<readonly RevisedRow[]> {
      const revised = new Map<number, RevisedRow>();
      const take = (one: RevisedRow): void => void revised.set(one.was.seq, one);
      for (const name of shared.keys()) settleRows(await rowsOf(name), about(name)).forEach(take);
      for (const name of given.keys()) {
        if (!shared.has(name)) continue;
        const rows = (await givers(name)).filter(({ seq }) => revised.get(seq)?.now.action !== 'invalid');
        if (new Set(rows.map(({ key }) => key)).size < 2) continue;
        for (const [row, issues] of apart(rows, about(name)))
          take({ was: row, now: refusedRow(revised.get(row.seq)?.now ?? row, issues) as PlannedRow });
      }
      shared.clear();
      given.clear();
      return [...revised.values()];
    },
  };
}

function tooMany({ sheet, keys }: Resource, name: string): StopError {
  const record = `${keys[0] ?? ''} ${name.replace(/^\w+:/, '')}`;
  return new StopError(
    EXIT.file,
    t(
      `More than ${MOST_ROWS} rows of ${sheet} are about one record (${record}).`,
      `Meer dan ${MOST_ROWS} rijen van ${sheet} gaan over één record (${record}).`,
    ),
    { next: t('Check the column of its key.', 'Kijk de kolom van de sleutel na.') },
  );
}
