import { type Bilingual, t } from '../core/language.ts';
import type { PlannedRow } from '../core/plan.ts';
import { shownMinute } from '../core/shown-moment.ts';
import type { RunRecord, WrittenPlace } from '../ledger/ledger.ts';
import type { Resource } from '../schema/resource.ts';
import { plainValues, sameValue } from './existing-record.ts';
import type { MappedRow } from './mapped-row.ts';
import type { RunOf, UnplacedRow } from './planning.ts';
import { ALREADY_GONE } from './row-decision.ts';

/** So many rows that all say what a run wrote are proof enough of it: to read all it sent takes too long. */
const ENOUGH = 500;

/**
 * Names the run that did rows which are unchanged now, and when it began, as far as the ledger knows: the
 * last write of their record sent what they say. To be called for each window of rows, with their plans.
 */
export function createDoneBefore<R extends Resource>({ ledger, serviceKey, resource }: RunOf<R>) {
  /** By run, the rows that said what it wrote; none of a run of which one did not. */
  const proven = new Map<string, number>();

  /** Which of these rows, all written last by one run, say what it wrote. */
  async function doneBy(
    run: string,
    rows: readonly WrittenUnchanged[],
  ): Promise<readonly WrittenUnchanged[]> {
    const before = proven.get(run) ?? 0;
    if (before >= ENOUGH) return rows;
    const places = rows.map(({ place }) => place.seq);
    const bySeq = new Map((await ledger.rowsAt(run, places)).map((one) => [one.seq, one]));
    const done = rows.filter(({ place, row, said }) => {
      const write = bySeq.get(place.seq);
      return write !== undefined && isDoneBy(write, row, said);
    });
    proven.set(run, done.length === rows.length ? before + done.length : Number.NEGATIVE_INFINITY);
    return done;
  }

  return async (planned: readonly UnplacedRow[], rows: readonly MappedRow<R>[]): Promise<void> => {
    const keys = planned.flatMap((row) => (isSilent(row) ? (row.key ?? []) : []));
    const places = await ledger.findWriters(serviceKey, resource.name, keys);
    if (places.size === 0) return;
    const byRun = new Map<string, WrittenUnchanged[]>();
    for (const [at, row] of planned.entries()) {
      const place = isSilent(row) ? places.get(row.key ?? '') : undefined;
      if (place === undefined) continue;
      const known = byRun.get(place.run) ?? [];
      byRun.set(place.run, known);
      known.push({ place, row, said: rows[at] as MappedRow<R> });
    }
    // In place: the row is the planner's own, and not saved yet.
    for (const [run, written] of byRun) {
      const begun = await ledger.findRun(run);
      if (begun === undefined) continue;
      const [message, gone] = [doneText(begun, null), doneText(begun, ALREADY_GONE.message ?? null)];
      // In place: the rows are the planner's own, and not saved yet.
      for (const { row } of await doneBy(run, written))
        Object.assign(row, row.message === null ? { message, plain: true } : { message: gone });
    }
  };
}

/** A row that is unchanged, what it says, and the last write of its record. */
interface WrittenUnchanged {
  readonly row: UnplacedRow;
  readonly said: MappedRow;
  readonly place: WrittenPlace;
}

/** A row that is to be left as it is; one that waits for another is done by this run. */
const isSilent = ({ action, message, needs }: UnplacedRow): boolean =>
  action === 'unchanged' && needs.length === 0 && (message === null || message === ALREADY_GONE.message);

/** Whether a write sent what a row says: of a record that was there what it changed, else all of it. */
function isDoneBy({ steps, changes }: PlannedRow, row: UnplacedRow, { values }: MappedRow): boolean {
  const isDelete = steps.at(-1)?.purpose === 'delete';
  if (isDelete || row.message !== null) return isDelete && row.message !== null;
  const sent =
    steps[0]?.purpose === 'create'
      ? Object.entries(plainValues(Object.assign({}, ...steps.map(({ body }) => body))))
      : changes.map(({ field, to }) => [field, to] as const);
  const said = sent.filter(([field]) => values[field] !== undefined);
  return said.length > 0 && said.every(([field, value]) => sameValue(values[field], value));
}

function doneText({ run, startedAt }: RunRecord, before: Bilingual | null): Bilingual {
  const when = shownMinute(startedAt);
  const [en, nl] = before === null ? ['', ''] : [`${before.en}, `, `${before.nl}, `];
  return t(`${en}done by run ${run} on ${when.en}`, `${nl}gedaan door run ${run} op ${when.nl}`);
}
