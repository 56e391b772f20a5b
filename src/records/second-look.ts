import { t } from '../core/language.ts';
import type { PlannedRow, Step } from '../core/plan.ts';
import type { Values } from '../core/value.ts';
import { type ExistingRecord, type KeyedResource, LISTED, plainValues } from './existing-record.ts';
import { type RecordConflict, renewed, secondBefore, toDecide } from './freshness.ts';
import { createMark, keepMark, type Mark } from './mark.ts';
import type { GuardSetup } from './row-guard.ts';

interface Looks {
  /** What was written since a moment of the service's own; null for all. */
  listSince(moment: string | null): Promise<readonly ExistingRecord[]>;
  /** The ends of a list of which the plan read nothing, as it is long; `whole`: there is no more of it. */
  readEnds?(): Promise<{ readonly records: readonly ExistingRecord[]; readonly whole: boolean }>;
  /** Whether a record holds what requests sent, as far as a list tells. */
  holds(existing: ExistingRecord, body: Values): boolean;
}

/** How old that look may be before the next create is sent, ms: so long what others make may go unseen. */
const MAX_AGE = 2_000;

/** The same where no LMT tells what is new. */
const MAX_AGE_OF_ALL = 10_000;

/**
 * Looks once more, before a run's first create, at what was made since the plan: in one list for all rows.
 * What it sees is the run's mark. While creates are still to be sent, it looks again once that is old.
 */
export function createSecondLook(context: GuardSetup<KeyedResource>, looks: Looks) {
  const { summary, resource } = context;
  const keyed = new Map<number, ExistingRecord>();
  const take = (records: readonly ExistingRecord[]): void => {
    for (const record of records) if (record.external !== null) keyed.set(record.external, record);
  };
  let mark: Mark | undefined;
  const look = async (): Promise<void> => {
    const { newest, highest, atNewest = [] } = summary;
    const planned: Mark | null = highest === undefined ? null : { newest, highest, atNewest };
    const ends = planned === null ? await looks.readEnds?.() : undefined;
    const since = planned === null || newest === null ? null : secondBefore(newest);
    const records = ends?.records ?? (await looks.listSince(since));
    const seen = createMark(planned ?? undefined);
    for (const record of records) seen.saw(record);
    take(records);
    mark = seen.mark();
    await keepMark(context, {
      ...mark,
      ...(ends?.whole === false && { ends: true }),
    });
  };
  // What others make while the run sends: only what is new since the mark, as the list may be long.
  const newOnes = renewed(context.time, MAX_AGE_OF_ALL, async () => {
    take((await looks.readEnds?.())?.records ?? (await looks.listSince(null)));
  });
  const lookAgain = async (known: Mark): Promise<void> => {
    if (known.newest === null) return await newOnes();
    const records = await looks.listSince(secondBefore(known.newest));
    const seen = createMark(known);
    for (const record of records) seen.saw(record);
    take(records);
    mark = seen.mark();
  };
  const looked = renewed(context.time, MAX_AGE, () => (mark === undefined ? look() : lookAgain(mark)));
  // What no list tells may be other than the row says.
  const tells = (body: Step['body']): boolean =>
    Object.keys(body).every(
      (name) => resource.keys.includes(name) || LISTED.includes(resource.fields[name]?.reads ?? 'none'),
    );
  return async ({ steps, external, id }: PlannedRow): Promise<RecordConflict | null> => {
    if (steps[0]?.purpose !== 'create' || id !== null) return null;
    await looked();
    if (external === null) return null;
    const there = keyed.get(external);
    if (there === undefined) return null;
    const same = steps.every(({ body }) => tells(body) && looks.holds(there, plainValues(body)));
    return { message: madeText(there, same), now: there.values, ...(same && { same: there.id }) };
  };
}

function madeText({ id }: ExistingRecord, same: boolean) {
  const made = t(
    `someone else created it as ${id} after the plan was made`,
    `iemand anders heeft het aangemaakt als ${id} nadat het plan gemaakt was`,
  );
  return same ? made : toDecide(made);
}
