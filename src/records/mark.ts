import type { Resource } from '../schema/resource.ts';
import type { ExistingRecord } from './existing-record.ts';
import { sameMoment } from './fresh.ts';
import type { ContextOf, RunOf } from './planning.ts';

/**
 * What the service itself showed of a resource before a run's first create. What was made since is told by
 * it, and by no clock of this machine.
 */
export interface Mark {
  readonly newest: string | null;
  readonly highest: number | null;
  /** Records that were seen with that LMT, as far as they are not too many; all, where none has one. */
  readonly atNewest?: readonly number[];
  /** Only the ends of the list were read: a newer LMT may stand between them. */
  readonly ends?: true;
}

/** So many records are kept apart that no LMT tells apart. */
const MOST_APART = 50_000;

type Seen = Pick<ExistingRecord, 'id' | 'lmt'>;

/** Gathers a mark from the records that come. */
export function createMark(
  { newest, highest, atNewest: known = [] }: Mark = { newest: null, highest: null },
) {
  const atNewest = new Set(known);
  return {
    saw({ id, lmt }: Seen): void {
      if (id !== null && (highest === null || id > highest)) highest = id;
      if (lmt !== null && (newest === null || lmt > newest)) {
        newest = lmt;
        atNewest.clear();
      }
      if (id !== null && lmt === newest && atNewest.size < MOST_APART) atNewest.add(id);
    },
    mark: (): Mark => ({ newest, highest, atNewest: [...atNewest] }),
  };
}

const factName = ({ name }: Resource, run: string): string => `mark of ${name} in ${run}`;

/** Keeps a run's mark, so that a run that goes on has it; the first one stays. */
export async function keepMark({ ledger, serviceKey, resource, run }: RunOf<Resource>, mark: Mark) {
  const name = factName(resource, run);
  if ((await ledger.findFact(serviceKey, name)) === undefined)
    await ledger.rememberFact(serviceKey, name, JSON.stringify(mark));
}

/** The mark of a run; null where it had none. */
export async function findMark(
  { ledger, serviceKey, resource }: ContextOf<Resource>,
  run: string,
): Promise<Mark | null> {
  const fact = await ledger.findFact(serviceKey, factName(resource, run));
  return fact === undefined ? null : (JSON.parse(fact) as Mark);
}

/** Whether a record was made after the mark; null where neither its id nor its LMT tells. */
export function madeSince(mark: Mark | null, seen: Seen): boolean | null {
  const { id, lmt } = seen;
  if (mark === null || id === null) return null;
  if (id === mark.highest || mark.atNewest?.includes(id) === true) return mayBeReused(mark, seen);
  if (mark.highest === null || id > mark.highest) return true;
  if (mark.newest === null || lmt === null) return null;
  if (sameMoment(lmt, mark.newest)) return null;
  if (lmt < mark.newest) return false;
  return mark.ends === true ? null : true;
}

/** Of an id that was there: some services give the highest out again once its record is deleted. */
function mayBeReused({ newest, highest }: Mark, { id, lmt }: Seen): false | null {
  if (newest === null || lmt === null) return id === highest ? null : false;
  return lmt > newest && !sameMoment(lmt, newest) ? null : false;
}
