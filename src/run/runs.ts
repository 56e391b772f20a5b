import { randomBytes } from 'node:crypto';
import { EXIT, StopError } from '../core/errors.ts';
import { composed, t, withFlag } from '../core/language.ts';
import { PLAN_VERSION } from '../core/plan.ts';
import { shownDay } from '../core/shown-moment.ts';
import type { Time } from '../core/time.ts';
import {
  type FoundRun,
  isFromCopy,
  type Ledger,
  type PrunedRows,
  type Pruning,
  type RunRecord,
} from '../ledger/ledger.ts';
import { type Context, wallClock } from './context.ts';

/**
 * Days that a plan of which nothing was sent is kept in a file: longer than the page keeps a file that nobody
 * touches.
 */
export const UNSENT_DAYS = 100;

/** The form of a run's id. */
export const RUN_ID = /^\d{8}-\d{6}-[a-z0-9]{4}$/;

/** Signs that can't be taken for each other, in the order in which they sort. */
const SIGNS = '23456789abcdefghjkmnpqrstuvwxyz';

/**
 * A new run's id: sorts by time, short enough to type, such as `20270331-074512-k3vq`. Of the last four signs
 * two are the part of the second, so that runs of one second sort too.
 */
export function newRunId(now: number): string {
  const [day = '', time = ''] = wallClock(now).replace(/[-:]/g, '').split(' ');
  const part = Math.floor((new Date(now).getMilliseconds() / 1000) * SIGNS.length ** 2);
  const places = [Math.floor(part / SIGNS.length), part, ...randomBytes(2)];
  const tail = places.map((place) => SIGNS[place % SIGNS.length]).join('');
  return `${day}-${time}-${tail}`;
}

/** A new run's id that the ledger does not have: two programs may begin in one instant. */
export async function freeRunId({
  ledger,
  time,
}: {
  readonly ledger: Pick<Ledger, 'findRun'>;
  readonly time: Time;
}): Promise<string> {
  for (;;) {
    const run = newRunId(time.now());
    if ((await ledger.findRun(run)) === undefined) return run;
  }
}

/** So many of the newest runs are looked through for one that may be meant, and so many are named. */
const [LOOKED_THROUGH, NAMED] = [50, 3];

/** The stop for a run that this ledger doesn't know, with those that begin or end as what was given does. */
export async function unknownRun(
  { ledger }: { readonly ledger: Pick<Ledger, 'listRuns'> },
  run: string,
): Promise<StopError> {
  const text = t(`There is no run ${run} in this ledger.`, `Er is geen run ${run} in dit register.`);
  const known = (await ledger.listRuns(LOOKED_THROUGH)).map((one) => one.run);
  const near = known.filter((one) => run.length > 2 && (one.startsWith(run) || one.endsWith(run)));
  const list = near.slice(0, NAMED).join(', ');
  return new StopError(EXIT.usage, text, {
    next:
      list === ''
        ? LISTED
        : composed([LISTED], ({ en, nl }) =>
            t(`It may be ${list}. ${en}`, `Misschien is het ${list}. ${nl}`),
          ),
  });
}

const LISTED = withFlag(
  t(
    `The list of runs has them; a plan of which nothing was sent is removed after ${UNSENT_DAYS} days.`,
    `In de lijst van runs staan ze; een plan waarvan niets verstuurd is wordt na ${UNSENT_DAYS} dagen verwijderd.`,
  ),
  'catersheet runs',
);

/** For a plan that was corrected on the page since it was made: nobody saw as a whole what it would send. */
export const correctedStop = (run: string): StopError =>
  new StopError(
    EXIT.usage,
    t(
      `The plan of run ${run} was corrected on the page since, and nothing of it was sent.`,
      `Het plan van run ${run} is daarna op de pagina verbeterd, en er is niets van verstuurd.`,
    ),
    {
      next: t(
        'Check it on the page once more, and send it there.',
        'Controleer het op de pagina nog eens, en verstuur het daar.',
      ),
    },
  );

/** @throws StopError (usage) for a plan that is incomplete, of another version or for another service. */
export function refuseUnsendable(
  { serviceKey, serviceName }: Context,
  { run, state, planVersion, service, prunedAt, details }: FoundRun,
): void {
  if (prunedAt !== null) throw prunedStop(run, prunedAt);
  if (details !== undefined && state === 'planning') throw correctedStop(run);
  if (details === undefined) {
    const text = t(
      `The plan of run ${run} was never completed.`,
      `Het plan van run ${run} is nooit afgemaakt.`,
    );
    throw new StopError(EXIT.usage, text, { next: AGAIN });
  }
  if (planVersion !== PLAN_VERSION) {
    const text = t(
      `Run ${run} was planned by another version of catersheet.`,
      `Run ${run} is gepland door een andere versie van catersheet.`,
    );
    throw new StopError(EXIT.usage, text, { next: AGAIN });
  }
  if (service === serviceKey) return;
  const { serviceName: plannedFor } = details as { readonly serviceName: string };
  const text = t(
    `Run ${run} is for ${plannedFor}, not for ${serviceName}.`,
    `Run ${run} is voor ${plannedFor}, niet voor ${serviceName}.`,
  );
  const next = withFlag(t('Choose its service.', 'Kies het systeem ervan.'), '--base-url');
  throw new StopError(EXIT.usage, text, { next });
}

/** @throws StopError (usage) for a plan of which what was sent may not be known, as a copy was put back. */
export async function refuseFromCopy({ ledger }: Pick<Context, 'ledger'>, run: string): Promise<void> {
  if (!(await isFromCopy(ledger, run))) return;
  const text = t(
    `The plan of run ${run} comes from before the ledger was put back: what of it was sent since may not be known.`,
    `Het plan van run ${run} is van voordat het register werd teruggezet: wat er sindsdien van verstuurd is, is misschien niet bekend.`,
  );
  throw new StopError(EXIT.usage, text, { next: AGAIN });
}

const prunedStop = (run: string, at: string): StopError =>
  new StopError(
    EXIT.usage,
    t(
      `The rows of run ${run} were removed on ${shownDay(at).en}: it can’t be taken back, and its result can’t be made again.`,
      `De rijen van run ${run} zijn op ${shownDay(at).nl} opgeruimd: hij kan niet meer worden teruggedraaid, en het resultaat niet meer gemaakt.`,
    ),
    {
      next: t(
        'What it wrote is on the service: export it, change it, and import it.',
        'Wat hij schreef staat in het systeem: exporteer het, wijzig het, en importeer het.',
      ),
    },
  );

const AGAIN = t('Import the file again.', 'Importeer het bestand opnieuw.');

/** Runs that are older than a moment, the newest first. */
interface OldRuns {
  /** At their end: rows of theirs can be removed. */
  readonly done: readonly RunRecord[];
  /** Plans of which nothing was sent. */
  readonly unsent: readonly RunRecord[];
  /** Not at their end, or with rows of which nobody knows what became: they stay as they are. */
  readonly open: readonly RunRecord[];
}

/** Moments before which runs are old, wall clock; none are where it is empty. */
interface Ages {
  readonly done: string;
  readonly unsent: string;
}

const DAY = 86_400_000;

/** Runs that are listed, and pruned, together. */
const BATCH = 50;

/** The old runs of a ledger; `isOthers`: those that workers have. */
export async function findOldRuns(
  ledger: Pick<Ledger, 'listRuns'>,
  ages: Ages,
  isOthers: (run: string) => boolean = () => false,
): Promise<OldRuns> {
  const older = async (states: RunRecord['state'][], before: string): Promise<RunRecord[]> => {
    if (before === '') return [];
    const found: RunRecord[] = [];
    for (let offset = 0; ; offset += BATCH) {
      const page = await ledger.listRuns(BATCH, { states, offset });
      found.push(...page.filter(({ startedAt, run }) => startedAt < before && !isOthers(run)));
      if (page.length < BATCH) return found;
    }
  };
  const done = await older(['done'], ages.done);
  const isOpen = ({ counts }: RunRecord): boolean => (counts?.unknown ?? 0) > 0;
  return {
    done: done.filter((run) => !isOpen(run)),
    unsent: await older(['planned', 'planning'], ages.unsent),
    open: [...(await older(['applying', 'interrupted'], ages.done)), ...done.filter(isOpen)],
  };
}

/** Removes rows of old runs, or counts what would be, and tells how many runs are done with. */
export async function pruneOldRuns(
  ledger: Pick<Ledger, 'pruneRuns'>,
  done: readonly RunRecord[],
  pruning: Pruning,
  tell: (done: number) => void = () => {},
): Promise<ReadonlyMap<string, PrunedRows>> {
  const pruned = new Map<string, PrunedRows>();
  let at = 0;
  for (const runs of batches(done)) {
    for (const [run, rows] of await ledger.pruneRuns(runs, pruning)) pruned.set(run, rows);
    at += runs.length;
    tell(at);
  }
  return pruned;
}

/** Removes plans of which nothing was sent. */
export async function removePlans(
  ledger: Pick<Ledger, 'removeRuns'>,
  plans: readonly RunRecord[],
): Promise<void> {
  for (const runs of batches(plans)) await ledger.removeRuns(runs);
}

/** Removes those that are older than they are kept; `now`: by this machine's clock, ms since 1970. */
export async function removeOldPlans(
  ledger: Pick<Ledger, 'listRuns' | 'removeRuns'>,
  now: number,
): Promise<void> {
  const before = wallClock(now - UNSENT_DAYS * DAY);
  await removePlans(ledger, (await findOldRuns(ledger, { done: '', unsent: before })).unsent);
}

function* batches(runs: readonly RunRecord[]): Generator<string[]> {
  for (let at = 0; at < runs.length; at += BATCH) yield runs.slice(at, at + BATCH).map(({ run }) => run);
}

/** Where the ledger keeps it: no service has this name. */
const PLACE = ['', 'run at work'] as const;

/** Remembers which run the program that has the ledger's lock is at; none yet when it just took the lock. */
export const rememberAtWork = (ledger: Ledger, run = ''): Promise<void> => ledger.rememberFact(...PLACE, run);

/** The run that the program which has the ledger's lock is at; undefined before it has one. */
export const findAtWork = async (ledger: Ledger): Promise<string | undefined> =>
  (await ledger.findFact(...PLACE)) || undefined;
